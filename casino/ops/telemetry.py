"""Errors for Sentry and traces for OpenTelemetry, each by one setting; else nothing is loaded.

Both are optional packages (`extras.txt`). Neither gets a word of a user, an address, a player or a
card: an error is the line that the log has, with its traceback and without values of variables; a
trace has URL patterns, names of tasks, and statements without their parameters.
"""

import logging
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any, Final

from celery.signals import task_postrun, task_prerun
from django.conf import settings
from django.db.backends.signals import connection_created
from django.http import HttpRequest
from django.http.response import HttpResponseBase

from casino.ops.log_lines import redacted
from casino.ops.running_code import running_code

# What an error keeps of an event of Sentry; requests, users and environments are left out.
KEPT: Final = frozenset(
    ("event_id", "exception", "level", "logentry", "logger", "platform", "release", "timestamp")
)
STATEMENT_MAX: Final = 1_000
NAME: Final = "card-room"


class _Tracing:
    """The tracer of this process, if it has one."""

    tracer: Any = None
    # The open spans of tasks, by their ids.
    tasks: Final[dict[str, Any]] = {}


def start() -> None:
    """Begin, once a process, with what the settings name."""
    if settings.SENTRY_DSN:
        report_to(settings.SENTRY_DSN)
    if settings.OTLP_ENDPOINT:
        from opentelemetry.exporter.otlp.proto.http.trace_exporter import (  # noqa: PLC0415
            OTLPSpanExporter,
        )
        from opentelemetry.sdk.trace.export import BatchSpanProcessor  # noqa: PLC0415

        address = f"{settings.OTLP_ENDPOINT.rstrip('/')}/v1/traces"
        trace_to(BatchSpanProcessor(OTLPSpanExporter(endpoint=address)))


def report_to(dsn: str, **given: Any) -> None:
    """Send each error of the log to Sentry."""
    import sentry_sdk  # noqa: PLC0415 - optional
    from sentry_sdk.integrations.excepthook import ExcepthookIntegration  # noqa: PLC0415
    from sentry_sdk.integrations.logging import LoggingIntegration  # noqa: PLC0415
    from sentry_sdk.integrations.threading import ThreadingIntegration  # noqa: PLC0415

    sentry_sdk.init(
        dsn,
        release=f"{NAME}@{running_code().version}",
        default_integrations=False,
        auto_enabling_integrations=False,
        integrations=[
            LoggingIntegration(level=None, event_level=logging.ERROR),
            ExcepthookIntegration(),
            ThreadingIntegration(),
        ],
        before_send=safe_event,
        max_breadcrumbs=0,
        max_request_body_size="never",
        include_local_variables=False,
        include_source_context=False,
        send_default_pii=False,
        **given,
    )


def safe_event(event: Any, _hint: object = None) -> Any:
    """An event with nothing but the error, redacted as a line of the log is."""
    return {name: _safe(part) for name, part in event.items() if name in KEPT}


def _safe(part: Any) -> Any:
    if isinstance(part, str):
        return redacted(part)
    if isinstance(part, Mapping):
        return {name: _safe(value) for name, value in part.items() if name != "vars"}
    if isinstance(part, list | tuple):
        return [_safe(value) for value in part]
    return part


def trace_to(processor: Any) -> None:
    """Hand the spans of requests, tasks and statements to a processor."""
    from opentelemetry.sdk.resources import Resource  # noqa: PLC0415 - optional
    from opentelemetry.sdk.trace import TracerProvider  # noqa: PLC0415

    version = running_code().version
    resource = Resource.create({"service.name": NAME, "service.version": version})
    provider = TracerProvider(resource=resource)
    provider.add_span_processor(processor)
    _Tracing.tracer = provider.get_tracer(NAME)
    connection_created.connect(watch, dispatch_uid="casino.ops.telemetry")
    task_prerun.connect(_task_begins, weak=False, dispatch_uid="casino.ops.telemetry.begins")
    task_postrun.connect(_task_ends, weak=False, dispatch_uid="casino.ops.telemetry.ends")


def stop() -> None:
    """Trace nothing more in this process."""
    _Tracing.tracer = None
    connection_created.disconnect(dispatch_uid="casino.ops.telemetry")
    task_prerun.disconnect(dispatch_uid="casino.ops.telemetry.begins")
    task_postrun.disconnect(dispatch_uid="casino.ops.telemetry.ends")


def requests(
    get_response: Callable[[HttpRequest], HttpResponseBase],
) -> Callable[[HttpRequest], HttpResponseBase]:
    """Middleware: a span for each request, by its URL pattern."""

    def respond(request: HttpRequest) -> HttpResponseBase:
        if _Tracing.tracer is None:
            return get_response(request)
        method = str(request.method)
        with _Tracing.tracer.start_as_current_span(method) as span:
            response = get_response(request)
            matched = request.resolver_match
            route = matched.route if matched else ""
            span.update_name(f"{method} /{route}")
            span.set_attributes(
                {
                    "http.request.method": method,
                    "http.route": f"/{route}",
                    "http.response.status_code": response.status_code,
                }
            )
            return response

    return respond


def watch(connection: Any, **_signal: object) -> None:
    """Have a connection's statements traced."""
    if _statement not in connection.execute_wrappers:
        connection.execute_wrappers.append(_statement)


def _statement(
    execute: Callable[..., Any], sql: str, given: Any, many: bool, context: Mapping[str, Any]
) -> Any:
    """A span for a statement within a request or a task."""
    from opentelemetry.trace import get_current_span  # noqa: PLC0415 - optional

    if _Tracing.tracer is None or not get_current_span().is_recording():
        return execute(sql, given, many, context)
    said = {
        "db.system.name": context["connection"].vendor,
        "db.query.text": redacted(sql[:STATEMENT_MAX]),
    }
    with _Tracing.tracer.start_as_current_span(sql.split(" ", 1)[0][:20], attributes=said):
        return execute(sql, given, many, context)


@contextmanager
def _task_span(name: str) -> Iterator[None]:
    with _Tracing.tracer.start_as_current_span(name):
        yield


def _task_begins(task_id: str = "", task: Any = None, **_signal: object) -> None:
    if _Tracing.tracer is not None:
        span = _task_span(str(getattr(task, "name", task)))
        span.__enter__()
        _Tracing.tasks[task_id] = span


def _task_ends(task_id: str = "", **_signal: object) -> None:
    span = _Tracing.tasks.pop(task_id, None)
    if span is not None:
        span.__exit__(None, None, None)
