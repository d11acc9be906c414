/** Another name of the same person in a query: a nickname, a name of birth, an alias. */
import { describe, expect, test } from "@jest/globals";
import { readPersonText } from "../../../../api/search/reading/person.ts";

const namesOf = (q: string) => readPersonText(q).names.map(({ query }) => query.words.join(" "));

describe("another name of the same person", () => {
  test.each([
    ["Jane Nomanby née Smithers", "JANE SMITHERS"],
    ["Jane Nomanby (formerly Smithers)", "JANE SMITHERS"],
    ["Jane Nomanby aka Janet Smithers", "JANET SMITHERS"],
    ["Jane Nomanby aka Janet Smithers", "JANE JANET SMITHERS"],
    ["Jane Nomanby née Ann Beatrice Clara Smithers", "ANN BEATRICE CLARA SMITHERS"],
    ["John Henry (Jack) Nomanby", "JOHN HENRY NOMANBY"],
  ])("in %j is also %j", (q, name) => {
    expect(namesOf(q)).toContain(name);
  });

  test.each([
    "Jane Nomanby formerly Quillory Ltd",
    "Jane Nomanby formerly of Headingley",
    "Jane Nomanby formerly Leeds",
    "Jane Nomanby formerly Carver Leeds",
    "Jane Nomanby formerly 12 Row",
    "Jane Nomanby née Mrs",
    "Jane Nomanby née Ann Beatrice Clara Dora Smithers",
  ])("is no firm, place, title or long text: %j", (q) => {
    expect(new Set(namesOf(q))).toEqual(new Set(["JANE NOMANBY"]));
  });

  test.each([
    ["(Jack) Nomanby née Tarn", "NOMANBY NEE TARN"],
    ["Nomanby, John (Jack) Henry", "NOMANBY JOHN HENRY"],
    ["John Nomanby (Jack) Leeds", "JOHN NOMANBY LEEDS"],
    ["John Nomanby (Jack) Quillory Press Book Nook", "JOHN NOMANBY QUILLORY PRESS BOOK NOOK"],
  ])("is not read around a bracket that does not part forenames and a surname: %j", (q, name) => {
    expect(namesOf(q)).not.toContain(name);
  });
});
