"""Scripts and styles are put together with what they import, or refused."""

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Final

import pytest

from casino.web.bundles import CannotBundle, bundle, contained, in_order
from casino.web.static_files import put_together

STATIC: Final = Path(__file__).resolve().parents[2] / "static"
PAGES: Final = sorted(str(path.relative_to(STATIC)) for path in STATIC.glob("pages/**/*.*"))


def of(files: Mapping[str, str], name: str) -> str:
    return bundle(name, files.__getitem__)


def test_a_module_runs_once_and_after_what_it_imports() -> None:
    files = {
        "pages/a.js": 'import "../x/b.js";\nimport "../x/c.js";\n',
        "x/b.js": 'import { two as double } from "./c.js";\n\nshow(double);\n',
        "x/c.js": "export const two = 2;\nexport async function three() {}\n",
    }
    assert list(in_order("pages/a.js", files.__getitem__)) == ["x/c.js", "x/b.js", "pages/a.js"]
    assert of(files, "pages/a.js") == (
        "const x_c = (() => {\nconst two = 2;\nasync function three() {}\n"
        "return { two, three };\n})();\n"
        "(() => {\nconst { two: double } = x_c;\n\nshow(double);\n})();\n"
    )


def test_names_that_stand_in_several_lines_are_taken_together() -> None:
    files = {
        "a.js": 'import {\n  b,\n  c,\n} from "./b.js";\n',
        "b.js": "export const b = 1, c = 2;\n",
    }
    assert "const {\n  b,\n  c,\n} = b;" in of(files, "a.js")


def test_comments_are_left_out_where_they_have_a_line_of_their_own() -> None:
    files = {
        "a.js": '// one\nlet at = "http://a"; // two\n  // three\n',
        "a.css": "/* one\n */\na {}\n",
    }
    assert of(files, "a.js") == '(() => {\nlet at = "http://a"; // two\n})();\n'
    assert of(files, "a.css") == "a {}\n"


def test_styles_stand_in_the_order_of_their_imports() -> None:
    files = {
        "p/a.css": '@import "../b.css";\n@import "../c.css";\n',
        "b.css": "b {}\n",
        "c.css": "c {}\n",
    }
    assert of(files, "p/a.css") == "b {}\nc {}\n"


def test_a_file_is_found_from_where_the_style_stands_in_the_end() -> None:
    files = {
        "pages/a.css": '@import "../b/c/d.css";\n',
        "b/c/d.css": 'a { src: url("../e.woff2") }\n',
    }
    assert of(files, "pages/a.css") == 'a { src: url("../b/e.woff2") }\n'


def test_a_layer_holds_all_that_a_style_imports_into_it() -> None:
    files = {
        "page.css": '@import "./order.css";\n@import "./felt.css" layer(felt);\np {}\n',
        "order.css": "@layer base, felt;\n",
        "felt.css": '@import "./card.css";\nb {}\n',
        "card.css": "i {}\n",
    }
    assert of(files, "page.css") == (
        "@layer base, felt;\n@layer felt {\n@scope (.office-hand) {\ni {}\n}\n}\n"
        "@layer felt {\n@scope (.office-hand) {\nb {}\n}\n}\np {}\n"
    )


def test_the_styles_of_a_table_stay_inside_the_element_that_holds_it() -> None:
    """They ask for its width, and reach neither the page around it nor its variables."""
    pages = [name for name in PAGES if "office_hands" in name]
    assert pages
    for name in pages:
        for part in put_together(name).split("@layer felt {\n")[1:]:
            assert part.startswith("@scope (.office-hand) {\n"), name
            felt = part.partition("\n}\n}\n")[0]
            assert not re.search(r"@media[^{]*-width|[0-9]vw\b", felt), name
            assert not re.search(r"^(?::root|html|body)\S* \{", felt, re.MULTILINE), name


@pytest.mark.parametrize(
    ("written", "made"),
    [
        (":root {\n  --a: 5vw;\n}\n", ":scope {\n  --a: 5cqi;\n}\n"),
        (':root[data-b="c"] {\n}\n', ':root[data-b="c"] :scope {\n}\n'),
        ("html.d .e {\n}\nbody {\n  margin: 0;\n}\n", "html.d .e {\n}\n"),
        (
            "@media (min-width: 1px) and (width < 2px) {\n  a {\n  }\n}\n",
            "@container (min-width: 1px) and (width < 2px) {\n  a {\n  }\n}\n",
        ),
        (
            "@media (min-width: 1px) and (max-height: 2px) {\n  a {\n  }\n}\n",
            "@media (max-height: 2px) {\n@container (min-width: 1px) {\n  a {\n  }\n}}\n",
        ),
        (
            "@media (min-width: 1px),\n  (hover: none) {\n  a {\n  }\n}\nb {\n}\n",
            "@container ((min-width: 1px)) {\n  a {\n  }\n}\nb {\n}\n",
        ),
        ("@media (hover: none) {\n  a {\n  }\n}\n", "@media (hover: none) {\n  a {\n  }\n}\n"),
    ],
)
def test_the_width_of_a_holder_stands_for_that_of_the_screen(written: str, made: str) -> None:
    assert contained(written, ".f") == f"@scope (.f) {{\n{made}}}\n"


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.js", 'export default "b";\n'),
        ("a.js", "export let changing = 1;\n"),
        ("a.js", 'export { b } from "./b.js";\n'),
        ("a.js", 'import b from "./b.js";\n'),
        ("a.js", 'import * as b from "./b.js";\n'),
        ("a.js", 'const b = import("./b.js");\n'),
        ("a.js", "const here = import.meta.url;\n"),
        ("a.js", "await ready;\n"),
        ("a.css", '@import url("b.css");\n'),
        ("a.css", '@import "./b.css" print;\n'),
        ("a.css", "a { background: url(b.png) }\n"),
    ],
)
def test_what_cannot_be_put_together_is_refused_by_name(name: str, text: str) -> None:
    with pytest.raises(CannotBundle, match=name):
        of({name: text}, name)


def test_a_circle_is_refused() -> None:
    files = {"a.js": 'import "./b.js";\n', "b.js": 'import "./a.js";\n'}
    with pytest.raises(CannotBundle, match=r"a\.js imports itself by way of b\.js"):
        of(files, "a.js")


@pytest.mark.parametrize("name", PAGES)
def test_every_page_can_be_put_together(name: str) -> None:
    text = put_together(name)
    assert text
    assert not re.search(r"^(?:import|export|@import)\b", text, re.MULTILINE)
