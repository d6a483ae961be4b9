"""Each verb of staff, played: each writes one entry with who, from where, before, after and why.

Those that move money, rights or cards are confirmed after a while away. The verbs are those that
are registered, so one that nothing in this file plays fails here; so does a list of the back office
that can be written to and does not write the journal.
"""

import re
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from copy import deepcopy
from io import StringIO
from typing import Any, Final

import pytest
from axes.models import AccessAttempt
from django.conf import settings
from django.contrib import admin
from django.core.cache import caches
from django.core.management import CommandError, call_command
from django.db import connection, transaction
from django.test import Client, RequestFactory, override_settings
from django.urls import get_resolver
from django.utils import timezone

from casino.accounts.models import Player
from casino.accounts.staff import appoint
from casino.office.frame.journal_words import Reader
from games.boards.table_version import VERSIONS
from games.records import audit_house
from games.shoes import anchors
from games.tables.table_cache import TABLE_CACHE
from tests.append_only import triggers_set_aside
from tests.games.edits_of_the_house import record_anew, record_as_it_is
from tests.games.evenings import Evening, played_once
from tests.games.house import House
from tests.games.staff_scene import ABOUT, OF_TESTS, WHY, Scene
from tests.games.staff_verbs import VERBS, change_table, open_cards, unlock
from tests.people import client_of
from wallets.audit.reconciliation import reconcile
from wallets.models import FIRST_HASH, Book, Transaction
from wallets.models.staff_models import HouseLimit, JournalEntry, Proposal
from wallets.office.journalled_admin import Journalled
from wallets.staff import approvals, journal
from wallets.staff.journal import ConfirmationNeeded
from wallets.values.days import day_of

WITHOUT_REASON: Final = {
    "hands.search_cards",
    "chatline.change",
    "accessattempt.delete",
    "silence.delete",
    "proposal.expire",
    "receipt.print",
    "player.look",
    "player.note",
    "complaint.take",
    "complaint.answer",
    "report.export",
    "shift.export",
    "hook.replay",
    "hook.show_secret",
    "report_mail.set",
}

# What has to be done before a verb, and is an entry as well.
BEFORE: Final = {
    "tournament.resume": "tournament.pause",
    "complaint.answer": "complaint.take",
    "house.discard": "house.draft",
    "house.publish": "house.draft",
}


def play(house: House) -> Scene:
    with override_settings(APPROVAL_JACKPOT=10**6):
        return Scene(house)


evening = played_once(play)


@pytest.fixture
def scene(tonight: Evening[Scene], house: House) -> Iterator[Scene]:
    with override_settings(APPROVAL_JACKPOT=10**6):
        yield tonight.made


def test_every_verb_is_played() -> None:
    # Pages register their verbs as their addresses are loaded.
    assert get_resolver().url_patterns
    assert {name for name in journal.verbs() if not name.startswith(OF_TESTS)} == set(VERBS)


def verbs_about(make: Any) -> list[str]:
    """The verbs that this part of a scene is made for, or those that need none."""
    if make:
        return [verb for verb in VERBS if verb.startswith(ABOUT[make])]
    return [verb for verb in VERBS if not verb.startswith(sum(ABOUT.values(), ()))]


@contextmanager
def tried(scene: Scene) -> Iterator[Scene]:
    """A copy of a scene, as a new process finds it; what is done in it is taken back."""
    caches["default"].clear()
    TABLE_CACHE.clear()
    VERSIONS.clear()
    settings.ANCHORS_FILE.unlink(missing_ok=True)
    with pytest.MonkeyPatch.context() as patch, transaction.atomic():
        copy = deepcopy(scene)
        patch.setattr(timezone, "now", lambda: copy.house.now)
        yield copy
        transaction.set_rollback(True)


@pytest.mark.always
@pytest.mark.parametrize("make", [None, *ABOUT], ids=lambda make: make and make.__name__)
def test_a_verb_is_confirmed_and_writes_one_entry(
    scene: Scene, make: Callable[[Scene], None] | None
) -> None:
    """Only what moves money, rights or cards asks a user who was away for a while to confirm."""
    if make:
        make(scene)
    for verb in verbs_about(make):
        confirmed = journal.verbs()[verb].confirmed
        # Cards are opened in a session of their own, which another test does.
        idle = in_browsers(verb) and verb != "hand.open_cards"
        if idle and confirmed:
            with tried(scene) as copy:
                copy.house.pass_time(11 * 60)
                waits_for_a_confirmation(copy, verb)
        with tried(scene) as copy, journal.request_of(due=idle and not confirmed):
            before = money_and_rights()
            writes_one_entry(copy, verb)
            assert confirmed or not in_browsers(verb) or money_and_rights() == before, verb


def waits_for_a_confirmation(scene: Scene, verb: str) -> None:
    before, entries = money_and_rights(), JournalEntry.objects.count()
    with journal.request_of(due=True), suppress(ConfirmationNeeded, AssertionError):
        VERBS[verb](scene)
    assert not JournalEntry.objects.filter(verb=verb, position__gt=entries).exists(), verb
    after = money_and_rights()
    assert (after["money"], after["rights"]) == (before["money"], before["rights"]), verb


def writes_one_entry(scene: Scene, verb: str) -> None:
    before = JournalEntry.objects.count()
    with described() as described_verbs:
        VERBS[verb](scene)
    # A live hand that is voided moves no money, and confirming it is no proposal's.
    assert verb not in approvals.registered() or verb in described_verbs, verb
    entry = JournalEntry.objects.filter(position__gt=before, verb=verb).get()
    others = JournalEntry.objects.filter(position__gt=before).exclude(
        verb__in=(verb, BEFORE.get(verb))
    )
    assert verb.startswith("proposal.") or all(
        other_verb.startswith("proposal.") for other_verb in others.values_list("verb", flat=True)
    ), verb
    expected = {
        "hand.open_cards": scene.auditor.username,
        "table.run": "flo",
        "proposal.expire": "house",
        "command:found": "manage.py found",
    }
    assert entry.actor_name == expected.get(verb, "boss"), verb
    assert all((entry.actor, entry.origin, entry.subject)), verb
    assert entry.before != entry.after, verb
    assert entry.reason == ("" if verb in WITHOUT_REASON else WHY), verb
    if verb not in AS_PRINTED:
        in_words(Reader([entry]).changes_of(entry), f"the journal's {verb}")


# What a reader does not have to know: times as programs write them, Python's words for yes and no,
# minor units, references, codes of warnings and names of columns.
RAW: Final = re.compile(
    r"[0-9]{4}-[0-9]{2}-[0-9]{2}|\b(?:True|False|None)\b|minor units|\b[a-z_]+:[0-9]+\b"
    r"|\b[a-z]+\.[a-z_]+\b|\b[a-z]+_[a-z_]+\b"
)


# What a command has found is kept as the sentences that it printed.
AS_PRINTED: Final = {"command:audit"}
# Tables of tests are called after their games.
OF_TABLES: Final = re.compile(r"\b[a-z]+_[a-z]+ [0-9]+")


def in_words(lines: Iterable[Any], what: str) -> None:
    for line in lines:
        for text in (OF_TABLES.sub("", str(part)) for part in line):
            assert not RAW.search(text), f"{what} shows {text!r} as it is stored: {line}"


@contextmanager
def described() -> Iterator[set[str]]:
    """Each change that a second person could be shown is described, and read, as it is made."""
    described_verbs: set[str] = set()
    with pytest.MonkeyPatch.context() as patch:
        for verb in approvals.registered().values():
            patch.setattr(verb, "carry_out", describing(verb, verb.carry_out, described_verbs))
        yield described_verbs


def describing(
    verb: Any, carry_out: Callable[[Any], object], found: set[str]
) -> Callable[[Any], object]:
    def work(order: Any) -> object:
        wanted = journal.value_of(order.arguments)
        lines = verb.describe(wanted, journal.value_of(verb.state(wanted)))
        in_words(lines, f"the proposal {verb.name}")
        found.add(verb.name)
        return carry_out(order)

    return work


def in_browsers(verb: str) -> bool:
    """At the command line one has an account on the machine; what expires is the clock's."""
    return not verb.startswith("command:") and verb != "proposal.expire"


def money_and_rights() -> dict[str, Any]:
    """All that a verb must not change unless it is confirmed."""
    return {
        "money": Transaction.objects.count(),
        "limits": list(HouseLimit.objects.values_list()),
        "decided": list(Proposal.objects.order_by("pk").values_list("pk", "status", "checker")),
        "rights": sorted(
            Player.objects.values_list("pk", "is_staff", "is_superuser", "groups__name"), key=str
        ),
        "cards": JournalEntry.objects.filter(verb="hand.open_cards").count(),
    }


@pytest.mark.always
def test_every_list_that_is_written_to_is_journalled(db: None) -> None:
    """What a superuser may do to a list is what its verbs say, and nothing else."""
    request = RequestFactory().get("/admin/")
    request.user = Player.objects.create_superuser("boss")
    by_verbs_of_their_own = {
        "jackpot": {"add"},
        "table": {"add", "change"},
        "sharedhand": {"change"},
        "template": {"add"},
        "schedule": {"add"},
        # It leads to the form of an event, which stores a template.
        "tournament": {"add"},
    }
    for model, page in admin.site._registry.items():
        may = {
            "add": page.has_add_permission(request),
            "change": page.has_change_permission(request),
            "delete": page.has_delete_permission(request),
        }
        writes: set[str] = set(page.writes) if isinstance(page, Journalled) else set()
        name = str(model._meta.model_name)
        writes = by_verbs_of_their_own.get(name, writes)
        assert {what for what, allowed in may.items() if allowed} == writes, name


def test_a_change_names_each_changed_field(scene: Scene) -> None:
    change_table(scene)
    entry = JournalEntry.objects.get(verb="table.change")
    assert entry.subject == scene.table.reference
    assert (entry.before["status"], entry.after["status"]) == ("open", "closing")
    assert "name" not in entry.before | entry.after
    assert entry.origin == "192.0.2.7"


def test_a_form_without_a_reason_changes_nothing(scene: Scene) -> None:
    address = f"/admin/games/table/{scene.table.pk}/change/"
    answer = scene.browser.post(
        address, {"name": "Other", "status": "open", "overflow_max": 0, "reason": "  "}
    )
    assert "This field is required." in answer.text
    scene.table.refresh_from_db()
    assert scene.table.name != "Other"
    assert not JournalEntry.objects.exists()


@pytest.mark.always
def test_nothing_that_may_be_a_password_is_written(scene: Scene) -> None:
    attempt = AccessAttempt.objects.create(username="a secret", failures_since_start=5)
    scene.post(f"axes/accessattempt/{attempt.pk}/delete/", post="yes")
    assert "a secret" not in str(JournalEntry.objects.values_list())
    unlock(scene)
    assert JournalEntry.objects.latest("pk").before["player"] == f"player:{scene.alice.pk}"


@pytest.mark.always
@pytest.mark.parametrize(
    ("options", "said"),
    [
        ((), "required"),
        (("--by", "boss"), "required"),
        (("--why", WHY), "required"),
        (("--by", "nobody", "--why", WHY), "no member of staff"),
        (("--by", "alice", "--why", WHY), "no member of staff"),
        (("--by", "boss", "--why", " "), "Say why"),
    ],
)
def test_a_command_says_who_and_why(scene: Scene, options: tuple[str, ...], said: str) -> None:
    for command in ("export", "anchor", "reseal", "close_books"):
        with pytest.raises(CommandError, match=said):
            call_command(command, *options, stdout=StringIO())
    if "required" not in said:
        with pytest.raises(CommandError, match=said):
            call_command("audit", "--mend-days", *options, stdout=StringIO())
    assert not JournalEntry.objects.exists()


@pytest.mark.always
def test_a_command_that_only_reads_needs_nobody(scene: Scene) -> None:
    call_command("audit", "--boards", stdout=StringIO())
    with pytest.raises(CommandError):
        call_command("audit", "--mend-days", stdout=StringIO())
    assert not JournalEntry.objects.exists()


def test_an_anchor_finds_a_journal_that_was_computed_again(house: House) -> None:
    """Even where its book and the record of changes were computed again with it."""
    for number in range(2):
        journal.write(
            journal.HOUSE, "table.change", "table:1", before={}, after={"n": number}, reason="x"
        )
    anchors.anchor(house.now)
    assert list(audit_house.published(lambda done: None)) == []
    with triggers_set_aside(connection):
        previous = FIRST_HASH
        for entry in JournalEntry.objects.order_by("position"):
            entry.reason, entry.previous = "a forged one", previous
            entry.hash = previous = journal.hash_of(entry)
            entry.save()
        Book.objects.filter(name="journal").update(head=previous)
        assert {finding.check for finding in reconcile(everything=True)} >= {"record"}
        record_as_it_is(JournalEntry)
        record_anew()
    # The changes are not sealed anew, which takes the keys of the house.
    assert {finding.check for finding in reconcile(everything=True)} == {"verb"}
    text = " ".join(audit_house.published(lambda done: None))
    assert "2 of journal is not what it was" in text
    assert "of record is not what it was" in text


# The page


@pytest.fixture
def busy(scene: Scene) -> Scene:
    change_table(scene)
    open_cards(scene)
    scene.post(f"players/player/{scene.alice.pk}/freeze/")
    return scene


def shown(client: Client, **filters: Any) -> list[str]:
    page = client.get("/admin/journal/", filters)
    assert page.status_code == 200
    return [row.entry.verb for row in page.context["rows"]]


@pytest.mark.always
def test_the_journal_is_searched(busy: Scene) -> None:
    client = client_of(busy.auditor)
    assert shown(client) == ["player.freeze", "hand.open_cards", "table.change"]
    today = day_of(timezone.now()).isoformat()
    cases: list[tuple[dict[str, Any], list[str]]] = [
        ({"person": "boss"}, ["player.freeze", "table.change"]),
        ({"person": "ADA"}, ["hand.open_cards"]),
        ({"verb": "table.change"}, ["table.change"]),
        ({"subject": busy.hand.reference}, ["hand.open_cards"]),
        ({"subject": busy.table.reference, "person": "ada"}, []),
        ({"since": today, "until": today, "person": "ada"}, ["hand.open_cards"]),
        ({"until": "2020-01-01"}, []),
        ({"since": "2999-01-01"}, []),
        ({"until": "9999-12-31", "verb": "table.change"}, ["table.change"]),
        ({"before": 2}, ["table.change"]),
    ]
    for filters, verbs in cases:
        assert shown(client, **filters) == verbs, filters


def test_an_entry_is_read_in_words(busy: Scene) -> None:
    page = client_of(busy.auditor).get("/admin/journal/").text
    for words in ("Froze a player", "Opened all cards", "Changed: table", "192.0.2.7", WHY):
        assert words in page
    assert f"/admin/players/{busy.alice.pk}/file/" in page
    assert "open</del> → <ins" in page
    assert '<form method="post"' not in page.partition("<main")[2]


@pytest.mark.parametrize(
    "filters",
    [
        {"person": "nobody"},
        {"since": "yesterday"},
        {"verb": "table.burn"},
        {"subject": "x" * 65},
    ],
)
def test_a_filter_that_cannot_be_read_is_named(busy: Scene, filters: dict[str, str]) -> None:
    page = client_of(busy.auditor).get("/admin/journal/", filters)
    assert page.status_code == 200
    assert 'role="alert"' in page.text
    assert page.context["rows"] == []


@pytest.mark.always
def test_older_entries_are_on_further_pages(scene: Scene) -> None:
    boss = journal.by(scene.boss)
    for number in range(120):
        subject = f"table:{number % 2}"
        journal.write(boss, "table.change", subject, before={}, after={"n": number}, reason="x")
    client, address, seen = client_of(scene.auditor), "?subject=table:1", 0
    while address:
        page = client.get(f"/admin/journal/{address}")
        seen += len(page.context["rows"])
        address = page.context["older"]
    assert seen == 60


def test_who_reads_the_journal(scene: Scene) -> None:
    for group, status in (("auditors", 200), ("managers", 200), ("floor", 403)):
        member = scene.house.player(f"of-{group}", 0)
        appoint(member, group)
        client = client_of(Player.objects.get(pk=member.pk))
        assert client.get("/admin/journal/").status_code == status
        assert client.post("/admin/journal/", {}).status_code in (403, 405)
    assert client_of(scene.alice).get("/admin/journal/").status_code == 302


def test_the_history_of_a_row_is_in_the_journal(busy: Scene) -> None:
    answer = busy.browser.get(f"/admin/games/table/{busy.table.pk}/history/")
    assert answer["Location"] == f"/admin/journal/?subject={busy.table.reference}"
