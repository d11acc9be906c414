import { expect, it } from "@jest/globals";
import { maskSecret } from "../../../scripts/commands/setup.ts";

it.each([
  ["", ""],
  ["a-bare-secret", "****"],
  ["http://127.0.0.1:9200", "http://127.0.0.1:9200"],
  ["https://elastic:pa55@search.example:9243/es", "https://****@search.example:9243/es"],
  [
    "mongodb://u:p%40s@a:27017,b:27017/register?replicaSet=r&tlsCertificateKeyFilePassword=x",
    "mongodb://****@a:27017,b:27017/register?****",
  ],
  ["redis://:p/a?s@s@cache:6379/1", "redis://****@cache:6379/1"],
])("shows %j as %j", (value, shown) => {
  expect(maskSecret(value)).toBe(shown);
});
