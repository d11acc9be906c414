import { describe, expect, it } from "@jest/globals";
import { RecordError } from "../../../api/shared/runtime/errors.ts";
import type { RecordDefinition } from "../../../api/shared/definitions/define-record.ts";
import type { IncomingResource } from "../../../api/shared/definitions/incoming-resource.ts";
import { pscKinds } from "../../../api/resources/person-with-significant-control/kinds.ts";
import { pscRecord } from "../../../api/resources/person-with-significant-control/record.ts";
import { pscStatementRecord } from "../../../api/resources/psc-statement/index.ts";
import { apiJsonLines } from "../../../ingest/sources/api-json-lines.ts";
import { readSamples, storeAll, storeOne } from "../../support/incoming-samples.ts";

const persons = readSamples("streams/persons-with-significant-control.ndjson");
const statements = readSamples("streams/persons-with-significant-control-statements.ndjson");

function sampleOf(kind: string): IncomingResource {
  const found = persons.find((resource) => resource.kind === kind);
  if (!found) throw new Error(`no sample of ${kind}`);
  return found;
}

const STATEMENTS = "/company/99000001/persons-with-significant-control-statements";
const individual = sampleOf("company-psc-individual");
const corporate = sampleOf("company-psc-corporate");
const secure = sampleOf("company-psc-supersecure");

function changed(resource: IncomingResource, data: Record<string, unknown>): IncomingResource {
  return { ...resource, data: { ...resource.data, ...data } };
}

/** The data that would be stored, and the warnings. */
function normalise(resource: IncomingResource, record: RecordDefinition = pscRecord) {
  const warnings: string[] = [];
  const data = record.incoming?.normalise(resource, warnings);
  return { data, warnings };
}

function without(resource: IncomingResource, member: string): IncomingResource {
  const rest = Object.entries(resource.data).filter(([name]) => name !== member);
  return { ...resource, data: Object.fromEntries(rest) };
}

describe("API-shaped persons", () => {
  it("are of every kind in the sample, and are stored under the id of their link", () => {
    const stored = storeAll(pscRecord, persons);
    expect(new Set(stored.map(({ kind }) => kind))).toEqual(new Set(pscKinds.map(({ kind }) => kind)));
    expect(stored.map(({ _id }) => _id)).toEqual(persons.map(({ id }) => id));
    expect(stored.map(({ data }) => data.etag)).toEqual(persons.map(({ data }) => data.etag));
  });

  it("are known to the loader by their kinds", () => {
    const rows = persons.map(({ kind, uri, id, data }, index) => ({
      line: index + 1,
      text: JSON.stringify({ resource_kind: kind, resource_uri: uri, resource_id: id, data }),
    }));
    const records = apiJsonLines.mapRows(rows, {}).map((item) => item.kind === "record" && item.record);
    expect(new Set(records)).toEqual(new Set([pscRecord]));
  });

  it("may leave out kind and link, which the envelope has", () => {
    const bare = without(without(individual, "kind"), "links");
    expect(storeOne(pscRecord, bare)).toEqual(storeOne(pscRecord, individual));
  });

  it("may have the flag ceased of live lists, but not without the day", () => {
    const { data } = storeOne(pscRecord, changed(individual, { ceased: true }));
    expect(data).not.toHaveProperty("ceased");
    for (const ceased of [true, 1, "1", "true"])
      expect(() => storeOne(pscRecord, changed(without(individual, "ceased_on"), { ceased }))).toThrow(
        "ceased_on",
      );
  });

  it("may have a day of birth, which is stored in a member of its own, and numbers as texts", () => {
    const born = changed(individual, { date_of_birth: { day: "7", month: "10", year: "1986" } });
    expect(storeOne(pscRecord, born).data).toMatchObject({
      birth_day: 7,
      date_of_birth: { month: 10, year: 1986 },
    });
  });

  it.each([0, 9999, 2100])("lose an impossible year of birth, with a warning: %i", (year) => {
    const { data, warnings } = normalise(changed(individual, { date_of_birth: { month: 1, year } }));
    expect(data).not.toHaveProperty("date_of_birth");
    expect(warnings).toEqual([
      "date_of_birth.year left out: not a whole number from 1000 to 2099",
      "date_of_birth left out: has no year",
    ]);
  });

  it("have their texts on one line", () => {
    const { data } = storeOne(pscRecord, changed(corporate, { name: " A\r\n B\tLTD " }));
    expect(data.name).toBe("A B LTD");
  });

  it.each([
    [[""], undefined],
    [[" "], undefined],
    [["", "FCA"], ["FCA"]],
  ])("lose the empty items of a list %j", (anti_money_laundering_supervisory_bodies, expected) => {
    const details = { preferred_name: "A", anti_money_laundering_supervisory_bodies };
    const { data } = storeOne(pscRecord, changed(individual, { identity_verification_details: details }));
    expect(data.identity_verification_details?.anti_money_laundering_supervisory_bodies).toEqual(expected);
  });

  it("get a name made of its elements if only these are given", () => {
    expect(storeOne(pscRecord, without(individual, "name")).data.name).toBe("Mr Horatio James de la Muestra");
  });

  it.each(["1", 1, "true", true])("of the super-secure kind may have the flag ceased as %p", (ceased) => {
    const stored = storeOne(pscRecord, changed(secure, { ceased }));
    expect(stored).toMatchObject({ is_ceased: true, data: { ceased: true } });
  });

  it.each([individual, corporate, secure])(
    "do not take the id of the person from a source that states it: $kind",
    (resource) => {
      const notifications = `/persons-with-significant-control/${"p".repeat(27)}/notifications`;
      const stated = { persons_with_significant_control: { notifications } };
      const links = { ...(resource.data.links as Record<string, unknown>), ...stated };
      expect(storeOne(pscRecord, changed(resource, { links }))).toEqual(storeOne(pscRecord, resource));
      expect(normalise(changed(resource, { links })).warnings).toEqual([]);
    },
  );

  it("of the super-secure kind have not ceased without the flag", () => {
    const stored = storeOne(pscRecord, without(secure, "ceased"));
    expect(stored).toMatchObject({ is_ceased: false, data: { ceased: false } });
  });
});

describe("API-shaped persons lose with a warning", () => {
  it.each<[string, IncomingResource, Record<string, unknown>]>([
    ["nationality", corporate, { nationality: "British" }],
    ["name", secure, { name: "Nobody" }],
    ["is_sanctioned", individual, { is_sanctioned: true }],
    ["is_sanctioned", corporate, { is_sanctioned: true }],
  ])("the %s of another kind", (member, resource, data) => {
    const loaded = normalise(changed(resource, data));
    expect(loaded.data).toEqual(normalise(resource).data);
    expect(loaded.warnings).toEqual([`${member}: is not a member of this kind, ignored`]);
  });

  it.each<[string, IncomingResource, string, string]>([
    [
      "an impossible date",
      changed(individual, { notified_on: "2019-02-30" }),
      "notified_on",
      "not a valid date",
    ],
    ...["2100-01-01", "2918-04-06", "9999-12-31"].map((day): [string, IncomingResource, string, string] => [
      `a notification on ${day}`,
      changed(individual, { notified_on: day }),
      "notified_on",
      "too far in the future",
    ]),
    [
      "a date of birth without its month",
      changed(individual, { date_of_birth: { year: 1980 } }),
      "date_of_birth",
      "has no month",
    ],
    [
      "name elements without a surname",
      changed(individual, { name_elements: { title: "Mr" } }),
      "name_elements",
      "has no surname",
    ],
    [
      "a link to elsewhere",
      changed(individual, { links: { ...(individual.data.links as object), statement: "/elsewhere" } }),
      "statement_id",
      "is not a link of this kind",
    ],
    [
      "a link to a statement with an id of another form",
      changed(individual, { links: { ...(individual.data.links as object), statement: `${STATEMENTS}/x` } }),
      "statement_id",
      "is not a link of this kind",
    ],
  ])("%s", (_what, resource, member, reason) => {
    const { data, warnings } = normalise(resource);
    expect(pscRecord.check(data)).toBeNull();
    expect(data).not.toHaveProperty(member);
    expect(warnings).toEqual([expect.stringContaining(reason)]);
  });

  it.each(["/elsewhere", [], 5])("links that are %j", (links) => {
    const unlinked = normalise(without(individual, "links")).data;
    expect(normalise(changed(individual, { links }))).toEqual({
      data: unlinked,
      warnings: ["links: is not an object, dropped"],
    });
  });

  it("a description of another kind, which is replaced", () => {
    const { data, warnings } = normalise(changed(secure, { description: "super-secure-beneficial-owner" }));
    expect(data).toEqual(normalise(secure).data);
    expect(warnings).toEqual(["description: belongs to another kind, replaced"]);
  });
});

describe("API-shaped persons are refused", () => {
  it.each<[string, IncomingResource, string]>([
    ["a kind of another resource_kind", changed(individual, { kind: "individual-beneficial-owner" }), "kind"],
    ["another id", { ...individual, id: corporate.id }, "resource_id"],
    ["another company", { ...individual, uri: individual.uri.replace("99000001", "99000002") }, "links.self"],
  ])("for %s", (_what, resource, field) => {
    expect(() => storeOne(pscRecord, resource)).toThrow(RecordError);
    expect(() => storeOne(pscRecord, resource)).toThrow(field);
  });

  it.each<[string, IncomingResource]>([
    ["a cessation on an impossible day", changed(individual, { ceased_on: "soon" })],
    ["no name", without(corporate, "name")],
    ["a nature of control that is no text", changed(corporate, { natures_of_control: [1] })],
    ["a text where a flag belongs", changed(secure, { ceased: "perhaps" })],
    ["a list where a text belongs", changed(corporate, { name: ["A"] })],
    ["a text that is too long", changed(corporate, { name: "A".repeat(1001) })],
  ])("by the schema: %s", (_what, resource) => {
    expect(() => storeOne(pscRecord, resource)).toThrow(/^\/company/);
  });
});

describe("API-shaped statements", () => {
  const linked = statements.find(({ data }) => data.linked_psc_name)!;
  const normaliseStatement = (members: Record<string, unknown>) =>
    normalise(changed(linked, members), pscStatementRecord);
  const normaliseLink = (person_with_significant_control: unknown) =>
    normaliseStatement({ links: { ...(linked.data.links as object), person_with_significant_control } });

  it("are stored under the id of their link", () => {
    const stored = storeAll(pscStatementRecord, statements);
    expect(stored.map(({ _id }) => _id)).toEqual([...new Set(statements.map(({ id }) => id))]);
    expect(stored.find(({ data }) => data.linked_psc_name)?.data).toMatchObject({
      linked_psc_name: "Mr Horatio James de la Muestra",
      person_with_significant_control:
        "/company/99000001/persons-with-significant-control/individual/QCGHujDUvDFLiuXrc342lX8Y-Ps",
    });
  });

  it.each<[Record<string, unknown>, string]>([
    [{ kind: "x" }, "kind"],
    [{ ceased_on: 20 }, "ceased_on"],
    [{ statement: 5 }, "statement"],
    [{ links: { self: "/company/99000001/elsewhere" } }, "links.self"],
  ])("are refused for %j", (data, field) => {
    expect(() => storeOne(pscStatementRecord, changed(linked, data))).toThrow(field);
  });

  it.each<[string, unknown]>([
    ["notification_id", "abc"],
    ["linked_psc_name", "x".repeat(1001)],
    ["restrictions_notice_withdrawal_reason", 5],
  ])("are loaded without an unusable %s, with a warning", (member, value) => {
    const { data, warnings } = normaliseStatement({ [member]: value });
    expect(pscStatementRecord.check(data)).toBeNull();
    expect(data).not.toHaveProperty(member);
    expect(warnings).toEqual([expect.stringMatching(new RegExp(`^${member} left out: `))]);
  });

  it.each(["statement", "restrictions_notice_withdrawal_reason"])(
    "keep a %s that is in no list, with a warning",
    (member) => {
      const { data, warnings } = normaliseStatement({ [member]: "a-new-word" });
      expect(pscStatementRecord.check(data)).toBeNull();
      expect(data).toHaveProperty(member, "a-new-word");
      expect(warnings).toEqual([`${member}: "a-new-word" is not on the list`]);
    },
  );

  it("lose a day of notification from 2100 on, with a warning", () => {
    const { data, warnings } = normaliseStatement({ notified_on: "2918-04-06" });
    expect(pscStatementRecord.check(data)).toBeNull();
    expect(data).not.toHaveProperty("notified_on");
    expect(warnings).toEqual(["notified_on left out: too far in the future"]);
  });

  const ID = "QCGHujDUvDFLiuXrc342lX8Y-Ps";

  it.each([
    [`company/99000003/persons-with-significant-control/individual/${ID}`, "99000003"],
    [`/company/oe1234/persons-with-significant-control/individual/${ID}`, "OE001234"],
  ])("show the link %s in the form of all links", (link, company) => {
    const { data, warnings } = normaliseLink(link);
    const path = `/company/${company}/persons-with-significant-control/individual/${ID}`;
    expect(data).toHaveProperty("person_with_significant_control", path);
    expect(warnings).toEqual([]);
  });

  it.each(["/elsewhere", 5, `/company/no number/persons-with-significant-control/individual/${ID}`])(
    "lose the unusable link %p, with a warning",
    (link) => {
      const { data, warnings } = normaliseLink(link);
      expect(pscStatementRecord.check(data)).toBeNull();
      expect(data).not.toHaveProperty("person_with_significant_control");
      expect(warnings).toEqual([
        "links.person_with_significant_control: is not a link of this kind, dropped",
      ]);
    },
  );
});

it("persons and statements have one index for each list", () => {
  const fields = [...pscRecord.indexes, ...pscStatementRecord.indexes].map((index) => index.fields.join(" "));
  expect(fields).toEqual([
    "company_number list_order is_ceased",
    "psc_id is_ceased list_order",
    "company_number list_order is_ceased",
  ]);
});
