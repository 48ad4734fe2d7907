"""
Books at the protocol's own tools, as a platform that the business gave an API key (`npm run usp -- clients add NAME`):

    USP_API_KEY=usk_… python as_platform.py http://127.0.0.1:8080/usp/mcp https://platform.example/profile.json

The second address is that of the platform's profile: docs/platforms.md says what is in it.
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
            """Each call says whose profile holds."""
            meta = {"usp": {"profile": profile, **more}}
            answer = (await client.call_tool(tool, {**arguments, "_meta": meta})).structured_content
            # What the business says no to is an answer too; what it cannot process was raised.
            for message in answer.get("messages", []):
                if message["type"] == "error":
                    raise RuntimeError(message["content"])
            return answer

        async def change(tool: str, **arguments) -> dict:
            """A change has a key, by which a retry is known."""
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
