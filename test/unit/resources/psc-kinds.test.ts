import { describe, expect, it } from "@jest/globals";
import { parseQuery, type RawQuery } from "../../../api/shared/schemas/query-parameters.ts";
import { compileCheck } from "../../../api/shared/schemas/validate.ts";
import type { ResourceDefinition } from "../../../api/resources/define-resource.ts";
import { resources } from "../../../api/resources/index.ts";
import { pscKinds } from "../../../api/resources/person-with-significant-control/kinds.ts";
import { pscRecord, type Psc } from "../../../api/resources/person-with-significant-control/record.ts";
import {
  pscStatement,
  pscStatementList,
  pscStatementRecord,
  type PscStatement,
} from "../../../api/resources/psc-statement/index.ts";
import type { Members } from "../../../api/shared/values/members.ts";
import { registersRecord } from "../../../api/resources/registers/index.ts";
import { pscSnapshot } from "../../../ingest/sources/psc-snapshot.ts";
import { toStored } from "../../support/stored.ts";
import { createMemoryReader } from "../../support/record-reader.ts";
import { readRowsOf } from "../../support/snapshot-files.ts";

const files = ["psc/psc-snapshot-2026-11-01_1of2.txt", "psc/psc-snapshot-2026-11-01_2of2.txt"];
const rows = (await Promise.all(files.map((file) => readRowsOf(file)))).flat();
const outcomes = pscSnapshot.mapRows(rows, {});
const stored = outcomes.flatMap((item) =>
  item.kind === "record" ? [{ record: item.record, ...toStored(item.record, item.data, 1) }] : [],
);
const pscs = stored.filter(({ record }) => record === (pscRecord as unknown));
const statements = stored.filter(({ record }) => record === (pscStatementRecord as unknown));

function resourceOf(segment: string): ResourceDefinition {
  const found = resources.find(({ name }) => name === `psc-${segment}`);
  if (!found) throw new Error(`no resource of ${segment}`);
  return found;
}

const memory = createMemoryReader({ pscs, psc_statements: statements });

/** The body, or null for a 404; it must match its schema. */
async function get(
  resource: ResourceDefinition,
  company_number: string,
  id: string,
  raw: RawQuery = {},
  records = memory.records,
) {
  const path = { company_number, notification_id: id, super_secure_id: id, statement_id: id };
  const read = await resource.read(records, path, parseQuery(resource.parameters, raw));
  if (read === null) return null;
  const [version] = resource.versions;
  const body = version.present(read, { today: "2026-11-01" });
  expect(compileCheck(version.schema)(body)).toBeNull();
  return { body };
}

describe.each(pscKinds.map((kind) => [kind.segment, kind] as const))(
  "psc-%s",
  (segment, { kind, idParameter }) => {
    const resource = resourceOf(segment);
    const stored = pscs.filter(({ data }) => (data as Psc).kind === kind);

    it("answers each person of the sample under its own path, as its source has it", async () => {
      expect(stored.length).toBeGreaterThan(0);
      for (const { _id, data } of stored) {
        const { company_number, etag } = data as Psc;
        const found = await get(resource, company_number, _id);
        const self = `/company/${company_number}/persons-with-significant-control/${segment}/${_id}`;
        expect(found).toMatchObject({ body: { etag, kind, links: { self } } });
      }
    });

    it("is found neither under another kind nor under another company", async () => {
      const [first] = stored;
      const { company_number } = (first?.data ?? {}) as Psc;
      for (const other of pscKinds.filter((candidate) => candidate.segment !== segment)) {
        expect(await get(resourceOf(other.segment), company_number, first?._id ?? "")).toBeNull();
      }
      expect(await get(resource, "99999999", first?._id ?? "")).toBeNull();
      expect(resource.notFound).toBe("company-psc-details-not-found");
    });

    it("has the path of the specification", () => {
      expect(resource.path).toBe(
        `/company/:company_number/persons-with-significant-control/${segment}/:${idParameter}`,
      );
    });
  },
);

describe("the answer for one person", () => {
  it("has what the sample states, and nothing else", async () => {
    const lines = rows.map(({ text }) => JSON.parse(text) as { data: Record<string, unknown> });
    for (const { data } of lines) {
      const { self } = (data.links ?? {}) as { self?: string };
      const [, company = "", segment = "", id = ""] =
        /^\/company\/(\w+)\/persons-with-significant-control\/([\w-]+)\/([\w-]+)$/.exec(self ?? "") ?? [];
      if (!segment) continue;
      const found = await get(resourceOf(segment), company, id);
      const { links, ...body } = found?.body ?? {};
      expect(trimmed({ ...body, links: data.links })).toEqual(trimmed(data));
      expect(links).toMatchObject({ self });
    }
  });

  it("links to the notifications of the same person, except for the super-secure kinds", async () => {
    for (const { _id, data } of pscs) {
      const { company_number, kind } = data as Psc;
      const { segment = "", subject } = pscKinds.find((candidate) => candidate.kind === kind) ?? {};
      const found = await get(resourceOf(segment), company_number, _id);
      const links = found?.body.links as { persons_with_significant_control?: { notifications: string } };
      if (subject === "super-secure") expect(links).not.toHaveProperty("persons_with_significant_control");
      else
        expect(links.persons_with_significant_control?.notifications).toMatch(
          /^\/persons-.*\/notifications$/,
        );
    }
  });
});

describe("a person of a company with its own register", () => {
  const psc: Psc = {
    notification_id: "i".repeat(27),
    company_number: "99000001",
    kind: "individual-person-with-significant-control",
    name: "Mrs Ottoline Larkspindle",
    date_of_birth: { month: 5, year: 1983 },
    birth_day: 17,
    statement_id: "s".repeat(27),
  };
  const registers = (register_moved_to: string) => {
    const items = [{ moved_on: "2020-01-01", register_moved_to }];
    const data = { company_number: "99000001", registers: { persons_with_significant_control: { items } } };
    return [toStored(registersRecord, data, 1)];
  };
  const show = async (place: string, raw: RawQuery, ceased_on?: string) => {
    const { records } = createMemoryReader({
      pscs: [toStored(pscRecord, { ...psc, ...(ceased_on && { ceased_on }) }, 1)],
      registers: registers(place),
    });
    return (await get(resourceOf("individual"), psc.company_number, psc.notification_id, raw, records))?.body;
  };

  it("shows the day of birth only in the register view of a public register", async () => {
    const register_view = "true";
    expect((await show("public-register", { register_view }))?.date_of_birth).toEqual({
      day: 17,
      month: 5,
      year: 1983,
    });
    expect((await show("public-register", {}))?.date_of_birth).toEqual({ month: 5, year: 1983 });
    expect((await show("registered-office", { register_view }))?.date_of_birth).toEqual({
      month: 5,
      year: 1983,
    });
  });

  it.each([
    ["2019-12-31", { month: 5, year: 1983 }],
    ["2020-01-01", { day: 17, month: 5, year: 1983 }],
  ])(
    "who ceased on %s shows the day of birth only if the register view lists the person",
    async (ceasedOn, birth) => {
      const shown = await show("public-register", { register_view: "true" }, ceasedOn);
      expect(shown?.date_of_birth).toEqual(birth);
    },
  );

  it("links to the statement about the person", async () => {
    expect((await show("public-register", {}))?.links).toMatchObject({
      statement: `/company/99000001/persons-with-significant-control-statements/${psc.statement_id}`,
    });
  });
});

describe("one statement", () => {
  it("answers each statement of the sample, as its source has it", async () => {
    expect(statements.length).toBeGreaterThan(0);
    for (const { _id, data } of statements) {
      const { company_number } = data as { company_number: string };
      const found = await get(pscStatement, company_number, _id);
      const line = rows
        .map(({ text }) => JSON.parse(text) as { data: unknown })
        .find(({ data: given }) =>
          JSON.stringify(given).includes(`persons-with-significant-control-statements/${_id}`),
        );
      expect(found?.body).toEqual(line?.data);
    }
  });

  it("is not found under another company", async () => {
    expect(await get(pscStatement, "99999999", statements[0]?._id ?? "")).toBeNull();
  });

  it("links to the person under the path of its kind if its source has another", async () => {
    const company_number = "99000001";
    const kind = "legal-person-person-with-significant-control";
    const person: Psc = { notification_id: "p".repeat(27), company_number, kind, name: "A Body" };
    const pathIn = (segment: string) =>
      `/company/${company_number}/persons-with-significant-control/${segment}/${person.notification_id}`;
    const statement: PscStatement = {
      statement_id: "s".repeat(27),
      company_number,
      statement: "psc-exists-but-not-identified",
      person_with_significant_control: pathIn("individual"),
    };
    const register = { psc_statements: [toStored(pscStatementRecord, statement, 1)] };
    const linksIn = async (collections: Parameters<typeof createMemoryReader>[0]) => {
      const { records } = createMemoryReader(collections);
      const one = await get(pscStatement, company_number, statement.statement_id, {}, records);
      const list = await get(pscStatementList, company_number, "", {}, records);
      return [one?.body, ...((list?.body.items ?? []) as Members[])].map((body) => body?.links);
    };
    const links = await linksIn({ ...register, pscs: [toStored(pscRecord, person, 1)] });
    const toLegal = expect.objectContaining({
      person_with_significant_control: pathIn("legal-person"),
    }) as unknown;
    expect(links).toEqual([toLegal, toLegal]);
    // A person that is not stored may be of the kind that the source states.
    const asStated = expect.objectContaining({
      person_with_significant_control: pathIn("individual"),
    }) as unknown;
    expect(await linksIn(register)).toEqual([asStated, asStated]);
  });
});

/** Texts without the spaces that are trimmed on the way in. */
function trimmed(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value), (_name, item: unknown) =>
    typeof item === "string" ? item.trim() : item,
  ) as unknown;
}
