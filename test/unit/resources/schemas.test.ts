import { expect, it } from "@jest/globals";
import { records } from "../../../api/resources/index.ts";

it.each(records.map((record) => [record.name, record] as const))(
  "the schema of a stored %s is sound, and no text is one",
  (_name, { check }) => {
    expect(check("no record")).toMatchObject({ field: "", reason: "must be object" });
  },
);
