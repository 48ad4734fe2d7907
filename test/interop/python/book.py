"""
Books and cancels with a client that openapi-python-client generated from the OpenAPI document.
http-message-signatures signs the calls. The arguments are the address of the server, the profile of the platform, and
the id of its key. The standard input has the key.
"""

import json
import sys
from datetime import date, timedelta
from types import SimpleNamespace
from uuid import uuid4

from http_message_signatures import HTTPMessageSigner, HTTPSignatureKeyResolver, algorithms
from usp.api.availability import query_availability
from usp.api.bookings import cancel_booking, create_booking
from usp.client import Client
from usp.models.cancel_booking_body import CancelBookingBody
from usp.models.create_booking_body import CreateBookingBody
from usp.models.query_availability_body import QueryAvailabilityBody

origin, profile, key_id = sys.argv[1:]
pem = sys.stdin.read().encode()
COMPONENTS = ("@method", "@authority", "@path", "usp-agent", "idempotency-key", "content-type")


class Key(HTTPSignatureKeyResolver):
    def resolve_private_key(self, key_id: str) -> bytes:
        return pem


def sign(request) -> None:
    signer = HTTPMessageSigner(signature_algorithm=algorithms.ECDSA_P256_SHA256, key_resolver=Key())
    message = SimpleNamespace(method=request.method, url=str(request.url), headers=request.headers)
    # The library adds the digest of the body, and signs it too.
    signer.sign(message, key_id=key_id, covered_component_ids=COMPONENTS, body=request.content)


def day(days: int) -> str:
    return str(date.today() + timedelta(days=days))


service = "svc_haircut"
query = QueryAvailabilityBody(service_id=service, start_date=day(2), end_date=day(9))
found = query_availability.sync(client=Client(origin), body=query)

buyer = {"first_name": "Alice", "last_name": "Williams", "email": "alice@example.com"}
body = CreateBookingBody.from_dict({"service_id": service, "slot_id": found.slots[0].id, "buyer": buyer})
signing = Client(origin, httpx_args={"event_hooks": {"request": [sign]}})
agent = f'profile="{profile}"'
booking = create_booking.sync(client=signing, body=body, usp_agent=agent, idempotency_key=str(uuid4())).booking
canceled = cancel_booking.sync(
    booking.id, client=signing, body=CancelBookingBody(), usp_agent=agent, idempotency_key=str(uuid4())
)
print(json.dumps({"id": booking.id, "statuses": [booking.status, canceled.booking.status]}))
