from typing import Final

POPULATIONS: Final[dict[str, dict[str, str]]] = {}
