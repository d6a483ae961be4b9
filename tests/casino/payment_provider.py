"""A provider of payments on this machine: it answers the library of Stripe as Stripe does."""

import hashlib
import hmac
import json
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, urlsplit

SECRET = "whsec_of_the_tests"


class PaymentProvider:
    """Sessions, refunds and disputes, and what is wrong with the provider now."""

    def __init__(self) -> None:
        self.address = ""
        self.clear()

    def clear(self) -> None:
        self.sessions: dict[str, dict[str, Any]] = {}
        self.refunds: dict[str, dict[str, Any]] = {}
        self.disputes: dict[str, dict[str, Any]] = {}
        self.answers: dict[str, dict[str, Any]] = {}
        # The statuses of the next answers, such as 500; and whether an answer is lost on its way.
        self.away = False
        self.loses_answers = False
        self.declines = ""
        self.refunds_are = "succeeded"

    def pay(self, reference: str, *, amount: int | None = None, currency: str = "") -> None:
        session = self.sessions[reference]
        session.update(payment_status="paid", status="complete")
        session["amount_total"] = session["amount_total"] if amount is None else amount
        session["currency"] = currency or session["currency"]

    def dispute(self, reference: str, status: str = "needs_response") -> dict[str, Any]:
        """The payer has the bank take the payment back, or the bank has decided."""
        session, name = self.sessions[reference], f"dp_{reference}"
        self.disputes[name] = {
            "id": name,
            "object": "dispute",
            "amount": session["amount_total"],
            "currency": session["currency"],
            "status": status,
            "payment_intent": {
                "id": session["payment_intent"],
                "object": "payment_intent",
                "metadata": {"card_room_payment": session["client_reference_id"]},
            },
            "created": int(time.time()),
        }
        return self.disputes[name]

    def expire(self, reference: str) -> None:
        self.sessions[reference]["status"] = "expired"

    def event(
        self, thing: dict[str, Any], *, secret: str = SECRET, age: int = 0, kind: str = "x"
    ) -> tuple[bytes, dict[str, str]]:
        """A message about a session or a refund, signed as the provider signs it."""
        body = json.dumps(
            {"id": "evt_1", "object": "event", "type": kind, "data": {"object": thing}}
        )
        at = int(time.time()) - age
        signature = hmac.new(secret.encode(), f"{at}.{body}".encode(), hashlib.sha256).hexdigest()
        return body.encode(), {"Stripe-Signature": f"t={at},v1={signature}"}

    def answer(self, method: str, path: str, given: dict[str, str], key: str) -> tuple[int, Any]:
        if self.away:
            return 503, {"error": {"type": "api_error", "message": "away"}}
        if self.declines and method == "POST":
            return 400, {"error": {"type": "invalid_request_error", "message": self.declines}}
        if key in self.answers:
            return 200, self.answers[key]
        content = self._made(path, given) if method == "POST" else self._read(path)
        if content is None:
            return 404, {"error": {"type": "invalid_request_error", "message": "no such thing"}}
        if key:
            self.answers[key] = dict(content)
        return (500, {"error": {"type": "api_error"}}) if self.loses_answers else (200, content)

    def _made(self, path: str, given: dict[str, str]) -> dict[str, Any] | None:
        now = int(time.time())
        if path == "/v1/checkout/sessions":
            name = f"cs_{len(self.sessions) + 1}"
            self.sessions[name] = {
                "id": name,
                "object": "checkout.session",
                "client_reference_id": given["client_reference_id"],
                "amount_total": int(given["line_items[0][price_data][unit_amount]"]),
                "currency": given["line_items[0][price_data][currency]"],
                "payment_status": "unpaid",
                "status": "open",
                "payment_intent": f"pi_{name}",
                "url": f"https://checkout.example/{name}",
                "created": now,
            }
            return self.sessions[name]
        if path == "/v1/refunds":
            name = f"re_{len(self.refunds) + 1}"
            self.refunds[name] = {
                "id": name,
                "object": "refund",
                "payment_intent": given["payment_intent"],
                "amount": int(given["amount"]),
                "currency": self.sessions[given["payment_intent"].removeprefix("pi_")]["currency"],
                "status": self.refunds_are,
                "metadata": {"card_room_payment": given["metadata[card_room_payment]"]},
                "created": now,
            }
            return self.refunds[name]
        return None

    def _read(self, path: str) -> dict[str, Any] | None:
        for base, things in (
            ("/v1/checkout/sessions", self.sessions),
            ("/v1/refunds", self.refunds),
            ("/v1/disputes", self.disputes),
        ):
            if path == base:
                rows = list(reversed(things.values()))
                return {"object": "list", "url": base, "has_more": False, "data": rows}
            if path.startswith(f"{base}/"):
                return things.get(path.rpartition("/")[2])
        return None


@contextmanager
def payment_provider() -> Iterator[PaymentProvider]:
    provider = PaymentProvider()

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            self._answer("GET", {})

        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers.get("Content-Length") or 0)).decode()
            self._answer("POST", {name: some[0] for name, some in parse_qs(body).items()})

        def _answer(self, method: str, given: dict[str, str]) -> None:
            path = urlsplit(self.path).path
            key = self.headers.get("Idempotency-Key", "") if method == "POST" else ""
            status, content = provider.answer(method, path, given, key)
            body = json.dumps(content).encode()
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_words: object) -> None:
            """Say nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    provider.address = f"http://127.0.0.1:{server.server_address[1]}"
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield provider
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
