"""Reads event streams with `requests`, an HTTP client by others.

Standard input: {base, key, streams: {name: events}, timepoint}. Reads each stream from the timepoint. Closes the
connection after every second event, and opens it again after the last event. Prints a line for each event, and at the
end the number of heartbeats and the statuses of two refused requests: {heartbeats, refused: [status, status]}.
"""

import json
import sys

import requests

EVENTS_A_CONNECTION = 2
SILENT_SECONDS = 30

order = json.load(sys.stdin)
heartbeats = 0


def open_stream(name, timepoint, key=order["key"]):
    return requests.get(
        order["base"] + "/" + name,
        params={"timepoint": timepoint},
        auth=(key, ""),
        stream=True,
        timeout=SILENT_SECONDS,
    )


for name, count in order["streams"].items():
    timepoint, seen = order["timepoint"], 0
    while seen < count:
        with open_stream(name, timepoint) as response:
            response.raise_for_status()
            taken = 0
            for line in response.iter_lines(chunk_size=1):
                if not line:
                    heartbeats += 1
                    continue
                if taken == EVENTS_A_CONNECTION or seen == count:
                    break
                event = json.loads(line)
                print(json.dumps({"stream": name, **event}))
                timepoint = event["event"]["timepoint"] + 1
                taken, seen = taken + 1, seen + 1
                if seen == count:
                    break

name = next(iter(order["streams"]))
# Waits for a heartbeat of a stream without new events.
with open_stream(name, timepoint) as response:
    for line in response.iter_lines(chunk_size=1):
        heartbeats += not line
        break
refused = [open_stream(name, 10**12).status_code, open_stream(name, 0, "no-key").status_code]
print(json.dumps({"heartbeats": heartbeats, "refused": refused}))
