import { describe, expect, it } from "@jest/globals";
import { readEdition } from "../../../ingest/sources/frame.ts";

describe("the part in a file name", () => {
  it.each([
    ["BasicCompanyData-2026-11-01-part1_7.csv", 1, 7],
    ["psc-snapshot-2026-11-01_31of31.txt", 31, 31],
    ["BasicCompanyDataAsOneFile-2026-11-01.csv", 1, 1],
    ["BasicCompanyData-2026-11-01-part3_7 (1).csv", 3, 7],
    ["BasicCompanyData-2026-11-01-part3_7-utf8.csv", 3, 7],
    ["psc-snapshot-2026-11-01_3of31 (1).txt", 3, 31],
    ["BasicCompanyData-part1_2026-11-01.csv", 1, 1],
    ["BasicCompanyData-2026-11-01-part2_2026-11-05.csv", 1, 1],
  ])("of %s is %d of %d", (name, part, parts) => {
    expect(readEdition(name)).toMatchObject({ part, parts });
  });

  it.each(["BasicCompanyData-2026-11-01-part3_2.csv", "psc-snapshot-2026-11-01_0of2.txt", "x-part1_0.csv"])(
    "is refused if it cannot exist: %s",
    (name) => {
      expect(() => readEdition(name)).toThrow(
        /^its name says part \d of \d, which is impossible; restore its own name/,
      );
    },
  );
});
