"""The pages of profiles: who may see and send what, and what a wrong form is told."""

from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from casino.accounts.models import Player
from casino.accounts.staff import appoint
from games.models import Hand, Profile, ProfileVersion, Reckoning
from games.profiles import drafts
from games.profiles.figures import Figure
from tests.games import profiles
from tests.games.house import House
from tests.people import HTMX, client_of
from wallets.models.staff_models import Proposal
from wallets.staff import approvals

pytestmark = pytest.mark.django_db
LIST = "/admin/profiles/"


@pytest.fixture
def mona() -> Player:
    return profiles.manager("mona")


@pytest.fixture
def max_() -> Player:
    return profiles.manager("max")


def page_of(version: ProfileVersion) -> str:
    return f"{LIST}{version.pk}/"


def form_of(version: ProfileVersion, **given: str) -> dict[str, str]:
    """The form of a draft as it stands, in whole units."""
    settings = version.table_settings
    form = {
        name: str(value) if not isinstance(value, bool) else "on"
        for name, value in settings.items()
        if value is not False
    }
    for name in ("buy_in_min", "buy_in_max", "stack_min"):
        form[name] = str(settings[name] // 100)
    return form | {"revision": str(version.revision), "reason": profiles.WHY} | given


def proposal_form(version: ProfileVersion, **given: str) -> dict[str, str]:
    start = timezone.now() + timedelta(days=1)
    form = {
        "propose": "1",
        "revision": str(version.revision),
        "day": start.strftime("%Y-%m-%d"),
        "hour": "06:00",
        "reason": profiles.WHY,
    }
    for code, text in profiles.ANSWERS.items():
        form |= {f"tick:{code}": "on", f"answer:{code}": text}
    return form | given


def drafted(client: Client, game: str = "doudizhu") -> ProfileVersion:
    profiles.play_money()
    form = {"name": "Club", "game": game, "currency": "PLAY", "reason": profiles.WHY}
    answer = client.post(f"{LIST}new/", form)
    assert answer.status_code == 302, answer.text
    return ProfileVersion.objects.get()


@pytest.mark.slow
def test_from_a_draft_to_a_table(house: House, mona: Player, max_: Player) -> None:
    """All steps as two managers take them."""
    client, colleague = client_of(mona), client_of(max_)
    version = drafted(client)
    form = form_of(version, **{"options-point": "2.50", "decision_seconds": "15"})
    assert client.post(f"{page_of(version)}edit/", form).status_code == 302
    version.refresh_from_db()
    assert (version.options["point"], version.table_settings["decision_seconds"]) == (250, 15)
    page = client.get(page_of(version)).text
    assert "The effects of this version have not been calculated yet." in page
    assert 'name="propose"' not in page
    client.post(page_of(version), {"reckon": "1"})
    assert 'hx-get="/admin/profiles/' in client.get(page_of(version)).text
    profiles.reckoned(version, [Figure("rake_per_hand", 250.0, 3.0, 2_000)])
    page = client.get(page_of(version)).text
    assert "2.50 ± 0.03" in page
    assert "The rake reaches the usual legal limit" in page
    assert client.post(page_of(version), proposal_form(version)).status_code == 302
    version.refresh_from_db()
    assert version.state == "proposed"
    assert 'name="approve"' not in client.get(page_of(version)).text
    assert 'name="approve"' in colleague.get(page_of(version)).text
    sent = {"approve": "1", "reason": "as agreed"}
    assert colleague.post(page_of(version), sent).status_code == 302
    version.refresh_from_db()
    assert version.state == "published"
    assert version.published_from == timezone.now().replace(
        hour=6, minute=0, second=0, microsecond=0
    ) + timedelta(days=1)
    assert "will be in force" in client.get(page_of(version)).text
    assert "version 1" in client.get(LIST).text


WRONG_DRAFTS = (
    ({"options-point": "-1"}, "-1 is not an amount."),
    ({"options-point": "1 EUR"}, "1 EUR is not an amount."),
    ({"options-point": "100 cents"}, "100 cents is not an amount."),
    ({"options-point": ""}, "This field is required."),
    ({"options-point": "2" + "0" * 12}, "is from 0.01 to"),
    ({"options-rake_bp": "500"}, "Rake is from 0 % to 10 %."),
    ({"options-rake_bp": "11"}, "Rake is from 0 % to 10 %."),
    ({"options-wings": "\0"}, "is not one of the choices"),
    ({"buy_in_min": "-5"}, "-5 is not an amount."),
    ({"buy_in_min": "9" * 15}, "Enter an amount from 0.01 to"),
    ({"decision_seconds": "2"}, "greater than or equal to 5"),
    ({"reason": ""}, "This field is required."),
)


def test_a_wrong_draft_is_shown_again(mona: Player) -> None:
    client = client_of(mona)
    version = drafted(client)
    for given, said in WRONG_DRAFTS:
        answer = client.post(f"{page_of(version)}edit/", form_of(version, **given))
        assert answer.status_code == 200, given
        assert said in answer.text, given
        version.refresh_from_db()
        assert version.revision == 1


def test_the_second_of_two_reads_what_changed_and_saves_on_top(mona: Player, max_: Player) -> None:
    client, colleague = client_of(mona), client_of(max_)
    version = drafted(client)
    seen = form_of(version)
    colleague.post(f"{page_of(version)}edit/", seen | {"options-point": "5"})
    mine = seen | {"decision_seconds": "30", "options-point": "2"}
    refused = client.post(f"{page_of(version)}edit/", mine)
    assert refused.status_code == 200
    assert "max has changed this draft since you opened it: Value of a point: 1 → 5" in refused.text
    assert 'name="revision" value="2"' in refused.text
    version.refresh_from_db()
    assert version.options["point"] == 500
    assert client.post(f"{page_of(version)}edit/", mine | {"revision": "2"}).status_code == 302
    version.refresh_from_db()
    assert version.options["point"] == 200


@pytest.mark.always
def test_a_draft_that_was_changed_is_not_proposed_unseen(mona: Player, max_: Player) -> None:
    client = client_of(mona)
    version = drafted(client)
    form = proposal_form(version)
    version = profiles.change(max_, version, point=700)
    profiles.reckoned(version)
    answer = client.post(page_of(version), form)
    assert "This draft was changed since you opened it" in answer.text
    assert not Proposal.objects.exists()


def test_an_unfinished_proposal_is_not_made(mona: Player) -> None:
    client = client_of(mona)
    version = drafted(client)
    profiles.reckoned(version)
    for name, value in (
        ("tick:rake.bound", ""), ("answer:rake.bound", ""), ("day", "31.02.2026"),
        ("hour", "25:00"), ("revision", ""), ("reason", ""),
    ):  # fmt: skip
        form = proposal_form(version, **{name: value})
        assert client.post(page_of(version), form).status_code == 200, name
    version.refresh_from_db()
    assert version.state == "draft"
    assert not Proposal.objects.exists()


def test_approving_twice_or_too_late_is_refused_in_words(mona: Player, max_: Player) -> None:
    version = profiles.draft(mona)
    profiles.reckoned(version)
    profiles.proposed(mona, version)
    colleague, sent = client_of(max_), {"approve": "1", "reason": "yes"}
    assert "You proposed this" in client_of(mona).post(page_of(version), sent).text
    assert colleague.post(page_of(version), sent).status_code == 302
    assert "has already decided this proposal" in colleague.post(page_of(version), sent).text
    draft = drafts.begin_draft(mona, version.pk, reason="x", now=timezone.now())
    profiles.reckoned(draft)
    profiles.proposed(mona, draft)
    draft.refresh_from_db()
    approvals.expire_due(timezone.now() + timedelta(days=30))
    assert "has expired" in colleague.post(page_of(draft), sent).text
    draft.refresh_from_db()
    assert draft.state == "rejected"


def test_a_role_that_was_taken_away_in_between(mona: Player, max_: Player) -> None:
    version = profiles.draft(mona)
    profiles.reckoned(version)
    profiles.proposed(mona, version)
    colleague = client_of(max_)
    appoint(max_, "floor")
    answer = colleague.post(page_of(version), {"approve": "1", "reason": "yes"})
    assert "Your role cannot decide this." in answer.text
    assert colleague.get(f"{page_of(version)}edit/").status_code == 403


@pytest.mark.parametrize("group", ["auditors", "floor"])
def test_readers_read_and_change_nothing(mona: Player, group: str) -> None:
    version = profiles.draft(mona)
    reader = Player.objects.create_user("reader")
    appoint(reader, group)
    client = client_of(Player.objects.get(pk=reader.pk))
    for address in ("", f"{version.pk}/", f"{version.pk}/compare/", f"{version.pk}/progress/"):
        assert client.get(f"{LIST}{address}").status_code == 200
    page = client.get(page_of(version)).text
    for button in ("reckon", "propose", "discard", "draft", "approve"):
        assert f'name="{button}"' not in page
        sent = proposal_form(version) | {button: "1"}
        assert client.post(page_of(version), sent, headers=HTMX).status_code in (200, 403)
    for address in ("new/", f"{version.pk}/edit/"):
        assert client.get(f"{LIST}{address}", headers=HTMX).status_code == 403
        assert client.post(f"{LIST}{address}", {"name": "x"}, headers=HTMX).status_code == 403
    assert Profile.objects.count() == ProfileVersion.objects.count() == 1
    assert not Reckoning.objects.exists()


@pytest.mark.parametrize("group", ["cashiers", "technicians"])
def test_others_see_nothing(mona: Player, group: str) -> None:
    version = profiles.draft(mona)
    player = Player.objects.create_user("one")
    appoint(player, group)
    client = client_of(Player.objects.get(pk=player.pk), headers=HTMX)
    for address in ("", f"{version.pk}/", f"{version.pk}/compare/", f"{version.pk}/progress/"):
        assert client.get(f"{LIST}{address}").status_code == 403
    manager = client_of(mona, headers=HTMX)
    for address in ("999999/", f"{'9' * 30}/", "999999/edit/", "999999/compare/"):
        assert manager.get(f"{LIST}{address}").status_code == 404


@pytest.mark.always
def test_the_bar_follows_the_worker_and_ends_with_the_page(mona: Player) -> None:
    client = client_of(mona)
    version = drafted(client)
    client.post(page_of(version), {"reckon": "1"})
    Reckoning.objects.update(state="running", done=500, wanted=2_000, seen_at=timezone.now())
    part = client.get(f"{page_of(version)}progress/", headers=HTMX)
    assert 'value="25"' in part.text
    assert "HX-Refresh" not in part
    profiles.reckoned(version)
    part = client.get(f"{page_of(version)}progress/")
    assert part["HX-Refresh"] == "true"


def test_two_versions_are_compared(mona: Player, max_: Player) -> None:
    first = profiles.published(mona, max_, profiles.draft(mona, "blackjack"))
    draft = drafts.begin_draft(mona, first.pk, reason="x", now=timezone.now())
    draft = profiles.change(mona, draft, hit_soft_17=True)
    client = client_of(mona)
    page = client.get(f"{page_of(draft)}compare/?before={first.pk}&after={draft.pk}").text
    assert "Dealer on soft 17" in page
    assert "Players win less often." in page
    other = profiles.draft(mona, name="Another")
    for pair in (f"before={first.pk}&after={other.pk}", "before=x&after=", f"before={'9' * 30}"):
        answer = client.get(f"{page_of(draft)}compare/?{pair}")
        assert answer.status_code == 200
        assert "Dealer on soft 17" not in answer.text


def test_the_hands_of_a_version_are_found(house: House, mona: Player, max_: Player) -> None:
    version = profiles.published(mona, max_, profiles.draft(mona))
    house.now = timezone.now() + timedelta(seconds=1)
    table = profiles.following(house.table("doudizhu"), version.profile)
    for number, name in enumerate(("alice", "bob", "carol"), 1):
        house.sit(house.player(name), table, number)
    house.until(table, lambda table: Hand.objects.count() == 1)
    client = client_of(mona)
    page = client.get(page_of(version)).text
    address = f"/admin/games/hand/?profile_version__id__exact={version.pk}"
    assert address in page
    assert "1 hand<" in page
    assert Hand.objects.get().code in client.get(address).text
