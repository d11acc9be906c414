import { describe, expect, it } from "@jest/globals";
import { readEdition } from "../../../ingest/sources/frame.ts";

describe("the part in a file name", () => {
  it.each([
    ["BasicCompanyData-2026-11-01-part1_7.csv", { part: 1, parts: 7 }],
    ["psc-snapshot-2026-11-01_31of31.txt", { part: 31, parts: 31 }],
    ["BasicCompanyDataAsOneFile-2026-11-01.csv", { part: 1, parts: 1 }],
    ["BasicCompanyData-2026-11-01-part3_7 (1).csv", { part: 3, parts: 7 }],
    ["BasicCompanyData-2026-11-01-part3_7-utf8.csv", { part: 3, parts: 7 }],
    ["psc-snapshot-2026-11-01_3of31 (1).txt", { part: 3, parts: 31 }],
    ["BasicCompanyData-part1_2026-11-01.csv", { part: 1, parts: 1 }],
    ["BasicCompanyData-2026-11-01-part2_2026-11-05.csv", { part: 1, parts: 1 }],
  ])("of %s", (name, part) => {
    expect(readEdition(name)).toMatchObject(part);
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
