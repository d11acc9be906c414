/** Members that a correction in the officers' daily update removes stay removed, in every order of loads. */
import { describe, expect, it } from "@jest/globals";
import type { Appointment } from "../../api/resources/officer-appointment/record.ts";
import { createRandom } from "../../scripts/bench/random.ts";
import { appointment, batchRunner, event, type Rows } from "../support/event-batches.ts";
import { forAllTests } from "../support/for-all-tests.ts";
import { drawHistory, EVENT, FIRST, modelOf, ROLES, SNAPSHOT } from "../support/officer-histories.ts";
import { anUpdateLine, aPersonLine } from "../support/officer-lines.ts";
import { anUpdate, aSnapshot, fetchStored } from "../support/officers-update.ts";
import { openRegister } from "../support/register.ts";
import { expectStoresAgree } from "../support/stores-agree.ts";

const HISTORIES = 120;

const register = forAllTests(() => openRegister({ withWorker: false }));
const run = batchRunner(() => register.stores);

let revision = 0;
/** Loads the files; each batch runs `times` times. */
async function load(files: Rows[], times = 1): Promise<void> {
  for (const file of files) {
    revision += 1;
    for (let time = 1; time <= times; time += 1)
      expect(await run({ ...file, revision })).toMatchObject({ refused: 0 });
  }
}

async function fetchOf(...companies: string[]): Promise<Appointment[]> {
  return (await fetchStored(register, "company_number", ...companies)).map(({ data }) => data);
}

/** An event of October about a company's director. */
function anEvent(company: string, number: string, members: { officer_role?: string } & object): Rows {
  const { nationality, occupation, residence: country_of_residence } = EVENT;
  const resource = appointment(company, {
    ...{ id: `removed-${company}-${members.officer_role ?? ""}`, officer: `officer-${number}` },
    person_number: number,
    address: { premises: "1", address_line_1: "Mock Lane" },
    ...{ nationality, occupation, country_of_residence, date_of_birth: { month: 5, year: 1970 } },
    ...members,
  });
  return event(resource, 5, "2026-10-01");
}

function describeStored(data: Appointment) {
  const { officer_role: role, nationality, occupation, country_of_residence, date_of_birth: born } = data;
  const birth = born && `${born.year}${String(born.month).padStart(2, "0")}`;
  return {
    role,
    nationality: nationality?.toUpperCase(),
    occupation: occupation?.toUpperCase(),
    residence: country_of_residence?.toUpperCase(),
    born: birth,
  };
}

describe.each<[string, number, string[], number?]>([
  ["in the order of days", 1, ["event", "first", "0", "1", "2", "last"]],
  ["with the event after the first update", 2, ["first", "0", "event", "1", "2", "last"]],
  ["with the older snapshot after all updates", 3, ["event", "0", "1", "2", "first", "last"]],
  ["with the older files once more", 4, ["event", "first", "0", "1", "2", "last", "first", "1", "event"]],
  ["with each batch run twice", 5, ["event", "first", "0", "1", "2", "last"], 2],
])("corrections, increments, merges and changes of class, loaded %s", (_order, series, order, times) => {
  it("remove what the event stated, whatever comes between", async () => {
    const random = createRandom(20_261_126 + series);
    const histories = Array.from({ length: HISTORIES }, (_, at) => {
      const person = String(10_000_000 + 10_000 * series + 10 * at);
      const companyOf = ({ isElsewhere = false }) =>
        String(99_100_000 + 1_000 * series + at + (isElsewhere ? 500 : 0));
      const toNumber = (number = "") =>
        number
          .replace("PERSON", person)
          .replace(/OTHER(\d)/, (_all, more) => String(Number(person) + 1 + Number(more)));
      return { ...drawHistory(random), companyOf, number: `${person}0001`, toNumber };
    });
    const files: Record<string, () => Rows[]> = {
      event: () => {
        const events = histories.flatMap(({ companyOf, number }) =>
          FIRST.map((one) => anEvent(companyOf(one), number, { officer_role: ROLES[one.type] ?? "" })),
        );
        return events.slice(0, 1).map((file) => ({ ...file, rows: events.flatMap(({ rows }) => rows) }));
      },
      first: () => [
        aSnapshot(
          histories.flatMap(({ companyOf, number }) =>
            FIRST.map((one) => aPersonLine({ ...SNAPSHOT, company: companyOf(one), type: one.type, number })),
          ),
        ),
      ],
      last: () => [
        aSnapshot(
          histories.flatMap(({ companyOf, appointments, toNumber }) =>
            appointments.map((one) => {
              const { last, type, number } = one;
              return aPersonLine({ ...last, company: companyOf(one), type, number: toNumber(number) });
            }),
          ),
          "20261201",
        ),
      ],
    };
    const linesOf = (place: number) =>
      histories.flatMap(({ companyOf, lines, others, toNumber }) =>
        [lines[place] ?? [], others[place] ?? []].flat().map((line) => {
          const { number, oldNumber = number } = line;
          const numbers = { number: toNumber(number), oldNumber: toNumber(oldNumber) };
          return anUpdateLine({ ...line, company: companyOf(line), ...numbers });
        }),
      );
    for (const step of order)
      await load(files[step]?.() ?? [anUpdate(linesOf(Number(step)), 4322 + Number(step))], times);
    const companies = histories.flatMap(({ companyOf }) => [companyOf({}), companyOf({ isElsewhere: true })]);
    const all = await fetchOf(...companies);
    for (const { kinds, appointments, companyOf } of histories) {
      for (const isElsewhere of [false, true]) {
        const company = companyOf({ isElsewhere });
        const stored = all.filter((one) => one.company_number === company);
        const model = appointments.filter((one) => one.isElsewhere === isElsewhere).map(modelOf);
        expect([kinds, sorted(stored.map(describeStored))]).toEqual([kinds, sorted(model)]);
      }
    }
  });
});

const sorted = (described: object[]) =>
  described.toSorted((a, b) => JSON.stringify(a).localeCompare(JSON.stringify(b)));

describe("another appointment of a corrected person", () => {
  it.each([
    ["first", 0],
    ["last", 1],
  ])("loses what an event stated, if the event is loaded %s", async (_when, at) => {
    const number = `1100000${at}0001`;
    const [own, other] = [`9920000${at}`, `9921000${at}`];
    const files = [
      aSnapshot([own, other].map((company) => aPersonLine({ company, number }))),
      anUpdate([anUpdateLine({ company: own, number, isCorrection: true })]),
    ];
    const stating = anEvent(other, number, {});
    await load(at === 0 ? [stating, ...files] : [...files, stating]);
    const [stored] = await fetchOf(other);
    expect(stored).toMatchObject({ occupation: "Clerk" });
    for (const member of ["nationality", "country_of_residence", "date_of_birth"])
      expect(stored).not.toHaveProperty(member);
  });
});

it.each<[string, number, string]>([
  ["corrected to be", 0, "0001"],
  ["merged with", 1, "1001"],
])(
  "a body that is %s a person has no identification, even if an older snapshot is loaded last",
  async (_how, at, digits) => {
    const [company, person] = [`9930000${at}`, `1200000${at}`];
    const body = { company, number: `${person}0001`, surname: "SHELF LIMITED", forenames: "" };
    const first = aSnapshot([aPersonLine({ ...body, isCorporate: true })]);
    const identification = { legal_form: "Limited", registration_number: "1" };
    const stated = { name: "SHELF LIMITED", officer_role: "corporate-director", identification };
    const number = at === 0 ? body.number : `13000000${digits}`;
    const line = { company, oldNumber: body.number, number, isCorrection: at === 0 };
    await load([anEvent(company, body.number, { ...stated, ...NOT_OF_BODIES }), first]);
    expect(await fetchOf(company)).toMatchObject([{ is_corporate: true, identification }]);
    await load([anUpdate([anUpdateLine(line)])]);
    for (const again of [[], [first]]) {
      await load(again);
      const stored = await fetchOf(company);
      expect(stored).toMatchObject([{ is_corporate: false, officer_role: "director" }]);
      expect(stored[0]).not.toHaveProperty("identification");
    }
  },
);

const NOT_OF_BODIES = {
  nationality: undefined,
  occupation: undefined,
  country_of_residence: undefined,
  date_of_birth: undefined,
};

it("the search indices agree with MongoDB after all these tests", async () => {
  await expectStoresAgree(register.stores);
});
