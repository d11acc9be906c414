import { describe, expect, it } from "@jest/globals";
import { parseQuery } from "../../../api/shared/schemas/query-parameters.ts";
import { compileCheck } from "../../../api/shared/schemas/validate.ts";
import type { IncomingResource } from "../../../api/shared/definitions/incoming-resource.ts";
import { officerList } from "../../../api/resources/officer-list/index.ts";
import { registers, registersRecord } from "../../../api/resources/registers/index.ts";
import facts from "../../fixtures/register/facts.json" with { type: "json" };
import { readSamples, storeAll, storeOne } from "../../support/incoming-samples.ts";
import { createMemoryReader } from "../../support/record-reader.ts";

const samples = readSamples("api-shaped/registers.jsonl");
const [model] = samples as [IncomingResource];
const { records } = createMemoryReader({ registers: storeAll(registersRecord, samples) });
const [version] = registers.versions;
const check = compileCheck(version.schema);

const WITHOUT_MOVES = Object.fromEntries(
  [
    "directors",
    "members",
    "persons_with_significant_control",
    "secretaries",
    "usual_residential_address",
  ].map((name) => [name, { items: [], register_type: name.replaceAll("_", "-") }]),
);

function present(resource: IncomingResource): Record<string, unknown> {
  return version.present(storeOne(registersRecord, resource), { today: "2026-11-01" });
}

function withRegister(name: string, register: unknown): IncomingResource {
  return { ...model, data: { ...model.data, registers: { [name]: register } } };
}

describe("GET /company/:company_number/registers", () => {
  it("accepts every sample", () => {
    expect(storeAll(registersRecord, samples)).toHaveLength(facts.api_shaped.registers);
  });

  it("does not find a company whose registers have no moves", async () => {
    const { records: others } = createMemoryReader({
      registers: [storeOne(registersRecord, { ...model, data: { ...model.data, registers: WITHOUT_MOVES } })],
    });
    expect(await registers.read(others, { company_number: model.id }, {})).toBeNull();
  });

  it.each(samples.map((sample) => [sample.id, sample] as const))(
    "answers %s as it came, and with the members that the specification requires",
    async (company_number, { data }) => {
      const read = await registers.read(records, { company_number }, {});
      const body = version.present(read, { today: "2026-11-01" });
      expect(check(body)).toBeNull();
      expect(body).toEqual({ ...data, registers: { ...WITHOUT_MOVES, ...(data.registers as object) } });
    },
  );

  it("does not find a company without registers", async () => {
    expect(await registers.read(records, { company_number: "99000001" }, {})).toBeNull();
  });
});

it("registers may name their company without the zeros of its number", () => {
  const uri = "/company/00099061/registers";
  const withNumber = (company_number: unknown) => ({
    ...model,
    uri,
    data: { ...model.data, company_number },
  });
  for (const number of ["99061", 99061])
    expect(storeOne(registersRecord, withNumber(number)).data.company_number).toBe("00099061");
});

describe("the moves of a register", () => {
  const OLD = { moved_on: "2016-07-01", register_moved_to: "public-register" };
  const NEW = { moved_on: "2018-07-01", register_moved_to: "registered-office" };
  const LINK = "/company/99000050/officers?register_view=true&register_type=directors";

  it("are shown newest first, and the newest decides whether there is a link", () => {
    const moved = withRegister("directors", { items: [OLD, NEW], links: { directors_register: LINK } });
    expect(present(moved)).toHaveProperty("registers.directors", {
      items: [NEW, OLD],
      register_type: "directors",
    });
    const returned = withRegister("directors", { items: [NEW, { ...OLD, moved_on: "2020-01-01" }] });
    expect(present(returned)).toHaveProperty("registers.directors.links", { directors_register: LINK });
  });

  it.each([
    ["secretaries", { secretaries_register: "/officers?register_view=true&register_type=secretaries" }],
    ["llp_members", { llp_members: "/officers?register_view=true&register_type=llp_members" }],
    [
      "persons_with_significant_control",
      {
        persons_with_significant_control_register: "/persons-with-significant-control?register_view=true",
      },
    ],
  ])("on the public register link %s to their list", (name, expected) => {
    const body = present(withRegister(name, { items: [OLD] }));
    const [[member, path] = []] = Object.entries(expected);
    expect(check(body)).toBeNull();
    expect(body).toHaveProperty(`registers.${name}.links`, { [member ?? ""]: `/company/99000050${path}` });
  });

  it("keep the link to a register that no list shows", () => {
    const links = { members: "/company/99000050/members" };
    const body = present(withRegister("members", { items: [OLD], links }));
    expect(check(body)).toBeNull();
    expect(body).toHaveProperty("registers.members.links", links);
  });

  it.each(["llp_members", "llp-members"])("are accepted under the type %s", (register_type) => {
    const links = { llp_members_register: "/company/99000050/officers" };
    const body = present(withRegister("llp_members", { items: OLD, register_type, links }));
    expect(body).toHaveProperty("registers.llp_members.register_type", "llp-members");
  });
});

describe("registers are refused", () => {
  const MOVE = { moved_on: "2016-07-01", register_moved_to: "public-register" };
  it.each([
    [
      "with a place that is no text",
      withRegister("members", { items: [{ ...MOVE, register_moved_to: 1 }] }),
      "register_moved_to: must be",
    ],
    [
      "with an impossible day",
      withRegister("members", { items: [{ ...MOVE, moved_on: "2016-02-30" }] }),
      "must be a day",
    ],
    [
      "with the type of another register",
      withRegister("members", { items: [MOVE], register_type: "directors" }),
      "register_type: must be members",
    ],
    [
      "with the number of another company",
      { ...model, data: { ...model.data, company_number: "99000051" } },
      "company_number: must be 99000050",
    ],
    ["without registers", { ...model, data: {} }, "must have the member registers"],
    ["as a text", withRegister("members", "all"), "registers.members: is not an object"],
  ])("%s", (_what, resource, reason) => {
    expect(() => storeOne(registersRecord, resource)).toThrow(reason);
  });
});

describe("the register view of officers", () => {
  it.each([
    ["99000067", "directors", true],
    ["99000064", "secretaries", true],
    ["99000064", "directors", false],
    ["99000050", "directors", false],
    ["OC399001", "llp_members", true],
    ["99000001", "directors", false],
  ] as const)("of %s is open for %s: %s", async (companyNumber, type, expected) => {
    const query = parseQuery(officerList.parameters, { register_view: "true", register_type: type });
    // No company is stored here, so the answer for a register that is not public is null.
    const list = await officerList.read(records, { company_number: companyNumber }, query);
    expect(list !== null).toBe(expected);
  });
});
