/** Addresses in the officers' daily update: a line has the whole address. */
import { describe, expect, it } from "@jest/globals";
import { anUpdateLine, type UpdateFields } from "../../support/officer-lines.ts";
import { StoredAppointments, NUMBER } from "../../support/stored-appointments.ts";

describe("an address that a line gives", () => {
  const born = "197005";
  const given = { address: "1 MOCK LANE", town: "LEEDS", postcode: "LS1 1ZZ" };
  const premises = { premises: "1", address_line_1: "Mock Lane", locality: "Leeds", postal_code: "LS1 1ZZ" };
  const bulk = { address_line_1: "1 Mock Lane", locality: "Leeds", postal_code: "LS1 1ZZ" };
  const LINES: [string, UpdateFields][] = [
    ["a change", { born }],
    ["a correction", { born, isCorrection: true }],
    ["an increment", { born, oldNumber: NUMBER, number: "100000010002" }],
    ["a merge", { born, oldNumber: NUMBER, number: "200000020001" }],
  ];

  it.each(LINES)("replaces the stored one, with no part that the line lacks: %s", (_what, line) => {
    const stored = new StoredAppointments().add({ ...given, born, careOf: "ACME LLP", second: "SUITE 5" });
    stored.update([anUpdateLine({ ...line, ...given })]);
    expect(stored.appointments.map(({ address }) => address)).toEqual([bulk]);
    const { number = NUMBER } = line;
    stored.update([anUpdateLine({ ...given, number, address: "" })], { run: 4323 });
    expect(stored.appointments[0]?.address).toEqual({ locality: "Leeds", postal_code: "LS1 1ZZ" });
  });

  it.each(LINES)("leaves the stored one in the form of the API if it is the same: %s", (_what, line) => {
    const country = "England";
    for (const address of [premises, { ...premises, country }]) {
      const stored = new StoredAppointments().add({ ...given, born }, { address });
      stored.update([anUpdateLine({ ...line, ...given, occupation: "MILLER" })]);
      expect(stored.appointments).toMatchObject([{ occupation: "Miller" }]);
      expect(stored.appointments[0]?.address).toEqual(address);
    }
  });

  it("of a nominee replaces the stored one in all appointments of the number, unless it is the same", () => {
    const number = "900099010001";
    const stored = new StoredAppointments()
      .add({ ...given, number, careOf: "ACME LLP" })
      .add({ ...given, number, company: "99000501" }, { address: premises });
    const line = { number, company: "", oldType: "  ", newType: "  ", appointed: "" };
    stored.update([anUpdateLine({ ...line, ...given })]);
    expect(stored.appointments.map(({ address }) => address)).toEqual([bulk, premises]);
  });
});
