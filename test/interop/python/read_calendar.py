"""Reads a calendar file with icalendar from the standard input, and prints its events as JSON."""

import json
import sys

from icalendar import Calendar

calendar = Calendar.from_ical(sys.stdin.buffer.read())
# icalendar lists lines that it cannot read, and continues.
faults = [fault for component in calendar.walk() for fault in component.errors]


def instant(event, name: str) -> str:
    return event.decoded(name).strftime("%Y-%m-%dT%H:%M:%SZ")


def event_of(event) -> dict:
    texts = {name: str(event[name]) for name in ("uid", "summary", "description", "location", "status") if name in event}
    return {**texts, "sequence": int(event["sequence"]), "start": instant(event, "dtstart"), "end": instant(event, "dtend")}


print(json.dumps({"faults": faults, "events": [event_of(event) for event in calendar.walk("VEVENT")]}))
