import { describe, expect, it } from "@jest/globals";
import { records } from "../../../api/resources/index.ts";
import { chargeRecord } from "../../../api/resources/charge/record.ts";
import { companyRecord } from "../../../api/resources/company-profile/record.ts";
import { disqualifiedOfficerRecord } from "../../../api/resources/disqualified-officer/record.ts";
import { appointmentRecord } from "../../../api/resources/officer-appointment/record.ts";
import { pscRecord } from "../../../api/resources/person-with-significant-control/record.ts";
import { registersRecord } from "../../../api/resources/registers/index.ts";
import { ukEstablishmentsRecord } from "../../../api/resources/uk-establishments/index.ts";
import type { RecordDefinition } from "../../../api/shared/definitions/define-record.ts";
import type { IncomingResource } from "../../../api/shared/definitions/incoming-resource.ts";
import { readWord } from "../../../api/shared/values/enumerations.ts";
import { isMembers, type Members } from "../../../api/shared/values/members.ts";
import { readSamples } from "../../support/incoming-samples.ts";

const NEW = "A new word/2";

/** The paths in a schema whose lists of words refuse every other word. */
function closedLists(schema: unknown, path: string): string[] {
  if (!isMembers(schema)) return [];
  const { properties, items, anyOf } = schema;
  const isClosed = Array.isArray(schema.enum);
  const forms = Array.isArray(anyOf) ? anyOf.filter(isMembers) : [];
  const isOpen = forms.some((form) => form.type === "string" && !form.enum && !form.pattern);
  return [
    ...(isClosed ? [path] : []),
    ...Object.entries(isMembers(properties) ? properties : {}).flatMap(([name, member]) =>
      closedLists(member, `${path}.${name}`),
    ),
    ...closedLists(items, path),
    ...(isOpen ? [] : forms.flatMap((form) => closedLists(form, path))),
  ];
}

it("every list of a record accepts new words, except the kinds that decide where a record is found", () => {
  const closed = records.flatMap(({ name, schema }) => closedLists(schema, name));
  const allowed = ["disqualified-officer.kind", "person-with-significant-control.kind"];
  const remedies = closed
    .filter((path) => !allowed.includes(path))
    .map(
      (path) =>
        `${path}: an enum refuses records with a new word; use enumerationSchema("…"), or growingList({ enum: […] }) for ` +
        "a list that is in no enumeration, both of api/shared/values/enumerations.ts",
    );
  expect(remedies).toEqual([]);
  expect(closed).toEqual(expect.arrayContaining(allowed));
});

it.each([
  ["a-word", "a-word", []],
  [" A-Word ", "a-word", []],
  [" New word ", "New word", ['status: "New word" is not on the list']],
  ["  ", "  ", ['status: "" is not on the list']],
  [7, 7, []],
])("the word %p is read as %p", (given, read, warned) => {
  const warnings: string[] = [];
  expect(readWord("status", given, new Set(["a-word"]), (warning) => warnings.push(warning))).toBe(read);
  expect(warnings).toEqual(warned);
});

/** The resource with a new word at a path. */
function withWord(resource: IncomingResource, path: string): IncomingResource {
  const data = structuredClone(resource.data);
  const names = path.split(".");
  const last = names.pop() ?? "";
  const place = names.reduce<Members>((members, name) => (members[name] ??= {}) as Members, data);
  place[last] = NEW;
  return { ...resource, data };
}

const firstOf = (file: string, part = "") => readSamples(file).find(({ kind }) => kind.includes(part))!;
const company = firstOf("api-shaped/company-profile.jsonl");
const charge = firstOf("api-shaped/charges.jsonl");
const officer = firstOf("streams/officers.ndjson");
const registers = firstOf("api-shaped/registers.jsonl");
const establishments = firstOf("api-shaped/uk-establishments.jsonl");
const disqualified = firstOf("streams/disqualified-officers.ndjson");
const superSecure = firstOf("streams/persons-with-significant-control.ndjson", "supersecure");

describe("a new word is kept as it is, with one warning", () => {
  const cases: [RecordDefinition, IncomingResource, ...paths: string[]][] = [
    [
      companyRecord,
      company,
      ...["type", "subtype", "company_status", "company_status_detail", "jurisdiction"],
      ...["partial_data_available", "accounts.last_accounts.type"],
      "foreign_company_details.accounting_requirement.foreign_account_type",
    ],
    [chargeRecord, charge, "status", "assets_ceased_released"],
    [appointmentRecord, officer, "officer_role", "identification.identification_type"],
    [registersRecord, registers, "registers.directors.items.0.register_moved_to"],
    [ukEstablishmentsRecord, establishments, "items.0.company_status"],
    [
      disqualifiedOfficerRecord,
      disqualified,
      "disqualifications.0.disqualification_type",
      "disqualifications.0.reason.act",
      "disqualifications.0.reason.description_identifier",
    ],
    [pscRecord, superSecure, "description"],
  ];
  const rows = cases.flatMap(([record, resource, ...paths]) =>
    paths.map((path) => ({ name: record.name, path, record, resource })),
  );

  it.each(rows)("in the member $path of a $name", ({ record, resource, path }) => {
    const warnings: string[] = [];
    const data = record.incoming?.normalise(withWord(resource, path), warnings);
    expect(record.check(data)).toBeNull();
    expect(data).toHaveProperty(path, NEW);
    expect(warnings).toEqual([`${path.replaceAll(".0", "")}: "${NEW}" is not on the list`]);
  });
});

it("a listed word in another letter case is read as the list has it", () => {
  const data = { ...company.data, company_status: " Active " };
  const warnings: string[] = [];
  expect(companyRecord.incoming?.normalise({ ...company, data }, warnings)).toHaveProperty(
    "company_status",
    "active",
  );
  expect(warnings).toEqual([]);
});
