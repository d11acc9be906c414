"""Reads every resource that the client chwrapper knows. Standard input: {base, key, calls: [[method, args, options]]}.

Prints a JSON object for each call: {method, status, body}. Uses the client's code unchanged; only the address that
it calls is set.
"""

import json
import sys

import chwrapper

order = json.load(sys.stdin)
client = chwrapper.Search(access_token=order["key"])
client._BASE_URI = order["base"] + "/"
for method, args, options in order["calls"]:
    response = getattr(client, method)(*args, **options)
    print(json.dumps({"method": method, "status": response.status_code, "body": response.json()}))
