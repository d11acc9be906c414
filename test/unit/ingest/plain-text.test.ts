import { describe, expect, it } from "@jest/globals";
import { toPlainText } from "../../../ingest/readers/plain-text.ts";

const asText = (text: string) => ({ text, hadControls: false });
const withBlanks = (text: string) => ({ text, hadControls: true });

describe("the plain text of a row", () => {
  it("has spaces in place of control characters", () => {
    expect(toPlainText('"A\u0007B","C\u0085\u0081"', "csv")).toEqual(withBlanks('"A B","C… "'));
    expect(toPlainText("DOE\u0007\u007fROE", "lines")).toEqual(withBlanks("DOE  ROE"));
    expect(toPlainText(String.raw`{"a":"\u001b[2J\b \\u0007"}`, "lines")).toEqual(
      withBlanks(String.raw`{"a":" [2J  \\u0007"}`),
    );
  });

  it("has the characters of Windows-1252 in place of those of Latin-1", () => {
    expect(toPlainText("O\u0092BRIEN", "csv")).toEqual(asText("O’BRIEN"));
    expect(toPlainText(String.raw`{"a":"O\u0092Brien"}`, "lines")).toEqual(asText('{"a":"O’Brien"}'));
  });

  it("keeps tabs and line breaks where they are allowed; in a line of fields they become spaces", () => {
    for (const text of ['"A"\t"B\r\nC"', "0991 345"]) expect(toPlainText(text, "csv")).toEqual(asText(text));
    const json = '{\t"a":1,\t"b":"C\\tD\\nE"}';
    expect(toPlainText(json, "lines")).toEqual(asText(json));
    expect(toPlainText("4\tHIGH STREET", "lines")).toEqual(asText("4 HIGH STREET"));
  });

  it.each([
    ["0991\u0001345", "csv"],
    ["SC\u0001345", "csv"],
    ["0991345\u0001", "csv"],
    ['{"company_number":"0991\u0001345"}', "lines"],
    [String.raw`{"company_number":"0991\u0001\u0002345"}`, "lines"],
  ] as const)(
    "is refused if a control character beside a digit may have replaced one: %j",
    (text, reader) => {
      expect(toPlainText(text, reader).reason).toContain("beside a digit");
    },
  );

  it("is not refused for the last digit of an escape", () => {
    expect(toPlainText(String.raw`{"a":"Caf\u00e9\u0007"}`, "lines")).toEqual(
      withBlanks(String.raw`{"a":"Caf\u00e9 "}`),
    );
  });
});
