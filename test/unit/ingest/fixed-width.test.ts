import { describe, expect, it } from "@jest/globals";
import { RecordError } from "../../../api/shared/runtime/errors.ts";
import { lineReader } from "../../../ingest/readers/fixed-width.ts";
import { readDisqualificationLine } from "../../../ingest/sources/disqualified-officers-layout.ts";
import { readPersonLine } from "../../../ingest/sources/officers-layout.ts";
import { aPersonLine } from "../../support/officer-lines.ts";

const readFields = lineReader(
  [
    ["name", 1, 6],
    ["code", 7, 2],
  ],
  9,
  [],
);
const readText = (line: string, lengthStart: number) => lineReader([], lengthStart, "text")(line).text;

// Two characters, and two that each take a surrogate pair in a JavaScript string.
const NAMES = ["SERENA", "SÉRÉNÀ", "𝒮ERENA", "𝒮𝒺RENA"];

describe("fields", () => {
  it.each(NAMES)("are cut by characters: %s", (name) => {
    expect(readFields(`${name}070000`)).toEqual({ name, code: "07" });
  });
});

describe("the length of a text", () => {
  it.each(NAMES)("counts characters: %s", (name) => {
    expect(readText(`AB0007${name}<`, 3)).toBe(`${name}<`);
    expect(readText(`AB0007${name}<   `, 3)).toBe(`${name}<`);
    expect(readText(`AB0012${name}<      `, 3)).toBe(`${name}<`);
    expect(readText(`${name}0002A<`, 7)).toBe("A<");
  });

  it.each(NAMES)("that does not fit is refused, with the characters found: %s", (name) => {
    expect(() => readText(`AB0006${name}<`, 3)).toThrow(RecordError);
    expect(() => readText(`AB0006${name}<`, 3)).toThrow("says 6, the text has 7 characters");
    expect(() => readText(`AB0012${name}<`, 3)).toThrow("says 12, the text has 7 characters");
    expect(() => readText(`${name}00X2A<`, 7)).toThrow("is not four digits");
  });
});

describe("a line with characters beyond the basic plane", () => {
  it("is read as a director", () => {
    const line = aPersonLine({ surname: "QUILLXFEATHER" }).replace("QUILLXFEATHER", "𝒬UILL🦊FEATHER");
    expect(readPersonLine(line)).toMatchObject({ surname: "𝒬UILL🦊FEATHER", appointment_type: "01" });
  });

  it("is read as a disqualification, with its court after a company name of 160 characters", () => {
    const company = "🦊 FOXES LIMITED";
    const fixed = "2" + "199900010001" + "20200101" + "20300101" + "CDDA 1986 S6".padEnd(20);
    const named = company.padEnd(160 + (company.length - [...company].length));
    const line = `${fixed}${"ORDER".padEnd(30)}20191201${"CASE 1".padEnd(30)}${named}0005LEEDS`;
    expect(readDisqualificationLine(line, [])).toMatchObject({ company_name: company, court: "LEEDS" });
  });
});
