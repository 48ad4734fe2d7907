"""
Books as a platform, with the tools of the protocol at /usp/mcp. The platform needs an API key of the business, which
`npm run usp -- clients add NAME` prints:

    USP_API_KEY=usk_… python as_platform.py http://127.0.0.1:8080/usp/mcp https://platform.example/profile.json

The second address is the address of the profile of the platform. docs/platforms.md describes profiles.
"""

import os
import sys
from datetime import date, timedelta
from uuid import uuid4

import anyio
import httpx2
from mcp import Client
from mcp.client.streamable_http import streamable_http_client

BUYER = {"first_name": "Rosa", "last_name": "Díaz", "email": "rosa@example.com", "phone_number": "+12125550143"}


async def main(address: str, profile: str) -> None:
    key = {"authorization": f"Bearer {os.environ['USP_API_KEY']}"}
    async with (
        httpx2.AsyncClient(headers=key, timeout=30) as http,
        Client(streamable_http_client(address, http_client=http)) as client,
    ):

        async def call(tool: str, *, more: dict = {}, **arguments) -> dict:
            """Each call names the profile of the platform."""
            meta = {"usp": {"profile": profile, **more}}
            answer = (await client.call_tool(tool, {**arguments, "_meta": meta})).structured_content
            # If a rule of the business forbids the call, the answer has the reason. If the server cannot process the
            # call, call_tool raises an error.
            for message in answer.get("messages", []):
                if message["type"] == "error":
                    raise RuntimeError(message["content"])
            return answer

        async def change(tool: str, **arguments) -> dict:
            """A change has an idempotency key. With it the server recognizes a repeated call."""
            return await call(tool, more={"idempotency_key": str(uuid4())}, **arguments)

        services = (await call("usp_services_list", query="haircut"))["services"]
        service_id = services[0]["id"]
        start, end = (str(date.today() + timedelta(days=days)) for days in (1, 14))
        found = await call("usp_availability_query", service_id=service_id, start_date=start, end_date=end)
        slot = {"service_id": service_id, "slot_id": found["slots"][0]["id"]}
        hold = (await change("usp_availability_hold", **slot))["hold"]
        booking = (await change("usp_bookings_create", **slot, hold_id=hold["id"], buyer=BUYER))["booking"]
        print(f"Booked: {booking['id']}, {booking['status']}")


anyio.run(main, *sys.argv[1:])
