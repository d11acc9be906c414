"""Matches a column of names with `reconciler`, a reconciliation client by others.

Standard input: {endpoint, type, names, postcodes}. Prints each row of its table as a line of JSON:
{input_value, id, match, type_id}.
"""

import json
import sys

import pandas as pd
from reconciler import reconcile

order = json.load(sys.stdin)
names = pd.Series(order["names"])
postcodes = pd.Series(order["postcodes"])
table = reconcile(
    names,
    type_id=order["type"],
    top_res=1,
    property_mapping={"postal_code": postcodes},
    reconciliation_endpoint=order["endpoint"],
)
for row in table[["input_value", "id", "match", "type_id"]].fillna("").to_dict("records"):
    print(json.dumps(row))
