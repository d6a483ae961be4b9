"""What the house is called, says and looks like: drafts, marks, palettes, approvals and files."""

import json
from base64 import b64decode
from collections.abc import Callable
from datetime import UTC, datetime
from io import BytesIO
from typing import Any, Final
from uuid import uuid4

import msgspec
import pytest
from django.test import Client
from django.utils import timezone, translation
from PIL import Image

from casino.accounts import sign_in_cache
from casino.accounts.models import Player
from casino.office.house import content as contents
from casino.office.house import marks, transfer, versions
from casino.office.models import HouseMark, HouseVersion
from games.live import announcing
from games.lobby import listing
from games.models import Table
from tests.casino.approvals_scene import code_of, person
from tests.people import client_of
from tests.waiting import until
from wallets.models import Closing, Currency, unit_of
from wallets.models.staff_models import JournalEntry, Proposal
from wallets.staff import approvals
from wallets.values import days, house, palette
from wallets.values.house import HouseContent, Palette

pytestmark = pytest.mark.django_db
PAGE: Final = "/admin/house/"
WHY: Final = "the club has a name"
BLUE: Final = Palette(accent="#7fb2e0", ground="#0c1420", felt="#1a3353")
SVG: Final = (
    b'<svg xmlns="http://www.w3.org/2000/svg" width="24" height="24">'
    b'<path d="M2 2h20v20H2z" fill="#123456"/></svg>'
)


@pytest.fixture
def mona() -> Player:
    return person("mona", "managers")


@pytest.fixture
def max_() -> Player:
    return person("max", "managers")


@pytest.fixture
def play() -> Currency:
    return Currency.objects.create(code="PLAY", name="play money", kind=Currency.Kind.PLAY)


def drafted(member: Player, content: HouseContent, revision: int = 0, **given: Any) -> HouseVersion:
    return versions.save_draft(member, content, revision, reason=WHY, now=timezone.now(), **given)


def published(member: Player, draft: HouseVersion) -> approvals.Submitted:
    return versions.publish(
        member, draft.pk, draft.revision, reason=WHY, key=uuid4(), now=timezone.now()
    )


def in_force(member: Player, colleague: Player, content: HouseContent) -> HouseVersion:
    draft = versions.open_version()
    draft = drafted(member, content, draft.revision if draft else 0)
    proposal = published(member, draft).proposal
    if proposal is not None:
        approvals.approve(colleague, proposal.pk, reason=WHY, now=timezone.now())
    draft.refresh_from_db()
    return draft


# From a draft to what pages say.


@pytest.mark.always
def test_a_name_needs_a_second_person(mona: Player, max_: Player) -> None:
    draft = drafted(mona, HouseContent(name={"en": "Harbour Club"}))
    proposal = published(mona, draft).proposal
    assert proposal is not None
    draft.refresh_from_db()
    assert draft.state == HouseVersion.State.PROPOSED
    assert code_of(lambda: drafted(mona, HouseContent(), draft.revision)) == "house_proposed"
    approvals.approve(max_, proposal.pk, reason=WHY, now=timezone.now())
    draft.refresh_from_db()
    assert draft.state == HouseVersion.State.PUBLISHED
    assert versions.read_current().name == {"en": "Harbour Club"}
    verbs = JournalEntry.objects.filter(subject=draft.reference).values_list("verb", flat=True)
    assert {"house.draft", "house.publish"} <= set(verbs)


@pytest.mark.always
def test_a_look_is_published_alone(mona: Player) -> None:
    draft = drafted(mona, HouseContent(palette=BLUE, felt="night", back="red"))
    assert published(mona, draft).proposal is None
    assert versions.read_current().palette == BLUE


def test_a_rejected_version_lets_another_begin(mona: Player, max_: Player) -> None:
    draft = drafted(mona, HouseContent(terms={"en": "Be kind."}))
    proposal = published(mona, draft).proposal
    assert proposal is not None
    approvals.reject(max_, proposal.pk, reason="no", now=timezone.now())
    draft.refresh_from_db()
    assert draft.state == HouseVersion.State.REJECTED
    assert drafted(mona, HouseContent(terms={"en": "Be kinder."})).number == draft.number + 1


def test_a_colleagues_draft_is_not_overwritten(mona: Player, max_: Player) -> None:
    draft = drafted(mona, HouseContent(felt="night"))
    drafted(max_, HouseContent(felt="claret"), draft.revision)
    assert code_of(lambda: drafted(mona, HouseContent(), draft.revision)) == "draft_changed"


def test_the_next_version_takes_the_place_of_the_last(mona: Player, max_: Player) -> None:
    first = in_force(mona, max_, HouseContent(felt="night"))
    second = in_force(mona, max_, HouseContent(felt="claret"))
    first.refresh_from_db()
    assert (first.state, second.state) == ("retired", "published")
    assert list(contents.lines(versions.content_of(first), versions.content_of(second)))


def test_a_process_that_is_told_reads_the_new_version(
    mona: Player, django_capture_on_commit_callbacks: Callable[..., Any]
) -> None:
    house.forget()
    assert house.current() == house.AS_BUILT
    with django_capture_on_commit_callbacks(execute=True):
        published(mona, drafted(mona, HouseContent(felt="night")))
    assert house.current().felt == "night"


@pytest.mark.parametrize("member", ["cashiers", "floor", "auditors"])
def test_managers_alone_change_the_house(member: str) -> None:
    somebody = person("somebody", member)
    assert code_of(lambda: drafted(somebody, HouseContent(felt="night"))) == "not_allowed"


# What a version may say.


@pytest.mark.parametrize(
    ("content", "code"),
    [
        (HouseContent(name={"en": "x" * 41}), "house_name"),
        (HouseContent(name={"xx": "Club"}), "house_name"),
        (HouseContent(palette=Palette(accent="red")), "house_palette"),
        (HouseContent(palette=Palette(ground="#8a8a8a")), "house_palette"),
        (HouseContent(palette=Palette(felt="#d0e0d0")), "house_palette"),
        (HouseContent(felt="pink"), "house_felt"),
        (HouseContent(mark="0123456789abcdef"), "house_mark"),
        (HouseContent(units={"XXX": {"en": "crowns"}}), "house_units"),
        (HouseContent(languages=("xx",)), "house_languages"),
        (HouseContent(languages=("en", "en")), "house_languages"),
        (HouseContent(zone="Mars/Olympus"), "house_zone"),
        (HouseContent(zone="../etc/passwd"), "house_zone"),
    ],
)
def test_what_makes_no_sense_is_refused(mona: Player, content: HouseContent, code: str) -> None:
    assert code_of(lambda: drafted(mona, content)) == code


@pytest.mark.always
def test_a_zone_holds_once_a_day_is_closed(mona: Player) -> None:
    Closing.objects.create(books=1, previous="0" * 64, hash="1" * 64)
    assert code_of(lambda: drafted(mona, HouseContent(zone="Asia/Macau"))) == "house_zone"


def test_texts_are_plain(mona: Player) -> None:
    draft = drafted(
        mona, HouseContent(name={"en": " Harbour\n\u202eClub "}, terms={"en": "a\r\nb"})
    )
    stored = versions.content_of(draft)
    assert (stored.name["en"], stored.terms["en"]) == ("Harbour Club", "a\nb")


@pytest.mark.always
def test_a_text_is_said_in_the_readers_language_or_the_houses_own(play: Currency) -> None:
    content = HouseContent(
        name={"en": "Harbour", "zh-hans": "港湾"},
        units={"PLAY": {"zh-hans": "港币"}},
        languages=("zh-hans", "en"),
        zone="Asia/Macau",
    )
    with house.shown_as(content):
        with translation.override("en"):
            assert (house.house_name(), unit_of("PLAY")) == ("Harbour", "港币")
        with translation.override("zh-hans"):
            assert house.house_name() == "港湾"
        assert content.language("zh-hant") == "zh-hans"
        assert str(days.house_zone()) == "Asia/Macau"


# Palettes.


def test_the_palette_of_the_style_sheet_is_readable_and_changes_nothing() -> None:
    assert not list(palette.faults(Palette()))
    light, dark, _felt = palette.themes(Palette())
    assert (light["ground"], dark["ground"]) == ("#f3eee2", "#0b1310")


def test_a_colour_is_read_and_written_back() -> None:
    for colour in ("#e5b957", "#0b1310", "#ffffff", "#000000", "#1d4a39"):
        assert palette.written(palette.lch(colour)) == colour


@pytest.mark.parametrize(
    "own", [BLUE, Palette(accent="#d94f70"), Palette(ground="#141018", felt="#3a2450")]
)
def test_a_palette_has_its_own_colours_and_keeps_its_texts_readable(own: Palette) -> None:
    assert not list(palette.faults(own))
    light, dark, felt = palette.themes(own)
    for colours in (light, dark):
        for text in palette.TEXTS:
            for ground in palette.GROUNDS:
                assert palette.contrast(colours[text], colours[ground]) >= palette.READABLE
    assert palette.contrast(felt["text"], felt["felt-light"]) >= palette.READABLE
    if own.accent:
        assert dark["brass"] == own.accent


def test_the_sheet_is_served_for_readable_palettes_alone(client: Client) -> None:
    answer = client.get(f"/house/look/{palette.address_part(BLUE)}.css")
    assert answer["Content-Type"].startswith("text/css")
    assert "immutable" in answer["Cache-Control"]
    assert f"--brass:{BLUE.accent};" in answer.text
    assert "html:root{--color-base-50:" in answer.text
    assert "#e5b957" not in answer.text
    for wrong in ("e5b957", "e5b957-8a8a8a-1d4a39", "e5b957-0b1310-zzzzzz", "a-b-c}"):
        assert client.get(f"/house/look/{wrong}.css").status_code == 404


# Marks.


@pytest.mark.always
def test_a_drawing_is_written_anew() -> None:
    mark = marks.read(SVG)
    assert mark.kind == "svg"
    assert b'viewBox="0 0 24 24"' in mark.data
    assert b'd="M2 2h20v20H2z"' in mark.data


@pytest.mark.parametrize(
    ("inside", "code"),
    [
        ("<script>alert(1)</script>", "mark_shape"),
        ("<style>*{fill:red}</style>", "mark_shape"),
        ("<foreignObject/>", "mark_shape"),
        ('<image href="https://other.example/a.png"/>', "mark_shape"),
        ('<path d="M0 0" onload="alert(1)"/>', "mark_attribute"),
        ('<path d="M0 0" style="fill:url(https://other.example)"/>', "mark_attribute"),
        ('<use href="#a"/>', "mark_shape"),
        ('<linearGradient href="https://other.example/a.svg#a"/>', "mark_attribute"),
        ('<path fill="url(https://other.example/a)"/>', "mark_attribute"),
        ("<path", "mark_unreadable"),
        ("<g>" * 490 + "</g>" * 490, "mark_unreadable"),
    ],
)
def test_what_is_no_drawing_is_refused(inside: str, code: str) -> None:
    drawing = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 2 2">{inside}</svg>'
    assert code_of(lambda: marks.read(drawing.encode())) == code


def test_entities_and_other_files_are_refused() -> None:
    bomb = b'<!DOCTYPE svg [<!ENTITY a "aaaa">]><svg xmlns="http://www.w3.org/2000/svg">&a;</svg>'
    for sent in (bomb, b"GIF89a", b"", b"\x89PNG\r\n\x1a\nnothing"):
        assert code_of(lambda sent=sent: marks.read(sent)) == "mark_unreadable"
    assert code_of(lambda: marks.read(b" " * (marks.BYTES_MAX + 1))) == "mark_size"


def test_a_picture_is_made_of_its_points_alone() -> None:
    out = BytesIO()
    picture = Image.new("RGB", (900, 300), "navy")
    picture.save(out, "PNG", exif=b"Exif\0\0secret")
    mark = marks.read(out.getvalue())
    with Image.open(BytesIO(mark.data)) as anew:
        assert anew.size == (512, 512)
        assert "exif" not in anew.info
    assert b"secret" not in mark.data


def test_icons_are_drawn_with_the_mark_and_the_palette(mona: Player, client: Client) -> None:
    draft = drafted(mona, HouseContent(palette=BLUE), mark=marks.read(SVG))
    content = versions.content_of(draft)
    house.keep(content)
    manifest = client.get("/manifest.webmanifest").json()
    assert manifest["theme_color"] == BLUE.ground
    for icon in manifest["icons"]:
        answer = client.get(icon["src"])
        assert answer["Content-Type"] == icon["type"]
        if icon["type"] == "image/png":
            with Image.open(BytesIO(answer.content)) as drawn:
                assert f"{drawn.width}x{drawn.height}" == icon["sizes"]
    page = client.get("/").text
    assert f'src="/house/mark/{content.mark}"' in page
    assert f'src="/house/mark/{content.mark}"' in client_of(mona).get("/admin/").text
    assert client.get(f"/house/mark/{content.mark}")["Content-Type"] == "image/svg+xml"
    assert client.get("/house/mark/0000000000000000").status_code == 404
    assert client.get(f"/house/{content.key}/icon-7.png").status_code == 404


# One file.


def test_a_version_goes_to_another_house_as_one_file(mona: Player) -> None:
    said = HouseContent(name={"en": "Harbour"}, palette=BLUE, units={"GONE": {"en": "x"}})
    row = marks.read(SVG).row
    row.save()
    file = transfer.exported(contents.with_mark(said, row.name))
    HouseMark.objects.all().delete()
    content, mark = transfer.imported(file)
    assert mark is not None
    taken = versions.content_of(drafted(mona, content, mark=mark))
    assert taken == msgspec.structs.replace(said, mark=row.name, units={})


@pytest.mark.parametrize(
    "sent", [b"", b"[]", b'{"format": "house-2", "content": {}}', b'{"format": "house-1"}']
)
def test_another_file_is_refused(sent: bytes) -> None:
    assert code_of(lambda: transfer.imported(sent)) == "house_file"


# The pages.


def form_of(client: Client, **given: Any) -> dict[str, Any]:
    """The form as the page shows it, with what is given."""
    form = client.get(f"{PAGE}edit/").context["form"]
    shown = {name: form[name].value() for name in form.fields if form[name].value() is not None}
    return shown | {"reason": WHY, "key": ""} | given


def test_two_managers_name_the_house(mona: Player, max_: Player, play: Currency) -> None:
    client, colleague = client_of(mona), client_of(max_)
    sent = form_of(client, **{"name.en": "Harbour Club", "units.PLAY.en": "pearls"})
    answer = client.post(f"{PAGE}edit/", sent)
    assert answer.status_code == 302, answer.context["form"].errors
    page = client.get(PAGE)
    assert "Harbour Club" in page.text
    draft = versions.open_version()
    assert draft is not None
    answer = client.post(PAGE, {"revision": draft.revision, "reason": WHY, "publish": "1"})
    proposal = Proposal.objects.get()
    assert answer["Location"] == f"/admin/approvals/{proposal.pk}/"
    assert "Harbour Club" in colleague.get(answer["Location"]).text
    approvals.approve(max_, proposal.pk, reason=WHY, now=timezone.now())
    house.forget()
    page = Client().get("/")
    assert "Harbour Club" in page.text
    assert "Card room" not in page.text


def test_a_form_with_an_unreadable_palette_says_which_pair(mona: Player) -> None:
    client = client_of(mona)
    answer = client.post(f"{PAGE}edit/", form_of(client, **{"palette.ground": "#8a8a8a"}))
    assert "the contrast is" in str(answer.context["form"].errors["palette.accent"])
    assert not HouseVersion.objects.exists()


def test_a_preview_is_the_front_page_under_the_draft(mona: Player) -> None:
    draft = drafted(mona, HouseContent(name={"en": "Harbour"}, palette=BLUE))
    client = client_of(mona)
    answer = client.get(f"{PAGE}{draft.pk}/preview/light/")
    assert ("Harbour" in answer.text, 'data-theme="light"' in answer.text) == (True, True)
    assert palette.address_part(BLUE) in answer.text
    assert "mona" not in answer.text
    assert answer["X-Frame-Options"] == "SAMEORIGIN"
    assert "frame-ancestors 'self'" in answer["Content-Security-Policy"]
    assert "Harbour" not in client.get(f"{PAGE}0/preview/dark/").text
    assert "Harbour" not in Client().get("/").text
    assert client.get(f"{PAGE}{draft.pk}/preview/pink/").status_code == 404


@pytest.mark.always
def test_a_file_is_saved_and_taken_on_the_page(mona: Player) -> None:
    drafted(mona, HouseContent(title={"en": "Good cards"}))
    client = client_of(mona)
    draft = versions.open_version()
    assert draft is not None
    saved = client.get(f"{PAGE}{draft.pk}/export/").content
    assert json.loads(saved)["content"] == {"title": {"en": "Good cards"}}
    file = BytesIO(saved.replace(b"Good cards", b"Better cards"))
    file.name = "house.json"
    sent = {"import": "1", "file": file, "revision": draft.revision, "reason": WHY}
    assert client.post(f"{PAGE}edit/", sent).status_code == 302
    draft.refresh_from_db()
    assert versions.content_of(draft).title == {"en": "Better cards"}


def test_the_stakes_of_a_table_follow_the_name_of_its_currency(play: Currency) -> None:
    table = Table(game="baccarat", currency=play)
    assert listing.table_stakes(table).endswith(" PLAY")
    house.keep(HouseContent(units={"PLAY": {"en": "pearls"}}))
    assert listing.table_stakes(table).endswith(" pearls")


def test_terms_and_contacts_have_pages_once_there_are_any(client: Client) -> None:
    assert client.get("/terms/").status_code == 404
    house.keep(HouseContent(terms={"en": "Be kind.\n\nPay."}, contacts={"en": "a@club.example"}))
    assert "<p>Be kind.</p>" in client.get("/terms/").text
    assert "mailto:a@club.example" in client.get("/contacts/").text
    assert 'href="/terms/"' in client.get("/").text


@pytest.mark.always
def test_the_look_of_the_house_is_that_of_who_has_not_chosen(client: Client) -> None:
    house.keep(HouseContent(felt="claret", back="green"))
    page = client.get("/").text
    assert 'data-felt="claret" data-back="green"' in page
    client.cookies["felt"] = "night"
    assert 'data-felt="night" data-back="green"' in client.get("/").text


@pytest.mark.always
def test_mark_data_is_kept_once(mona: Player) -> None:
    draft = drafted(mona, HouseContent(), mark=marks.read(SVG))
    drafted(mona, HouseContent(felt="night"), draft.revision, mark=marks.read(SVG))
    assert b64decode(HouseMark.objects.get().data) == marks.read(SVG).data


def test_the_clock_of_the_pages_is_that_of_the_houses_zone() -> None:
    noon = datetime(2026, 3, 1, 12, tzinfo=UTC)
    house.keep(HouseContent(zone="Asia/Macau"))
    assert f"{timezone.localtime(noon):%H:%M}" == "20:00"
    assert f"{days.in_house_zone(noon):%H:%M}" == "20:00"
    house.keep(house.AS_BUILT)
    assert f"{timezone.localtime(noon):%H:%M}" == "12:00"


@pytest.mark.usefixtures("redis")
def test_a_process_is_told_by_another(mona: Player) -> None:
    sign_in_cache.start()
    try:
        until(sign_in_cache.is_listening)
        assert house.current() == house.AS_BUILT
        published(mona, drafted(mona, HouseContent(felt="night")))
        assert house.current() == house.AS_BUILT
        announcing.client().publish(announcing.FORGET, f"{sign_in_cache.HOUSE}:1")
        until(lambda: house.current().felt == "night")
    finally:
        sign_in_cache.stop()
