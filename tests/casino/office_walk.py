"""A walk through the office from its overview: by links, the search and forms alone."""

import re
from html.parser import HTMLParser
from typing import Any
from urllib.parse import urljoin

from django.test import Client

OVERVIEW = "/admin/"


class _Page(HTMLParser):
    """The links of a page, and its forms with what their fields would send."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.links: list[str] = []
        self.forms: list[dict[str, Any]] = []
        self._inside = False
        self._selects = ""
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        if tag == "a" and "href" in given:
            self.links.append(given["href"])
        elif tag == "form":
            self._inside = True
            self.forms.append({"to": given.get("action", ""), "by": given.get("method", "get")})
            self.forms[-1] |= {"values": {}, "names": set(), "buttons": {}}
        elif self._inside and "name" in given:
            self._field(tag, given)
        elif self._inside and tag == "option" and self._selects and "selected" in given:
            self.forms[-1]["values"][self._selects] = given.get("value", "")

    def _field(self, tag: str, given: dict[str, str]) -> None:
        values, name = self.forms[-1]["values"], given["name"]
        self._selects = name if tag == "select" else ""
        if tag == "button" or given.get("type") == "submit":
            self.forms[-1]["buttons"][name] = given.get("value", "")
            return
        self.forms[-1]["names"].add(name)
        if given.get("type") not in ("checkbox", "radio") or "checked" in given:
            values[name] = given.get("value", "")

    def handle_endtag(self, tag: str) -> None:
        if tag == "form":
            self._inside = False


class Walk:
    """One member of staff at work: counts clicks, and the pages that they look at."""

    def __init__(self, client: Client) -> None:
        self.client, self.clicks, self.pages = client, 0, 0
        self._get(OVERVIEW)

    def _get(self, address: str) -> None:
        answer = self.client.get(address, follow=True)
        assert answer.status_code == 200, (address, answer.status_code)
        self.at = answer.redirect_chain[-1][0] if answer.redirect_chain else address
        self.text, self.pages = getattr(answer, "text", ""), self.pages + 1

    def reads(self, *words: str) -> "Walk":
        for word in words:
            assert word in self.text, f"{word!r} is not on {self.at}"
        return self

    def open(self, pattern: str) -> "Walk":
        """Click the first link whose address fits."""
        links = [link for link in _Page(self.text).links if re.search(pattern, link)]
        assert links, f"no link to {pattern} on {self.at}"
        self.clicks += 1
        self._get(urljoin(self.at, links[0]))
        return self

    def find(self, typed: str, pattern: str = "") -> "Walk":
        """Ctrl-K, a name or number, and the first thing found that fits."""
        results = self.client.get("/admin/search/", {"s": typed, "extended": "1"}).context[
            "results"
        ]
        addresses = [result.address for result in results if re.search(pattern, result.address)]
        assert addresses, f"{typed!r} is not found"
        self.clicks += 1
        self._get(addresses[0])
        return self

    def again(self) -> "Walk":
        """The page as it refreshes itself, without a click."""
        self._get(self.at)
        return self

    def send(self, button: str = "", **fields: Any) -> "Walk":
        """Fill the form that has these fields, and press its button."""
        named = {name.replace("__", "-"): value for name, value in fields.items()}
        # The search in the frame of a page comes before the forms of the page itself.
        for form in reversed(_Page(self.text).forms):
            if named.keys() <= form["names"] and (not button or button in form["buttons"]):
                break
        else:
            raise AssertionError(f"no form with {list(named)} on {self.at}")
        sent = form["values"] | named
        if button:
            sent[button] = form["buttons"][button]
        address = urljoin(self.at, form["to"] or self.at)
        self.clicks += 1
        if form["by"] == "get":
            query = "&".join(f"{name}={value}" for name, value in sent.items())
            self._get(f"{address.split('?')[0]}?{query}")
            return self
        answer = self.client.post(address, sent, follow=True)
        assert answer.status_code == 200, (address, answer.status_code)
        errors = re.findall(r'role="alert">\s*([^<]+)', getattr(answer, "text", ""))
        assert answer.redirect_chain or answer.streaming or "attachment" in str(answer.headers), (
            address, sent, errors,
        )  # fmt: skip
        self.at = answer.redirect_chain[-1][0] if answer.redirect_chain else address
        self.text = "" if answer.streaming else answer.text
        self.pages += 1
        return self
