"""
Books with the Python SDK. The client needs only the address of the server:

    python book.py http://127.0.0.1:8080/mcp            prints a link to a page; the person books there
    python book.py http://127.0.0.1:8080/mcp --sign-in  the person signs in first, then the client books
"""

import sys

import anyio
import httpx2
from mcp import Client
from mcp.client.streamable_http import streamable_http_client
from sign_in import sign_in


async def book_something(client: Client, person: dict | None) -> str:
    """Finds a service and a time, and books. A real assistant lets the person choose. This example takes the first ones."""

    async def call(tool: str, **arguments) -> dict:
        result = await client.call_tool(tool, arguments)
        # If the tool refused the call, its text has the reason.
        if result.is_error:
            raise RuntimeError(result.content)
        return result.structured_content

    if person:
        # This tool needs a person who signed in, so the client now asks the person to sign in.
        await call("my_bookings")
    services = (await call("find_services", query="haircut"))["services"]
    times = (await call("find_times", service_ids=[services[0]["service_id"]]))["times"]
    slot_id = times[0]["slots"][0]["slot_id"]
    if person:
        return (await call("book", slot_id=slot_id, person=person))["booking_id"]

    status = held = await call("book", slot_id=slot_id)
    print("Open", held["link"], flush=True)
    while status["state"] != "booked":
        if status["state"] == "lapsed":
            raise RuntimeError("The link was not opened in time.")
        await anyio.sleep(1)
        status = await call("booking_status", status_code=held["status_code"])
    return status["reference"]


async def main(address: str = "http://127.0.0.1:8080/mcp", how: str = "") -> None:
    signs_in = how == "--sign-in"
    async with (
        httpx2.AsyncClient(auth=sign_in(address) if signs_in else None, timeout=30) as http,
        Client(streamable_http_client(address, http_client=http)) as client,
    ):
        person = {"first_name": "Rosa", "last_name": "Díaz"} if signs_in else None
        print("Booked:", await book_something(client, person))


anyio.run(main, *sys.argv[1:])
