"""The page on which an event is made: presets, files, tables of levels and prizes, refusals."""

import re
from pathlib import Path
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from msgspec import convert
from msgspec.structs import replace

from casino.accounts import staff
from tests.people import client_of
from tests.tournaments.events import Event, form_of, plain, sent, sit_and_go, structure
from tournaments.mathematics.presets import PRESETS, preset, with_game
from tournaments.mathematics.structure import GAMES, Structure, read, write
from tournaments.models import Template
from tournaments.office.editor.event_form import EventForm
from tournaments.office.editor.from_structure import data_of
from tournaments.office.editor.pages import sections
from tournaments.running import demo
from wallets.models import Currency
from wallets.models.staff_models import JournalEntry

pytestmark = pytest.mark.django_db
ADD = "/admin/tournaments/template/add/"
STEEP = [{"point": 100, "seconds": 600}, {"point": 800, "seconds": 600}, {"point": 4_000}]
EXAMPLES = sorted((Path(__file__).parents[2] / "docs" / "tournaments").glob("*.json"))


# From a structure to the form and back.


def test_every_template_of_the_repository_reads_back_from_its_form(event: Event) -> None:
    """Each file of the documentation, each demonstration event, each preset of each game."""
    known = [read(path.read_bytes()) for path in EXAMPLES]
    known += [demo.structure_of(game) for game in demo.EVENTS]
    known += [
        with_game(preset(name, name, "PLAY", 100), game) for name in PRESETS for game in GAMES
    ]
    for made in known:
        data = data_of(made)
        data["reason"] = "why not"
        form = EventForm(data)
        if not form.is_valid():
            assert "needs a game that is played for points" in str(form.errors)
            continue
        assert form.structure == made
        assert read(write(form.structure)) == made


@pytest.mark.always
def test_what_the_form_can_say_reads_back(event: Event) -> None:
    Currency.objects.create(code="EUR", name="Euro", exponent=2, kind=Currency.Kind.MONEY)
    made = structure(
        currency="EUR",
        stake=1_050,
        options={"table": "bonus", "residual_tie": True},
        levels=[{"point": 50, "seconds": 90}, {"point": 80, "seconds": 3_600}, {"point": 200}],
        breaks=[{"after_level": 2, "seconds": 95}],
        late_registration_level=2,
        reentries={"most": 3, "until_level": 1},
        add_on={"chips": 500, "stake": 1_000, "fee": 50, "from_level": 2, "until_level": 2},
        payouts={
            "by": "field_size",
            "tables": [
                {"entries_from": 2, "shares": [{"share": 10_000}]},
                {"entries_from": 9, "shares": [{"share": 5_025}, {"share": 995, "places": 5}]},
            ],
        },
    )
    form = form_of(made)
    assert (form.structure, form.errors) == (made, {})


# Starting.


@pytest.mark.parametrize("name", PRESETS)
def test_a_preset_is_opened_and_stored(manager: Client, name: str) -> None:
    opened = manager.get(ADD, {"preset": name})
    assert opened.status_code == 200
    shown = plain(opened.text)
    assert "Likely length" in shown
    assert "20 entrants" in shown or "4 entrants" in shown
    made = preset(name, "Evening", "PLAY", 100)
    answer = manager.post(ADD, {**sent(made), "store": "1"})
    # The way goes on to the version, where it is announced.
    template = Template.objects.get()
    assert answer["Location"] == f"/admin/tournaments/template/{template.pk}/change/"
    assert convert(template.structure, Structure) == made


@pytest.mark.always
def test_the_start_offers_all_presets_templates_and_files(event: Event, manager: Client) -> None:
    stored(event, structure(name="Autumn cup"))
    shown = manager.get(ADD).text
    for name in PRESETS:
        assert f"preset={name}" in shown or f'value="{name}"' in shown
    assert "Autumn cup 1" in shown
    assert "any event" in shown


@pytest.mark.always
def test_a_satellite_sells_tickets_to_another_event(event: Event, manager: Client) -> None:
    target = stored(event, structure(name="Autumn cup", stake=5_000, fee=500))
    shown = manager.get(ADD, {"preset": "satellite", "ticket": str(target.pk)}).text
    assert "Satellite: Autumn cup" in shown
    assert 'value="11"' in shown


def test_a_version_is_the_start_of_the_next(event: Event, manager: Client) -> None:
    source = stored(event, structure(name="Autumn cup"))
    shown = manager.get(ADD, {"from": source.pk})
    assert "A new version of Autumn cup" in plain(shown.text)
    given = sent(structure(name="Autumn cup", stake=2_000), store="1")
    assert manager.post(ADD, given).status_code == 302
    assert manager.post(ADD, given).status_code == 302
    versions = Template.objects.filter(name="Autumn cup").order_by("version")
    assert [version.version for version in versions] == [1, 2, 3]
    entry = JournalEntry.objects.filter(verb="template.store").latest("position")
    assert entry.reason == "the autumn programme"


def stored(event: Event, made: Structure) -> Template:
    from tournaments.running import announcing

    return announcing.store_template(made, "player:1", event.house.now)


def test_the_list_of_events_leads_to_a_new_one(manager: Client) -> None:
    assert (
        "/admin/tournaments/tournament/add/" in manager.get("/admin/tournaments/tournament/").text
    )
    assert manager.get("/admin/tournaments/tournament/add/")["Location"] == ADD


# Files.


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_a_file_is_imported_stored_and_exported(manager: Client, path: Path) -> None:
    file = SimpleUploadedFile("event.json", path.read_bytes())
    opened = manager.post(ADD, {"import": "1", "file": file})
    made = read(path.read_bytes())
    assert f'value="{made.name}"' in opened.text
    assert "Likely length" in plain(opened.text)
    assert not Template.objects.exists()
    manager.post(ADD, sent(made, store="1"))
    template = Template.objects.get()
    exported = manager.get(f"/admin/tournaments/template/{template.pk}/file/")
    assert exported["Content-Disposition"].startswith("attachment")
    assert read(exported.content) == made


@pytest.mark.always
@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        (b"{", "This is not a structure file: "),
        (b"[]", "This is not a structure file: "),
        (b"\xff", "This is not a structure file: "),
        (b"{" + b" " * (1 << 20), "This is not a structure file: "),
        (write(structure()).replace(b'"stake"', b'"steak"'), "unknown field `steak`"),
        (
            write(structure()).replace(b'"point": 200', b'"point": 0'),
            "The file cannot be read at levels[1].point: ",
        ),
    ],
)
def test_a_file_that_is_none_gets_a_sentence(manager: Client, text: bytes, sentence: str) -> None:
    answer = manager.post(ADD, {"import": "1", "file": SimpleUploadedFile("x.json", text)})
    assert answer.status_code == 200
    assert sentence in answer.text


def test_a_file_with_a_problem_opens_with_a_sentence_beside_it(manager: Client) -> None:
    text = write(structure(levels=[{"point": 20, "seconds": 60}, {"point": 10}]))
    answer = manager.post(ADD, {"import": "1", "file": SimpleUploadedFile("x.json", text)})
    assert "Level 2 is lower than the one before." in answer.text


# The small buttons.


def after(manager: Client, made: Structure, **pressed: Any) -> EventForm:
    """The form that a button answers with."""
    answer = manager.post(f"{ADD}?part=form", sent(made, **pressed))
    assert answer.text.lstrip().startswith('<div id="event-editor"')
    form: EventForm = answer.context["form"]
    return form


def points(form: EventForm) -> list[str]:
    return [row.texts["point"] for row in form.levels]


def test_levels_are_added_and_removed(manager: Client) -> None:
    assert points(after(manager, structure(), level_insert="1")) == ["100", "100", "200", "400"]
    assert points(after(manager, structure(), level_remove="2")) == ["100", "400"]
    draft = structure(levels=[{"point": 5}])
    assert points(after(manager, draft, level_remove="1")) == ["5"]


@pytest.mark.always
def test_levels_are_filled(manager: Client) -> None:
    fill = {"fill_first": "20", "fill_rise": "50", "fill_count": "4", "fill_length": "1:30"}
    form = after(manager, structure(), level_fill="1", **fill)
    assert points(form) == ["20", "30", "45", "70"]
    assert [row.texts["length"] for row in form.levels] == ["1:30"] * 3 + [""]
    assert form.structure is not None
    assert form.structure.levels[0].seconds == 90


def test_a_fill_that_makes_no_sense_changes_nothing(manager: Client) -> None:
    fill = {"fill_first": "20", "fill_rise": "50", "fill_count": "400", "fill_length": "10"}
    answer = manager.post(ADD, sent(structure(), level_fill="1", **fill))
    assert "Enter a number from 1 to 200." in answer.text
    assert points(answer.context["form"]) == ["100", "200", "400"]


@pytest.mark.always
def test_levels_shift(manager: Client) -> None:
    assert points(after(manager, structure(), level_shift="up")) == ["200", "400", "800"]
    assert points(after(manager, structure(), level_shift="down")) == ["50", "100", "200"]
    banked = structure(
        game="thirteen_hongkong", levels=[{"bet_min": 10, "bet_max": 40, "seconds": 60}] * 2
    )
    form = after(manager, banked, level_shift="up")
    assert [row.texts["bet_max"] for row in form.levels] == ["40", "40"]


def test_another_game_gets_its_own_stakes_and_tables(manager: Client) -> None:
    form = after(manager, structure(), game="thirteen_hongkong")
    assert form.structure is not None
    assert [level.bet_max for level in form.structure.levels] == [500, 1_000, 2_000]
    form = after(manager, structure(), game="doudizhu")
    assert form.structure is not None
    assert form.structure.table_size == 3


def test_another_kind_gets_the_fields_of_that_kind(manager: Client) -> None:
    form = after(manager, structure(field_min=6), kind="knock_out", line_points="5", until="4")
    assert form.structure is not None
    assert form.structure.knock_out is not None
    assert "reentries_most" not in form.fields


def shown_fields(form: EventForm) -> set[str]:
    return {field.name for section in sections(form) for field in section.fields}


@pytest.mark.always
@pytest.mark.parametrize(
    ("given", "without", "has"),
    [
        ({}, {"reentries_until", "add_on_fee", "betting_seconds"}, {"field_min"}),
        ({"reentries_most": "1"}, {"add_on_fee"}, {"reentries_until"}),
        ({"add_on_chips": "500"}, {"reentries_until"}, {"add_on_fee", "add_on_until"}),
        ({"kind": "sit_and_go"}, {"field_min", "hand_for_hand", "reentries_most"}, {"field_max"}),
        ({"kind": "knock_out"}, {"rounds_count", "carry_base", "stages"}, {"until"}),
        ({"kind": "knock_out", "rounds_manner": "swiss"}, set(), {"rounds_count", "carry_most"}),
        ({"game": "thirteen_hongkong"}, set(), {"betting_seconds"}),
    ],
)
def test_the_form_shows_the_fields_that_change_something(
    event: Event, given: dict[str, str], without: set[str], has: set[str]
) -> None:
    names = shown_fields(form_of(structure(), **given))
    assert not without & names
    assert has <= names


@pytest.mark.always
def test_the_field_of_a_sit_and_go_is_typed_once(event: Event) -> None:
    form = form_of(sit_and_go(), field_max="8", field_min="4")
    assert form.structure is not None
    assert (form.structure.field_min, form.structure.field_max) == (8, 8)


def test_storing_goes_on_to_announcing_with_the_same_reason(manager: Client) -> None:
    data = {**sent(structure()), "store": "announce", "reason": "the quiet Tuesday"}
    page = manager.get(manager.post(ADD, data)["Location"])
    assert 'value="the quiet Tuesday"' in page.text or ">the quiet Tuesday<" in page.text
    assert "Announce the event" in page.text


def test_the_shares_of_a_curve_are_changed_by_hand(manager: Client) -> None:
    curve = {"prizes": "curve", "paid": "20", "shape": "flat"}
    form = after(manager, structure(field_max=40), prizes_write="1", **curve)
    assert form.data["prizes"] == "shares"
    assert len(form.shares) > 2
    drawn = form_of(structure(field_max=40), **curve)
    assert form.structure == drawn.structure
    more = after(manager, structure(), prizes_insert="1")
    assert len(more.shares) == 2
    fewer = after(manager, structure(), prizes_remove="1")
    assert [row.texts["shares"] for row in fewer.shares] == ["100"]


def test_a_script_finds_what_it_fetches_and_replaces(manager: Client) -> None:
    """Each target and each source that the markup names for htmx is on the page."""
    for address in (f"{ADD}?preset=freezeout", "/admin/tournaments/schedule/add/"):
        page = manager.get(address).text
        ids = re.findall(r'id="([^"]+)"', page)
        assert len(ids) == len(set(ids))
        named = re.findall(r'hx-(?:target|include)="#([^"]+)"', page)
        assert named
        assert set(named) <= set(ids)
        for part in re.findall(r'hx-post="([^"]+)"', page):
            assert manager.post(f"{address.partition('?')[0]}{part}", {}).status_code == 200


@pytest.mark.always
def test_prizes_that_were_set_by_a_curve_are_the_start_of_others(manager: Client) -> None:
    made = structure(field_min=8, field_max=8)
    curve = {"paid": "25", "shape": "flat"}
    form = after(manager, made, prizes="shares", shares=[], entries_from=[], **curve)
    assert form.structure == form_of(made, prizes="curve", **curve).structure
    form = after(manager, made, prizes="amounts", **curve)
    assert form.data["amounts"] == "45.84; 34.16"
    assert form.structure is not None
    # A field of many sizes has no fixed amounts to begin with.
    assert not after(manager, structure(), prizes="amounts", **curve).data["amounts"]


@pytest.mark.always
def test_a_wrong_field_hides_no_wrong_level(event: Event) -> None:
    form = form_of(structure(), stake="x", point=["20", "many", "40"], prizes="shares")
    assert "x is not an amount." in " ".join(map(str, form.errors["stake"]))
    assert "many is not a whole number." in " ".join(form.levels[1].errors)


def test_enter_only_looks(manager: Client) -> None:
    """A browser presses the first button of a form when Enter is pressed in a field."""
    form = manager.get(ADD, {"preset": "freezeout"}).text.partition('<form id="event-form"')[2]
    first = re.search(r"<button[^>]*>", form)
    assert first is not None
    assert 'name="look"' in first[0]


# What is shown.


def test_the_outlook_says_prizes_length_and_risk(manager: Client) -> None:
    made = structure(field_min=8, field_max=400, guarantee=50_000, levels=STEEP)
    shown = plain(manager.post(f"{ADD}?part=outlook", sent(made)).text)
    for words in (
        *("20 entrants", "60 entrants", "300 entrants", "Prize pool 500 600 3,000"),
        *("The house adds 300 0 0", "Fees 20 60 300"),
        "At most 420, if only 8 enter. Nothing from 50 entries on.",
    ):
        assert words in shown
    wrong = manager.post(f"{ADD}?part=outlook", sent(made, stake="x"))
    assert "once every field is correct" in plain(wrong.text)
    free = structure(stake=0, fee=0, guarantee=5_000)
    said = plain(manager.post(f"{ADD}?part=outlook", sent(free)).text)
    assert "Entry is free, so the house pays all of it." in said


@pytest.mark.always
@pytest.mark.parametrize("name", PRESETS)
def test_it_is_shown_as_players_will_see_it(manager: Client, name: str) -> None:
    made = preset(name, "Autumn cup", "PLAY", 100)
    looked = manager.post("/admin/tournaments/template/as-players-see-it/", sent(made))
    shown = plain(looked.text)
    assert "Autumn cup" in shown
    assert "It is not announced." in shown
    assert "<form" not in looked.text.partition('id="event"')[2].partition("</main>")[0]


@pytest.mark.always
def test_lists_speak_in_words(event: Event, manager: Client) -> None:
    free = sit_and_go("thirteen_hongkong", levels=[{"bet_min": 90, "bet_max": 90}], fee=0, stake=0)
    template = stored(event, replace_pool(free))
    shown = plain(manager.get("/admin/tournaments/template/").text)
    assert "Hong Kong thirteen cards" in shown
    assert "free" in shown
    assert "thirteen_hongkong" not in shown
    page = plain(manager.get(f"/admin/tournaments/template/{template.pk}/change/").text)
    assert "Hong Kong thirteen cards · free" in page


def replace_pool(made: Structure) -> Structure:
    """A free event is paid for by the house."""
    return replace(made, guarantee=1_000)


def test_only_those_who_run_tournaments_make_events(event: Event) -> None:
    template = stored(event, structure())
    for group, sees in (("floor", 200), ("auditors", 200), ("cashiers", 403)):
        player = event.house.player(f"one of {group}", money=0)
        staff.appoint(player, group)
        client = client_of(player)
        assert client.get(ADD).status_code == 403
        assert client.post(ADD, sent(structure(), store="1")).status_code == 403
        look = client.post("/admin/tournaments/template/as-players-see-it/", sent(structure()))
        assert look.status_code == 403
        for address in ("file", "as-players-see-it", "change"):
            answer = client.get(f"/admin/tournaments/template/{template.pk}/{address}/")
            assert answer.status_code == sees, (group, address)
    assert Template.objects.count() == 1
