"""Generates a client from /openapi.json with openapi-python-client, and reads all answers that links lead to.

Standard input: {base, key}. The walk starts with the examples of the document and with all companies. Prints a JSON
object for each answer: {operation, path, fault}. The fault is null if the client's object gives the same JSON again.
"""

import base64
import importlib
import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path
from urllib.parse import urlencode

order = json.load(sys.stdin)
folder = tempfile.TemporaryDirectory()
sys.path.insert(0, folder.name)
generate = [Path(sys.executable).parent / "openapi-python-client", "generate", "--url", order["base"] + "/openapi.json"]
options = ["--meta", "none", "--output-path", Path(folder.name) / "register_client"]
subprocess.run([*generate, *options], check=True, stdout=sys.stderr)
import register_client

token = base64.b64encode((order["key"] + ":").encode()).decode()
client = register_client.AuthenticatedClient(base_url=order["base"], token=token, prefix="Basic")
http = client.get_httpx_client()


def to_snake(words):
    return re.sub(r"(?<=[a-z])(?=[A-Z])|-", "_", words).lower()


def is_json(operation):
    return any("json" in media_type for media_type in operation["responses"]["200"]["content"])


def example_of(template, operation):
    given = {p["name"]: p for p in operation["parameters"] if "example" in p}
    path = re.sub(r"{(\w+)}", lambda match: given[match[1]]["example"], template)
    query = {name: p["example"] for name, p in given.items() if p["in"] == "query"}
    return path + ("?" + urlencode(query) if query else "")


def links_in(value, is_link=False):
    if isinstance(value, str):
        return [value] if is_link else []
    below = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else []
    return [link for name, member in below for link in links_in(member, is_link or name == "links")]


def read(operation, path):
    module = importlib.import_module(
        "register_client.api." + to_snake(operation["tags"][0]) + "." + to_snake(operation["operationId"])
    )
    response = http.get(path)
    if response.status_code == 404:
        return {}, None
    try:
        parsed = module._build_response(client=client, response=response).parsed
        isWhole = parsed.to_dict() == response.json()
        return response.json(), None if isWhole else "what is written is not what was read"
    except Exception as error:
        return response.json(), repr(error)


paths = http.get("/openapi.json").json()["paths"].items()
operations = [
    (re.compile(re.sub(r"{\w+}", "[^/]+", template)), template, methods["get"])
    for template, methods in paths
    if not template.startswith("/reconcile") and is_json(methods["get"])
]
waiting = [example_of(template, operation) for _pattern, template, operation in operations]
companies = http.get("/advanced-search/companies?size=500").json()["items"]
waiting += [company["links"]["company_profile"] for company in companies]
seen = set(waiting)
while waiting:
    path = waiting.pop()
    operation = next((o for pattern, _template, o in operations if pattern.fullmatch(path.split("?")[0])), None)
    if operation is None:
        continue
    body, fault = read(operation, path)
    print(json.dumps({"operation": operation["operationId"], "path": path, "fault": fault}))
    links = {link.split("#")[0] for link in links_in(body) if link.startswith("/")}
    waiting += links - seen
    seen |= links
