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

it("records accept new words for every list, except for the kind that decides where a record is found", () => {
  const closed = records.flatMap(({ name, schema }) => closedLists(schema, name));
  // Each decides where its record is found.
  const meant = ["disqualified-officer.kind", "person-with-significant-control.kind"];
  const remedies = closed
    .filter((path) => !meant.includes(path))
    .map(
      (path) =>
        `${path}: an enum refuses records with a new word; use enumerationSchema("…"), or growingList({ enum: […] }) for ` +
        "a list that is in no enumeration, both of api/shared/values/enumerations.ts",
    );
  expect(remedies).toEqual([]);
  expect(closed).toEqual(expect.arrayContaining(meant));
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

const [company] = readSamples("api-shaped/company-profile.jsonl") as [IncomingResource];
const [charge] = readSamples("api-shaped/charges.jsonl");
const [officer] = readSamples("streams/officers.ndjson");
const [registers] = readSamples("api-shaped/registers.jsonl");
const [establishments] = readSamples("api-shaped/uk-establishments.jsonl");
const [disqualified] = readSamples("streams/disqualified-officers.ndjson");
const secure = readSamples("streams/persons-with-significant-control.ndjson").find(({ kind }) =>
  kind.includes("supersecure"),
);

describe("a new word is kept as it is, with one warning", () => {
  it.each([
    [companyRecord, company, "type"],
    [companyRecord, company, "subtype"],
    [companyRecord, company, "company_status"],
    [companyRecord, company, "company_status_detail"],
    [companyRecord, company, "jurisdiction"],
    [companyRecord, company, "partial_data_available"],
    [companyRecord, company, "accounts.last_accounts.type"],
    [companyRecord, company, "foreign_company_details.accounting_requirement.foreign_account_type"],
    [chargeRecord, charge, "status"],
    [chargeRecord, charge, "assets_ceased_released"],
    [appointmentRecord, officer, "officer_role"],
    [appointmentRecord, officer, "identification.identification_type"],
    [registersRecord, registers, "registers.directors.items.0.register_moved_to"],
    [ukEstablishmentsRecord, establishments, "items.0.company_status"],
    [disqualifiedOfficerRecord, disqualified, "disqualifications.0.disqualification_type"],
    [disqualifiedOfficerRecord, disqualified, "disqualifications.0.reason.act"],
    [disqualifiedOfficerRecord, disqualified, "disqualifications.0.reason.description_identifier"],
    [pscRecord, secure, "description"],
  ] as [RecordDefinition, IncomingResource, string][])("%#", (record, resource, path) => {
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
