import { describe, expect, it } from "@jest/globals";
import { compileCheck } from "../../../api/shared/schemas/validate.ts";
import type { ResourceDefinition } from "../../../api/resources/define-resource.ts";
import {
  corporateDisqualification,
  naturalDisqualification,
} from "../../../api/resources/disqualified-officer/index.ts";
import type { DisqualifiedOfficer } from "../../../api/resources/disqualified-officer/members.ts";
import { compareDisqualifications } from "../../../api/resources/disqualified-officer/normalise.ts";
import { disqualifiedOfficerRecord } from "../../../api/resources/disqualified-officer/record.ts";
import { disqualifiedOfficersSnapshot } from "../../../ingest/sources/disqualified-officers-snapshot.ts";
import { toStored } from "../../support/stored.ts";
import { createMemoryReader } from "../../support/record-reader.ts";
import { dataOf, mapFile } from "../../support/snapshot-files.ts";

const { outcomes } = await mapFile(disqualifiedOfficersSnapshot, "disqualified/Prod192_4287.txt");
const officers = dataOf<DisqualifiedOfficer>(outcomes);
const { records } = createMemoryReader({
  disqualified_officers: officers.map((data) => toStored(disqualifiedOfficerRecord, data, 1)),
});

function present(resource: ResourceDefinition, read: unknown): Record<string, unknown> {
  return resource.versions[0].present(read, { today: "2026-11-01" });
}

describe.each([
  { resource: naturalDisqualification, other: corporateDisqualification, segment: "natural" },
  { resource: corporateDisqualification, other: naturalDisqualification, segment: "corporate" },
])("GET /disqualified-officers/$segment/:officer_id", ({ resource, other, segment }) => {
  const kind = `${segment}-disqualification`;
  const ids = officers.filter((officer) => officer.kind === kind).map((officer) => officer.officer_id);

  it("answers every officer of the kind, as the schema demands", async () => {
    const check = compileCheck(resource.versions[0].schema);
    const reads = await Promise.all(ids.map((officer_id) => resource.read(records, { officer_id }, {})));
    expect(reads.map((read) => check(present(resource, read)))).toEqual(ids.map(() => null));
  });

  it("shows kind, ETag and link, but not the id", async () => {
    const [officer_id = ""] = ids;
    const read = await resource.read(records, { officer_id }, {});
    const body = present(resource, read);
    expect(body).toMatchObject({
      kind,
      etag: (read as { etag: string }).etag,
      links: { self: `/disqualified-officers/${segment}/${officer_id}` },
    });
    expect(body).not.toHaveProperty("officer_id");
  });

  it("does not find an id of the other kind, or an unknown one", async () => {
    const [officer_id = ""] = ids;
    expect(await other.read(records, { officer_id }, {})).toBeNull();
    expect(await resource.read(records, { officer_id: "z".repeat(27) }, {})).toBeNull();
  });
});

it("disqualifications of a file are ordered by their start, then by their end, latest first", () => {
  const [model] = officers.flatMap(({ disqualifications }) => disqualifications);
  if (!model) throw new Error("no disqualification");
  const days = [
    ["2019-01-01", "2031-01-01"],
    ["2020-01-01", "2025-01-01"],
    ["2020-01-01", "2030-01-01"],
  ] as const;
  const items = days.map(([from, until]) => ({
    ...model,
    disqualified_from: from,
    disqualified_until: until,
  }));
  const ends = items.toSorted(compareDisqualifications).map(({ disqualified_until: until }) => until);
  expect(ends).toEqual(["2030-01-01", "2025-01-01", "2031-01-01"]);
});

describe("the stored record", () => {
  const [natural] = officers;

  it("is found by its person number under any id, and by its id without a number", () => {
    if (!natural) throw new Error("no officer");
    const officer_id = "z".repeat(27);
    const keyOf = (officer: DisqualifiedOfficer) => disqualifiedOfficerRecord.identify(officer);
    expect(keyOf({ ...natural, officer_id })).toBe(keyOf(natural));
    const unnumbered = { ...natural, officer_id };
    delete unnumbered.person_number;
    expect(keyOf(unnumbered)).toBe(officer_id);
  });

  it.each([
    ["no disqualification", { disqualifications: [] }],
    ["the name of a person and the kind of a corporate body", { kind: "corporate-disqualification" }],
    ["an unknown kind", { kind: "disqualified" }],
  ])("is refused with %s", (_what, change) => {
    expect(disqualifiedOfficerRecord.check({ ...natural, ...change })).not.toBeNull();
  });
});
