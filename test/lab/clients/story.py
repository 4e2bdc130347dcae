"""The story of docs/guides/quick-start.md with a client that openapi-python-client generated: one order from draft to a live number.

The desk's part is played with plain requests, because an operator works in the console. Prints what it saw as JSON.
"""

import datetime
import io
import json
import os
import sys
import time

import httpx

sys.path.insert(0, os.getcwd())

from porting_client import AuthenticatedClient
from porting_client.api.events import list_porting_events
from porting_client.api.letters_of_authorization import get_loa, sign_loa
from porting_client.api.numbers import get_number
from porting_client.api.porting_orders import (
    create_porting_order,
    get_porting_order,
    get_porting_order_readiness,
    submit_porting_order,
)
from porting_client.api.requirements import update_porting_order_requirement
from porting_client.models import (
    CreatePortingOrderRequest,
    ListPortingEventsOrder,
    Number,
    NumberActivatedPayload,
    Problem,
    SignLoaRequest,
    UpdatePortingOrderRequirementFilesBody,
    UpdatePortingOrderRequirementRequest,
)
from porting_client.types import File

NUMBER = os.environ["PHONE_NUMBER"]
VALUES = {
    "entity_name": "Acme Dental LLC",
    "auth_person_name": "Grace Hopper",
    "service_address": "350 5th Ave Suite 300\nNew York\nNY 10118\nUS",
    "account_number": "8772-114-90210",
    "billing_phone_number": NUMBER,
}
PATIENCE_S = 30

client = AuthenticatedClient(
    base_url=os.environ["API_URL"], token=os.environ["API_KEY"], raise_on_unexpected_status=True
)
desk = httpx.Client(
    base_url=os.environ["DESK_URL"],
    headers={"Authorization": f"Bearer {os.environ['DESK_TOKEN']}"},
)


def until(condition, what):
    """Waits for something that follows by itself, and returns it."""
    deadline = time.monotonic() + PATIENCE_S
    while time.monotonic() < deadline:
        found = condition()
        if found:
            return found
        time.sleep(0.1)
    raise TimeoutError(what)


def read():
    return get_porting_order.sync(order_id, client=client)


def put(slug, value):
    body = UpdatePortingOrderRequirementRequest(field_value=value)
    return update_porting_order_requirement.sync(order_id, slug, client=client, body=body)


def is_ready():
    return get_porting_order_readiness.sync(order_id, client=client).ready


def decide(decision):
    """Decides every requirement under review, once the case is open."""

    def case():
        answer = desk.get(f"/desk/v1/reviews/{order_id}")
        return answer.json() if answer.is_success and answer.json()["state"] == "open" else None

    under_review = [
        one["slug"]
        for one in until(case, "a case at the desk")["requirements"]
        if one["status"] == "requirement-info-under-review"
    ]
    desk.post(f"/desk/v1/reviews/{order_id}/decision", json=decision(under_review)).raise_for_status()


seen = {}

# A number that is none: the problem says where, and what.
refused = create_porting_order.sync(
    client=client, body=CreatePortingOrderRequest(phone_numbers=["+1"])
)
assert isinstance(refused, Problem), refused
seen["refused"] = [refused.code, refused.errors[0].code, refused.errors[0].pointer]

created = create_porting_order.sync(
    client=client,
    body=CreatePortingOrderRequest(phone_numbers=[NUMBER], customer_reference="first port"),
)
order_id = created.data[0].id
seen["draft"] = [created.data[0].status, is_ready()]

for slug, value in VALUES.items():
    put(slug, value)

letter = get_loa.sync_detailed(order_id, client=client).content
seen["letter"] = letter[:5].decode()
update_porting_order_requirement.sync(
    order_id,
    "invoice",
    client=client,
    body=UpdatePortingOrderRequirementFilesBody(
        file=File(payload=io.BytesIO(letter), file_name="invoice.pdf", mime_type="application/pdf"),
        document_date=datetime.datetime.now(datetime.timezone.utc),
    ),
)
signed = sign_loa.sync(
    order_id, client=client, body=SignLoaRequest(signer_name="Grace Hopper", consent=True)
)
seen["signed"] = len(signed.sha256)
until(is_ready, "readiness")
seen["submitted"] = submit_porting_order.sync(order_id, client=client).status

rejection = {"slug": "account_number", "decision": "reject", "reason": "Not as on the invoice."}
decide(lambda slugs: {"decisions": [rejection]})
rejected = until(lambda: (o := read()).status == "rejection" and o, "the rejection")
seen["rejected"] = [rejected.next_action.action, rejected.exceptions[0].detail]
put("account_number", "8772-114-90211")
submit_porting_order.sync(order_id, client=client)
decide(
    lambda slugs: {
        "confirm": True,
        "decisions": [{"slug": slug, "decision": "approve"} for slug in slugs],
    }
)
until(lambda: read().status == "completed", "completion")
number = until(
    lambda: isinstance(n := get_number.sync(NUMBER, client=client), Number) and n, "the number"
)
seen["number"] = number.status


def activation():
    feed = list_porting_events.sync(
        client=client, order=ListPortingEventsOrder.ASC, porting_order_id=order_id
    )
    return next((event for event in feed.data if event.type_ == "number.activated"), None)


event = until(activation, "its event")
payload = NumberActivatedPayload.from_dict(event.payload.to_dict())
seen["event"] = [event.type_, payload.phone_number, payload.number_type]
print(json.dumps(seen))
