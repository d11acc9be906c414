/** Reads a snapshot of disqualified officers: the whole sample, single persons, and the words of its sections. */
import { describe, expect, it } from "@jest/globals";
import { readFileSync } from "node:fs";
import { enumerationKeys } from "../../../api/shared/values/enumerations.ts";
import type { DisqualifiedOfficer } from "../../../api/resources/disqualified-officer/members.ts";
import { readReason } from "../../../ingest/sources/disqualified-officers-layout.ts";
import { disqualifiedOfficersSnapshot } from "../../../ingest/sources/disqualified-officers-snapshot.ts";
import { SAMPLE } from "../../support/sample-register.ts";
import { countKinds, dataOf, faultsOf, mapFile } from "../../support/snapshot-files.ts";

const FILE = "disqualified/Prod192_4287.txt";

interface Facts {
  files: Record<string, { records: number; by_type: Record<string, number> }>;
  disqualified: {
    persons: number;
    corporate: number;
    disqualifications: number;
    permissions: number;
    variations: number;
    by_disqualification_type: Record<string, number>;
    without_birth_date: number;
    without_order_date: number;
    sections: Record<string, number>;
    also_officers: string[];
  };
}

const facts = JSON.parse(readFileSync(`${SAMPLE}/facts.json`, "utf8")) as Facts;
const expected = facts.disqualified;
const mapped = await mapFile(disqualifiedOfficersSnapshot, FILE);
const persons = dataOf<DisqualifiedOfficer>(mapped.outcomes);
const disqualifications = persons.flatMap((person) => person.disqualifications);

function personOf(number: string): DisqualifiedOfficer | undefined {
  return persons.find((person) => person.person_number === number);
}

describe("the disqualified persons", () => {
  it("are as many as the facts count, and obey the schema", () => {
    expect(persons).toHaveLength(expected.persons);
    expect(faultsOf(mapped.outcomes)).toEqual([]);
    const corporate = persons.filter((person) => person.kind === "corporate-disqualification");
    expect(corporate).toHaveLength(expected.corporate);
    expect(new Set(persons.map((person) => person.officer_id)).size).toBe(expected.persons);
  });

  it("give one outcome for each line, at the person's own line", () => {
    const { records, by_type } = facts.files[FILE] ?? { records: 0, by_type: {} };
    expect(countKinds(mapped.outcomes)).toEqual({
      record: by_type["1"],
      refused: 0,
      // The trailer is a line, too.
      skipped: records - (by_type["1"] ?? 0) + 1,
    });
    const types = mapped.outcomes.flatMap((item) =>
      item.kind === "record" ? [item.row.text.charAt(0)] : [],
    );
    expect(new Set(types)).toEqual(new Set(["1"]));
    expect(mapped.close).not.toThrow();
  });

  it("have the disqualifications, exemptions and variations of the facts", () => {
    const count = (type: string) =>
      disqualifications.filter((item) => item.disqualification_type === type).length;
    expect(disqualifications).toHaveLength(expected.disqualifications);
    expect({
      ORDER: count("court-order"),
      SANCTION: count("sanction"),
      UNDERTAKING: count("undertaking"),
    }).toEqual(expected.by_disqualification_type);
    expect(persons.flatMap((person) => person.permissions_to_act ?? [])).toHaveLength(expected.permissions);
    expect(disqualifications.filter((item) => item.last_variation)).toHaveLength(expected.variations);
  });

  it("lack the dates that the facts say are unknown", () => {
    const undated = disqualifications.filter((item) => !item.heard_on && !item.undertaken_on);
    expect(undated).toHaveLength(expected.without_order_date);
    const natural = persons.filter((person) => person.kind === "natural-disqualification");
    const corporate = persons.length - natural.length;
    const unborn = natural.filter((person) => !person.date_of_birth).length;
    expect(unborn + corporate).toBe(expected.without_birth_date);
  });

  it("have the reasons of their sections", () => {
    const counts: Record<string, number> = {};
    for (const { reason } of disqualifications) {
      const key = JSON.stringify(reason);
      counts[key] = (counts[key] ?? 0) + 1;
    }
    const wanted = Object.entries(expected.sections).map(([section, count]) => [
      JSON.stringify(readReason(section, [])),
      count,
    ]);
    expect(Object.entries(counts).sort()).toEqual(wanted.sort());
  });

  it("are found by the person number of officers", () => {
    expect(expected.also_officers.map((number) => personOf(number)?.person_number)).toEqual(
      expected.also_officers,
    );
  });

  it("have every value of their lines", () => {
    expect(personOf("199026040001")).toMatchObject({
      kind: "natural-disqualification",
      title: "Mrs",
      forename: "Hermia",
      surname: "WRONGDALE",
      date_of_birth: "1973-02-19",
      disqualifications: [
        {
          address: { address_line_1: "27 Placeholder Place", locality: "Manchester", postal_code: "M1 5ZZ" },
          disqualification_type: "court-order",
          disqualified_from: "2020-06-15",
          disqualified_until: "2027-06-14",
          case_identifier: "CR-2019-009902",
          company_names: ["STRIKE OFF SAMPLE LIMITED", "ADMINISTERED STATUS SAMPLE LIMITED (99000038)"],
          court_name: "Manchester County Court",
          heard_on: "2020-05-25",
          reason: { act: "company-directors-disqualification-act-1986", section: "6" },
          last_variation: { varied_on: "2021-02-02", case_identifier: "CR-2021-009902" },
        },
      ],
      permissions_to_act: [
        { company_names: ["DUNNOWHERE ESTATES LIMITED"], granted_on: "2020-08-01", expires_on: "2027-06-14" },
        { granted_on: "2020-08-01", expires_on: "2021-08-01" },
        { granted_on: "2021-01-01" },
      ],
    });
  });

  it("have their disqualifications latest first, and no court with an undertaking", () => {
    const items = personOf("199027410001")?.disqualifications ?? [];
    expect(items.map((item) => item.disqualified_from)).toEqual(["2022-09-01", "2018-01-02"]);
    expect(items[0]).not.toHaveProperty("court_name");
    expect(items.map((item) => item.reason.article)).toEqual(["10", "9"]);
  });

  it("have sanctions without an end", () => {
    const sanctions = disqualifications.filter((item) => item.disqualification_type === "sanction");
    expect(new Set(sanctions.map((item) => item.disqualified_until))).toEqual(new Set(["9999-12-31"]));
  });
});

describe("sections", () => {
  it.each([
    ["CDDA 1986 S8ZA", { act: "company-directors-disqualification-act-1986", section: "8ZA" }],
    [
      "CDDO 1986 A13B",
      { act: "company-directors-disqualification-northern-ireland-order-2002", article: "13B" },
    ],
    ["SAMLA 2018 S3A", { act: "sanctions-anti-money-laundering-act-2018", section: "3A" }],
    ["CT-Regs 2019 16A", { act: "sanctions-counter-terrorism-regulations-2019", section: "16A" }],
  ])("are read as act, number and description: %s", (section, reason) => {
    expect(readReason(section, [])).toMatchObject(reason);
    expect(enumerationKeys("disqualification_reason_description_identifier")).toContain(
      readReason(section, []).description_identifier,
    );
  });

  it("under an unknown first word are articles of the Northern Ireland order, with a warning", () => {
    const warnings: string[] = [];
    expect(readReason("XYZ 1986 A9", warnings)).toEqual(readReason("CDDO 2002 A9", []));
    expect(readReason("XYZ 1986 S7", [])).toEqual({
      act: "company-directors-disqualification-northern-ireland-order-2002",
      article: "7",
      description_identifier: "order-or-undertaking-and-reporting-provisions",
    });
    expect(warnings).toEqual(['section: "XYZ" is not a known act, read as the Northern Ireland order']);
  });

  it("that are not known have no description, and give a warning", () => {
    const warnings: string[] = [];
    expect(readReason("CDDA 1986 S99", warnings)).toEqual({
      act: "company-directors-disqualification-act-1986",
      section: "99",
    });
    expect(warnings).toEqual(['section: "CDDA 1986 S99" is not on the list']);
  });

  it.each(["XYZ", ""])("are refused without a number: %p", (section) => {
    expect(() => readReason(section, [])).toThrow(/is not known/);
  });
});
