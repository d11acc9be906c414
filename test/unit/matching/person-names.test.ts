import { describe, expect, it } from "@jest/globals";
import type { Strength } from "../../../api/matching/define-match.ts";
import { comparePersonNames, personReadings } from "../../../api/matching/person-names.ts";

const ODILE = { name: "Odile Jane TARROW", surname: "TARROW", given: "ODILE JANE", current: true };
const JEAN = { name: "Jean-Luc TARROW", surname: "TARROW", given: "JEAN LUC JEANLUC", current: true };
const KOFI = { name: "Kofi MENSAH", surname: "MENSAH", given: "KOFI", current: true };
const RAO = { name: "Venkata RAO", surname: "RAO", given: "VENKATA", current: true };
const PAULA = { name: "Paula Jane TARROW", surname: "TARROW", given: "PAULA JANE", current: true };
const MARIA = { name: "Maria TARROW", surname: "TARROW", given: "MARIA", current: true };
const PHILIP = { name: "John Philip TARROW", surname: "TARROW", given: "JOHN PHILIP", current: true };
const JAMES = { ...PHILIP, name: "John Philip James TARROW", given: "JOHN PHILIP JAMES" };
const ADA = { name: "Ada Ruth TARROW-VANE", surname: "TARROWVANE", given: "ADA RUTH", current: true };

/** How similar a text is to the name of a person, without an address. */
function compare(text: string, name: typeof ODILE) {
  const placeless = personReadings(text).filter(({ agreeing }) => agreeing === 0);
  return comparePersonNames(placeless, name);
}

describe("two names of people", () => {
  it.each<[text: string, name: typeof ODILE, strength: Strength]>([
    ["Odile Jane Tarrow", ODILE, "exact"],
    ["TARROW, Odile Jane", ODILE, "exact"],
    ["Mrs Odile Jane Tarrow OBE", ODILE, "exact"],
    ["Odilejane Tarrow", ODILE, "exact"],
    ["Jean-Luc Tarrow", JEAN, "exact"],
    ["jean luc tarrow", JEAN, "exact"],
    ["Jean Luc Tobyluc Tarrow", JEAN, "weak"],
    ["Odile Tarrow", ODILE, "same"],
    ["Odile J Tarrow", ODILE, "same"],
    ["O J Tarrow", ODILE, "near"],
    ["K J Tarrow", ODILE, "weak"],
    ["O Mary Tarrow", ODILE, "weak"],
    ["OJ Mary Tarrow", ODILE, "weak"],
    ["Odile Jane Tarrow", { ...ODILE, name: "O J TARROW", given: "O J" }, "near"],
    [
      "Odile Tarrow",
      { ...ODILE, name: "Otto Dan Ian Lee Eve TARROW", given: "OTTO DAN IAN LEE EVE" },
      "weak",
    ],
    ["Odile Jane Tarrow", { ...ODILE, name: "Odile J TARROW", given: "ODILE J" }, "same"],
    ["Odile Jane Tarrow", { ...ODILE, name: "Odile K TARROW", given: "ODILE K" }, "weak"],
    ["Odille Tarrow", ODILE, "near"],
    ["Odile Jane Tarow", ODILE, "near"],
    ["Odile Tarow", ODILE, "weak"],
    ["Odile Mary Tarrow", ODILE, "weak"],
    ["Jane Tarrow", ODILE, "weak"],
    ["Tarrow", ODILE, "weak"],
    ["Ruth Tarrow", ODILE, "weak"],
    ["Paul Tarrow", PAULA, "near"],
    ["Paul James Tarrow", PAULA, "weak"],
    ["John Phillip Tarrow", PHILIP, "near"],
    ["Joan Phillip Tarrow", PHILIP, "weak"],
    ["John Phillip James Tarrow", JAMES, "near"],
    ["John Phillip J Tarrow", JAMES, "near"],
    ["John Phillip Jmaes Tarrow", JAMES, "weak"],
    ["John Phillip Mark Tarrow", JAMES, "weak"],
    // A name of five letters with two others is another name, in either direction.
    ["Martin Tarrow", MARIA, "weak"],
    ["Maria Tarrow", { ...MARIA, name: "Martin TARROW", given: "MARTIN" }, "weak"],
    ["Odile Jane Quillory", ODILE, "weak"],
    ["Rao, Venkata D B A Murthy", RAO, "same"],
    ["Kofi Mensah a/k/a Boateng", KOFI, "exact"],
    ["Kofi Mensah (aka Boateng)", KOFI, "exact"],
    ["Odile Tarrow aka Jane Smithers", ODILE, "same"],
    ["Odile Tarrow dba The Book Nook", ODILE, "same"],
    ["Odile Tarrow aka Smithers", ODILE, "near"],
    ["Odile Tarrow, aka Smithers", ODILE, "same"],
    ["Odile Tarrow A K A Smithers", ODILE, "near"],
    ["Payment from Mrs Odile Jane Tarrow", ODILE, "exact"],
    ["Mr Ada Tarrow-Vane & Mrs Odile Jane Tarrow", ODILE, "exact"],
    ["Ada Tarrow-Vane and Odile Jane Tarrow", ODILE, "near"],
    ["Rao Mr Odile Tarrow", ODILE, "weak"],
    ["Ada Tarrow-Vane", ADA, "same"],
    ["Kofi Tarrow, Preston", { ...KOFI, name: "Kofi PRESTON", surname: "PRESTON" }, "weak"],
    ["Kofi Tarrow, Quillory Mensah", KOFI, "weak"],
    ["Kofi Ada,Mensah", KOFI, "same"],
    ["Ada Tarrow", ADA, "weak"],
  ])("%j and %j are similar to the degree %s", (text, name, strength) => {
    expect(compare(text, name).strength).toBe(strength);
  });
});

it("the whole text is the name, rather than the part before AKA, if a person has AKA in the name", () => {
  const likenessTo = (name: typeof KOFI) => compare("Kofi Mensah Aka Boateng", name);
  const boateng = { ...KOFI, name: "Kofi Mensah Aka BOATENG", surname: "BOATENG", given: "KOFI MENSAH AKA" };
  expect(likenessTo(boateng)).toMatchObject({ strength: "exact", score: 100 });
  expect(likenessTo(KOFI)).toMatchObject({ strength: "near", isReworded: true });
  expect(likenessTo(KOFI).score).toBeLessThan(likenessTo(boateng).score);
  const other = { ...KOFI, name: "Kofi BOATENG", surname: "BOATENG", given: "KOFI" };
  expect(likenessTo(KOFI).score).toBeGreaterThan(likenessTo(other).score);
});

it("a person with one half of the double surname scores more than one with another name", () => {
  const scoreOf = (text: string) => compare(text, ADA).score;
  expect(scoreOf("Ada Tarrow")).toBeGreaterThan(60);
  expect(scoreOf("Vane, Ada Ruth")).toBeGreaterThan(60);
  expect(scoreOf("Odile Tarrow")).toBeLessThan(45);
  expect(scoreOf("Ada Ruth")).toBe(0);
});
