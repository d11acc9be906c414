/** What corrections of the officers' daily update take away of appointments on the real engines: it stays away, in every order of loads. */
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import type { Appointment } from "../../api/resources/officer-appointment/record.ts";
import { createRandom, type Random } from "../../scripts/bench/random.ts";
import { batchRunner, event, type Rows } from "../support/event-batches.ts";
import { anUpdateLine, aPersonLine, type PersonTold, type UpdateTold } from "../support/officer-lines.ts";
import { fetchStored } from "../support/officers-update.ts";
import { openRegister, type TestRegister } from "../support/register.ts";
import { expectStoresAgree } from "../support/stores-agree.ts";

const HISTORIES = 24;
const EVENT = { nationality: "British", occupation: "Clerk", residence: "Wales", born: "197005" };
const SNAPSHOT = { nationality: "IRISH", occupation: "BAKER", residence: "ENGLAND", born: "197106" };
const UPDATE = { nationality: "FRENCH", occupation: "MASON", residence: "JERSEY", born: "197207" };
type Member = keyof typeof EVENT;
const MEMBERS = Object.keys(EVENT) as Member[];
const DIRECTOR = "01";
const SECRETARY = "00";

let register: TestRegister;
beforeAll(async () => {
  register = await openRegister({ withWorker: false });
});
afterAll(() => register.close());
const run = batchRunner(() => register.stores);

async function load(files: Rows[]): Promise<void> {
  for (const file of files) expect(await run(file)).toMatchObject({ refused: 0 });
}

async function fetchOfCompany(company: string): Promise<Appointment[]> {
  return (await fetchStored(register, "company_number", company)).map(({ data }) => data);
}

const pickOf = (told: PersonTold, members: readonly string[]): PersonTold =>
  Object.fromEntries(Object.entries(told).filter(([member]) => members.includes(member)));

const drawMembers = (random: Random) => MEMBERS.filter(() => random.next() < 0.5);

/** An event of October about the director of a company. */
function anEvent(company: string, number: string, members: object): Rows {
  const id = `removed-${company}`.padEnd(27, "-");
  const { nationality, occupation, residence: country_of_residence } = EVENT;
  const data = {
    ...{
      name: "TESTERHOLM, Una",
      officer_role: "director",
      appointed_on: "2020-01-01",
      person_number: number,
    },
    links: { officer: { appointments: `/officers/${`officer-${number}`.padEnd(27, "-")}/appointments` } },
    address: { premises: "1", address_line_1: "Mock Lane" },
    ...{ nationality, occupation, country_of_residence, date_of_birth: { month: 5, year: 1970 } },
    ...members,
  };
  const envelope = {
    resource_kind: "company-officers",
    resource_uri: `/company/${company}/appointments/${id}`,
    resource_id: id,
  };
  return event({ ...envelope, data }, 5, "2026-10-01");
}

const aSnapshot = (day: string, rows: string[]): Rows => ({
  ...{ source: "officers-snapshot", fileName: `Prod195_4321_ew_1_${day}.dat`, rows },
  first: `DDDDSNAP4321${day}`,
});

/** The update of a run, one run a day from the second of November. */
const anUpdate = (number: number, rows: string[]): Rows => ({
  ...{ source: "officers-update", fileName: `Prod198_${4322 + number}.dat`, rows },
  first: `DDDDUPDT${4322 + number}${20_261_102 + number}`,
});

/** What is said of one officer, of whichever company and person it is loaded for. */
interface History {
  lines: UpdateTold[];
  /** What the last snapshot gives. */
  last: PersonTold & { type: string };
  taken: Set<Member>;
  kinds: string[];
}

/** Three lines between two snapshots; only the later two may move the appointment. Numbers have the person's digits as `PERSON`. */
function drawHistory(random: Random): History {
  let [type, number] = [DIRECTOR, "PERSON0001"];
  const taken = new Set<Member>();
  const kinds = [1, 2, 3].map((at) => {
    const moves = at === 1 ? [] : ["merge", "class"];
    return random.pick(["correction", "correction", "change", "increment", ...moves]);
  });
  const lines = kinds.map((kind, at): UpdateTold => {
    const [oldType, oldNumber] = [type, number];
    if (kind === "class") type = type === DIRECTOR ? SECRETARY : DIRECTOR;
    if (kind === "merge") number = `OTHER${at}0001`;
    if (kind === "increment") number = `${number.slice(0, -1)}${at + 2}`;
    const given = drawMembers(random);
    const isCorrection = kind === "correction";
    if (isCorrection) for (const member of shownOf(type)) if (!given.includes(member)) taken.add(member);
    return { ...pickOf(UPDATE, given), oldType, newType: type, oldNumber, number, isCorrection };
  });
  return { lines, last: { ...pickOf(SNAPSHOT, drawMembers(random)), type, number }, taken, kinds };
}

/** No file gives birth date and residence of a secretary. */
function shownOf(type: string): readonly Member[] {
  return type === DIRECTOR ? MEMBERS : ["nationality", "occupation"];
}

/** The members as the last snapshot leaves them: its own, else the event's unless a correction has taken them since. */
function modelOf({ last, taken }: History): object {
  const members = shownOf(last.type).map((member) => {
    return [member, last[member] ?? (taken.has(member) ? undefined : EVENT[member])] as const;
  });
  return Object.fromEntries(members.map(([member, said]) => [member, said?.toUpperCase()]));
}

function describeStored({ nationality, occupation, country_of_residence, date_of_birth: born }: Appointment) {
  const birth = born && `${born.year}${String(born.month).padStart(2, "0")}`;
  return {
    nationality: nationality?.toUpperCase(),
    occupation: occupation?.toUpperCase(),
    residence: country_of_residence?.toUpperCase(),
    born: birth,
  };
}

describe.each<[string, number, string[]]>([
  ["in the order of days", 1, ["event", "first", "0", "1", "2", "last"]],
  ["with the event behind the first update", 2, ["first", "0", "event", "1", "2", "last"]],
  ["with the older snapshot behind all updates", 3, ["event", "0", "1", "2", "first", "last"]],
  ["with the older files once more", 4, ["event", "first", "0", "1", "2", "last", "first", "1", "event"]],
])("corrections, increments, merges and changes of class %s", (_order, series, order) => {
  it("take away what the event stated, whatever comes between", async () => {
    const random = createRandom(20_261_126);
    const histories = Array.from({ length: HISTORIES }, (_, at) => {
      const company = String(99_100_000 + 1_000 * series + at);
      const person = String(10_000_000 + 10_000 * series + 10 * at);
      const toNumber = (number = "") =>
        number
          .replace("PERSON", person)
          .replace(/OTHER(\d)/, (_all, more) => String(Number(person) + 1 + Number(more)));
      return { ...drawHistory(random), company, number: `${person}0001`, toNumber };
    });
    const files: Record<string, () => Rows[]> = {
      event: () => histories.map(({ company, number }) => anEvent(company, number, {})),
      first: () => [
        aSnapshot(
          "20261101",
          histories.map(({ company, number }) => aPersonLine({ ...SNAPSHOT, company, number })),
        ),
      ],
      last: () => [
        aSnapshot(
          "20261201",
          histories.map(({ company, last, toNumber }) =>
            aPersonLine({ ...last, company, number: toNumber(last.number) }),
          ),
        ),
      ],
    };
    const linesOf = (place: number) =>
      histories.map(({ company, lines, toNumber }) => {
        const { number, oldNumber, ...told } = lines[place] ?? {};
        return anUpdateLine({ ...told, company, number: toNumber(number), oldNumber: toNumber(oldNumber) });
      });
    for (const step of order) await load(files[step]?.() ?? [anUpdate(Number(step), linesOf(Number(step)))]);
    for (const history of histories) {
      const stored = await fetchOfCompany(history.company);
      expect([history.kinds, stored.map(describeStored)]).toEqual([history.kinds, [modelOf(history)]]);
    }
  });
});

describe("another appointment of a person who is corrected", () => {
  it.each([
    ["first", 0],
    ["last", 1],
  ])("loses what an event stated, where the event comes %s", async (_when, at) => {
    const number = `1100000${at}0001`;
    const [own, other] = [`9920000${at}`, `9921000${at}`];
    const files = [
      aSnapshot(
        "20261101",
        [own, other].map((company) => aPersonLine({ company, number })),
      ),
      anUpdate(0, [anUpdateLine({ company: own, number, isCorrection: true })]),
    ];
    const told = anEvent(other, number, {});
    await load(at === 0 ? [told, ...files] : [...files, told]);
    const [stored] = await fetchOfCompany(other);
    expect(stored).toMatchObject({ occupation: "Clerk" });
    for (const member of ["nationality", "country_of_residence", "date_of_birth"])
      expect(stored).not.toHaveProperty(member);
  });
});

it.each<[string, number, string]>([
  ["corrected to be", 0, "0001"],
  ["merged with", 1, "1001"],
])(
  "a body that is %s a person has no identification, also where an older snapshot comes last",
  async (_how, at, digits) => {
    const [company, person] = [`9930000${at}`, `1200000${at}`];
    const body = { company, number: `${person}0001`, surname: "SHELF LIMITED", forenames: "" };
    const first = aSnapshot("20261101", [aPersonLine({ ...body, isCorporate: true })]);
    const identification = { legal_form: "Limited", registration_number: "1" };
    const told = { name: "SHELF LIMITED", officer_role: "corporate-director", identification };
    const number = at === 0 ? body.number : `13000000${digits}`;
    const line = { company, oldNumber: body.number, number, isCorrection: at === 0 };
    await load([anEvent(company, body.number, { ...told, ...NOT_OF_BODIES }), first]);
    expect(await fetchOfCompany(company)).toMatchObject([{ is_corporate: true, identification }]);
    await load([anUpdate(0, [anUpdateLine(line)])]);
    for (const again of [[], [first]]) {
      await load(again);
      const stored = await fetchOfCompany(company);
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

it("the search indices agree with MongoDB after all that", async () => {
  await expectStoresAgree(register.stores);
});
