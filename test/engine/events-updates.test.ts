/** Stream events of appointments that come after a daily update of the same day or later. */
import { describe, expect, it } from "@jest/globals";
import { appointmentRecord, type StoredAppointment } from "../../api/resources/officer-appointment/record.ts";
import { appointmentSource } from "../support/day-sources.ts";
import { batchRunner, event, type Rows } from "../support/event-batches.ts";
import { forAllTests } from "../support/for-all-tests.ts";
import { anUpdateLine, aPersonLine, type UpdateTold } from "../support/officer-lines.ts";
import { openRegister } from "../support/register.ts";
import { expectStoresAgree } from "../support/stores-agree.ts";
import { lastEventOf } from "../support/statements.ts";
import type { Random } from "../../scripts/bench/random.ts";

const register = forAllTests(() => openRegister({ withWorker: false }));
const run = batchRunner(() => register.stores);

/** Picks every optional member. */
const ALL: Random = { next: () => 0, below: () => 0, pick: ([first]) => first as never };

let companies = 98_500_000;
const anEvent = (company: string, word: string, timepoint: number, day: string) =>
  event(appointmentSource.resource(company, word, ALL), timepoint, day);
const edition = (company: string) => appointmentSource.snapshot(company, "2026-11-01", "EDITION", ALL);

function update(company: string, ...lines: UpdateTold[]): Rows {
  return {
    source: "officers-update",
    fileName: "Prod198_4322.dat",
    first: "DDDDUPDT432220261105",
    rows: lines.map((line) => anUpdateLine({ company, surname: "UPDATE", ...line })),
  };
}

/** The company's stored appointments after the files were loaded in this order. */
async function loadInOrder(toFiles: (company: string) => Rows[]): Promise<StoredAppointment[]> {
  const company = String((companies += 1));
  for (const file of toFiles(company)) expect(await run(file)).toMatchObject({ refused: 0 });
  const query = { field: "company_number", values: [company] };
  await expectStoresAgree(register.stores);
  return (await register.stores.mongo.records.fetchGroups(appointmentRecord, query))
    .records as StoredAppointment[];
}

const wordsOf = (stored: StoredAppointment[]) =>
  stored.map(({ data }) => [data.name_elements?.surname, data.resigned_on, data.occupation]);

it.each<[string, UpdateTold, unknown[]]>([
  ["correction", { isCorrection: true }, ["UPDATE", undefined]],
  ["resignation", { newType: "03", resigned: "20261104" }, [expect.anything(), "2026-11-04"]],
])("the %s of an update outranks an event of an earlier day, in either order", async (_how, line, words) => {
  for (const isInOrder of [true, false]) {
    const stored = await loadInOrder((company) => {
      const older = anEvent(company, "OLD", 1, "2026-11-03");
      const files = [edition(company), update(company, line)];
      return isInOrder ? files.toSpliced(1, 0, older) : [...files, older];
    });
    expect(wordsOf(stored).map((words) => words.slice(0, 2))).toEqual([words]);
    expect(stored[0] && lastEventOf(stored[0])?.timepoint).toBe(1);
  }
});

it("an older event changes nothing of a snapshot that an update has changed in part", async () => {
  const stored = await loadInOrder((company) => [
    edition(company),
    update(company, { occupation: "MILLER" }),
    anEvent(company, "OLD", 1, "2026-10-20"),
  ]);
  expect(wordsOf(stored)).toEqual([["EDITION", undefined, "Miller"]]);
  expect(stored[0]?.data.country_of_residence).toBe("Wales");
});

it("an appointment removed by an update comes back only with an event of a later day", async () => {
  const errored = { newType: "99" };
  const before = await loadInOrder((company) => [
    edition(company),
    update(company, errored),
    anEvent(company, "OLD", 1, "2026-11-05"),
  ]);
  expect(before).toEqual([]);
  const after = await loadInOrder((company) => [
    edition(company),
    update(company, errored),
    anEvent(company, "NEWS", 1, "2026-11-06"),
  ]);
  expect(wordsOf(after)).toEqual([["NEWS", undefined, "Clerk"]]);
});

it.each([true, false])(
  "an appointment removed and entered again on one day keeps what only the stream states (event first: %s)",
  async (isFirst) => {
    const [stored, ...others] = await loadInOrder((company) => {
      const resource = appointmentSource.resource(company, "STREAM", ALL) as { data: object };
      const data = { ...resource.data, former_names: [{ forenames: "Una", surname: "FORMER" }] };
      const told = event({ ...resource, data }, 1, "2026-11-05");
      const again = update(company, { occupation: "MILLER" }, { newType: "99" });
      return [edition(company), ...(isFirst ? [told, again, again] : [again, told, again])];
    });
    expect(others).toEqual([]);
    expect(stored?.data).toMatchObject({ name_elements: { surname: "UPDATE" }, occupation: "Miller" });
    expect(stored?.data).toMatchObject({
      appointment_id: expect.stringMatching(/^events-/),
      former_names: [{ surname: "FORMER" }],
    });
    expect(stored?.data.country_of_residence).toBeUndefined();
  },
);

describe("of a person's two appointments, an update line leaves the other one alone if the stream", () => {
  const two = (company: string): Rows => ({
    ...edition(company),
    rows: ["20200101", "20210101"].map((appointed) =>
      aPersonLine({ company, appointed, surname: "EDITION" }),
    ),
  });
  const daysOf = (stored: StoredAppointment[]) =>
    stored.map(({ data }) => [data.appointed_on, data.resigned_on]).sort();

  it("already stated the resignation", async () => {
    const stored = await loadInOrder((company) => {
      const resource = appointmentSource.resource(company, "STREAM", ALL) as { data: object };
      const resigned = { ...resource, data: { ...resource.data, resigned_on: "2026-11-04" } };
      const line = update(company, { newType: "03", resigned: "20261104" });
      return [two(company), event(resigned, 1, "2026-11-05"), line, line];
    });
    expect(daysOf(stored)).toEqual([
      ["2020-01-01", "2026-11-04"],
      ["2021-01-01", undefined],
    ]);
  });

  it("already deleted the first one", async () => {
    const stored = await loadInOrder((company) => {
      const resource = appointmentSource.resource(company, "STREAM", ALL);
      const deletion = event({ ...resource, data: {} }, 2, "2026-11-05", "deleted");
      const line = update(company, { newType: "99" });
      return [two(company), event(resource, 1, "2026-11-04"), deletion, line, line];
    });
    expect(daysOf(stored)).toEqual([["2021-01-01", undefined]]);
  });
});
