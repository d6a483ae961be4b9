"""The shades of the office: a house with a palette of its own has others."""

from typing import Final

SHADES: Final[dict[str, dict[str, str]]] = {
    # The ground, felt and text of the pages, and the accent from which they derive their gold.
    "base": {
        "50": "#f3eee2",
        "100": "#eceee9",
        "200": "#d3d8d2",
        "300": "#c3ccc6",
        "400": "#a9b8ae",
        "500": "#6f7d75",
        "600": "#56635b",
        "700": "#3a4b42",
        "800": "#2e4037",
        "900": "#17211c",
        "950": "#0b1310",
    },
    "primary": {
        "50": "#fdf8ec",
        "100": "#f9edcd",
        "200": "#f2dc9f",
        "300": "#eacb7c",
        "400": "#e0b458",
        "500": "#c1902f",
        "600": "#8a5a00",
        "700": "#744b00",
        "800": "#5c3c00",
        "900": "#472f04",
        "950": "#291a00",
    },
}
