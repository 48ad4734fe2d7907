"""
Books with the Python SDK, from nothing but the address:

    python book.py http://127.0.0.1:8080/mcp            by a link on which the person books
    python book.py http://127.0.0.1:8080/mcp --sign-in  at once, for the person who signs in
"""

import sys

import anyio
import httpx2
from mcp import Client
from mcp.client.streamable_http import streamable_http_client
from sign_in import sign_in


async def book_something(client: Client, person: dict | None) -> str:
    """From a wish to a booking. A model reads the texts and chooses; here the first that comes is good enough."""

    async def call(tool: str, **arguments) -> dict:
        result = await client.call_tool(tool, arguments)
        # What a tool refuses is told in its text.
        if result.is_error:
            raise RuntimeError(result.content)
        return result.structured_content

    if person:
        # Whatever is of no use without somebody who signed in asks for it.
        await call("my_bookings")
    services = (await call("find_services", query="haircut"))["services"]
    times = (await call("find_times", service_ids=[services[0]["service_id"]]))["times"]
    slot_id = times[0]["slots"][0]["slot_id"]
    if person:
        return (await call("book", slot_id=slot_id, person=person))["booking_id"]

    told = kept = await call("book", slot_id=slot_id)
    print("Open", kept["link"], flush=True)
    while told["state"] != "booked":
        if told["state"] == "lapsed":
            raise RuntimeError("Nobody opened the link in time.")
        await anyio.sleep(1)
        told = await call("booking_status", status_code=kept["status_code"])
    return told["reference"]


async def main(address: str = "http://127.0.0.1:8080/mcp", how: str = "") -> None:
    signs_in = how == "--sign-in"
    async with (
        httpx2.AsyncClient(auth=sign_in(address) if signs_in else None, timeout=30) as http,
        Client(streamable_http_client(address, http_client=http)) as client,
    ):
        person = {"first_name": "Rosa", "last_name": "Díaz"} if signs_in else None
        print("Booked:", await book_something(client, person))


anyio.run(main, *sys.argv[1:])
