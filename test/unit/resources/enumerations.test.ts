import { expect, it } from "@jest/globals";
import { compileCheck } from "../../../api/shared/schemas/validate.ts";
import { enumeration, enumerationList } from "../../../api/resources/enumeration/index.ts";
import type { RecordReader } from "../../../api/shared/definitions/record-reader.ts";

// Neither resource reads a record.
const NO_READER = {} as RecordReader;
const TODAY = { today: "2026-11-21" };

it("every list that is named can be read, with as many codes as named, and none twice", async () => {
  const [version] = enumerationList.versions;
  const all = version.present(await enumerationList.read(NO_READER, {}, {}), TODAY);
  expect(compileCheck(version.schema)(all)).toBeNull();
  const lists = all.items as { name: string; count: number }[];
  expect(lists.length).toBeGreaterThan(40);
  const [shown] = enumeration.versions;
  for (const { name, count } of lists) {
    const list = shown.present(await enumeration.read(NO_READER, { enumeration_name: name }, {}), TODAY);
    expect(compileCheck(shown.schema)(list)).toBeNull();
    const codes = (list.items as { code: string }[]).map(({ code }) => code);
    expect([codes.length, new Set(codes).size]).toEqual([count, count]);
  }
});

it("the description of the file of lists is not a list", async () => {
  expect(await enumeration.read(NO_READER, { enumeration_name: "_about" }, {})).toBeNull();
});

it.each([
  ["company_status_detail", "active-proposal-to-strike-off", "Active proposal to strike off"],
  // In the published file the words of this code are an empty text.
  ["company_status_detail", "active", null],
  // This list has codes only.
  ["notes", "scottish-insolvency-info", null],
])("of %s, the words of %s are %p", async (enumeration_name, code, words) => {
  const list = await enumeration.read(NO_READER, { enumeration_name }, {});
  const { items } = enumeration.versions[0].present(list, TODAY);
  expect(items).toContainEqual({ code, words });
});
