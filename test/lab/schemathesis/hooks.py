"""Gives some requests values that can succeed; random numbers and addresses are always refused."""

import datetime
import itertools
import os
import uuid

import schemathesis

OWN_KEY = os.environ.get("PORTING_KEY_ID")
NUMBER = os.environ.get("PORTING_NUMBER")
COUNTER = itertools.count()


def in_days(days):
    at = datetime.datetime.now(datetime.timezone.utc) + datetime.timedelta(days=days)
    return at.isoformat(timespec="milliseconds")


def new_order(body):
    for name in ("number_type", "losing_carrier", "foc_requested", "webhook_url"):
        body.pop(name, None)
    body["phone_numbers"] = [f"+1212555{next(COUNTER) % 10000:04d}"]


def endpoint(body):
    body["url"] = "http://127.0.0.1:9999/hook"


def recovery(body):
    body.pop("until", None)
    body["since"] = in_days(-1)


def port_out(body):
    body["phone_numbers"] = [NUMBER]
    body["requested_foc"] = in_days(7)


def sandbox_call(body):
    body["phone_number"] = NUMBER


LIKELY = {
    ("POST", "/v2/porting_orders"): new_order,
    ("POST", "/v2/webhook_endpoints"): endpoint,
    ("POST", "/v2/webhook_endpoints/{id}/recover"): recovery,
    ("POST", "/desk/v1/sandbox/port_outs"): port_out,
    ("POST", "/desk/v1/sandbox/calls"): sandbox_call,
}


@schemathesis.hook
def before_call(ctx, case, kwargs):
    method = case.method.upper()
    # Never revoke the run's own key: every later request would be refused.
    if (method, case.path) == ("DELETE", "/v2/api_keys/{id}"):
        if case.path_parameters.get("id") == OWN_KEY:
            case.path_parameters["id"] = str(uuid.UUID(int=0))
    make_likely = LIKELY.get((method, case.path))
    is_positive = case.meta is not None and case.meta.generation.mode.is_positive
    if make_likely and is_positive and isinstance(case.body, dict) and next(COUNTER) % 4 > 0:
        make_likely(case.body)
