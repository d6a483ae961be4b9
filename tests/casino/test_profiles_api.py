"""Profiles for programs of staff: what they read, and who reads it."""

import pytest

from casino.accounts.models import Player
from casino.accounts.staff import PERMISSIONS, appoint, grants
from games.models import ProfileVersion
from games.profiles import drafts
from games.profiles.drafts import VIEW
from tests.games import profiles
from tests.games.house import House
from tests.people import client_of

pytestmark = pytest.mark.django_db
LIST = "/api/v1/profiles/"


@pytest.fixture
def version() -> ProfileVersion:
    """A published version, with a draft on top of it."""
    mona, max_ = profiles.manager("mona"), profiles.manager("max")
    first = profiles.published(mona, max_, profiles.draft(mona))
    profiles.following(House().table("doudizhu"), first.profile)
    drafts.begin_draft(mona, first.pk, reason=profiles.WHY, now=first.made_at)
    return first


@pytest.mark.always
def test_a_program_reads_what_the_page_shows(version: ProfileVersion) -> None:
    client = client_of(Player.objects.get(username="mona"))
    (profile,) = client.get(LIST).json()["profiles"]
    assert (profile["name"], profile["game"], profile["in_force"]) == ("Club rules", "doudizhu", 1)
    assert len(profile["tables"]) == 1
    assert client.get(LIST, {"game": "blackjack"}).json() == {"profiles": [], "next": None}
    whole = client.get(f"{LIST}{profile['id']}/").json()
    draft, published = whole["versions"]
    assert (draft["number"], draft["standing"]) == (2, "draft")
    assert published["standing"] == "in force"
    assert published["options"] == version.options
    assert published["figures"] == [{"key": "main", "mean": 0.01, "error": None, "samples": 0}]
    page = client.get(f"{LIST}{profile['id']}/", {"limit": 1}).json()
    assert [row["number"] for row in page["versions"]] == [page["next"]] == [2]
    after = client.get(f"{LIST}{profile['id']}/", {"before": page["next"]}).json()
    assert ([row["number"] for row in after["versions"]], after["next"]) == ([1], None)
    assert client.get(f"{LIST}{10**30}/").json()["code"] == "no_such_profile"


@pytest.mark.parametrize("group", ["nobody", "players", *PERMISSIONS])
def test_profiles_are_read_by_who_sees_their_pages(version: ProfileVersion, group: str) -> None:
    sam = Player.objects.create_user("sam")
    if group in PERMISSIONS:
        appoint(sam, group)
    may = group in PERMISSIONS and grants(group, VIEW)
    client = client_of(Player.objects.get(pk=sam.pk))
    if group == "nobody":
        client.logout()
    due = 200 if may else 401 if group == "nobody" else 403
    for path in (LIST, f"{LIST}{version.profile_id}/"):
        assert client.get(path).status_code == due
        assert client.post(path).status_code == (405 if may or group != "nobody" else 401)
