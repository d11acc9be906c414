import { describe, expect, it } from "@jest/globals";
import type { Strength } from "../../../api/matching/define-match.ts";
import { comparePersonNames, personReadings } from "../../../api/matching/person-names.ts";

const ODILE = { name: "Odile Jane TARROW", surname: "TARROW", given: "ODILE JANE", current: true };
const JEAN = { name: "Jean-Luc TARROW", surname: "TARROW", given: "JEAN LUC JEANLUC", current: true };
const KOFI = { name: "Kofi MENSAH", surname: "MENSAH", given: "KOFI", current: true };
const RAO = { name: "Venkata RAO", surname: "RAO", given: "VENKATA", current: true };
const ADA = { name: "Ada Ruth TARROW-VANE", surname: "TARROWVANE", given: "ADA RUTH", current: true };

describe("two names of people", () => {
  it.each<[text: string, name: typeof ODILE, strength: Strength]>([
    ["Odile Jane Tarrow", ODILE, "exact"],
    ["TARROW, Odile Jane", ODILE, "exact"],
    ["Mrs Odile Jane Tarrow OBE", ODILE, "exact"],
    ["Jean-Luc Tarrow", JEAN, "exact"],
    ["jean luc tarrow", JEAN, "exact"],
    ["Odile Tarrow", ODILE, "same"],
    ["Odile J Tarrow", ODILE, "same"],
    ["O J Tarrow", ODILE, "near"],
    ["Odille Tarrow", ODILE, "near"],
    ["Odile Jane Tarow", ODILE, "near"],
    ["Odile Mary Tarrow", ODILE, "weak"],
    ["Jane Tarrow", ODILE, "weak"],
    ["Tarrow", ODILE, "weak"],
    ["Ruth Tarrow", ODILE, "weak"],
    ["Odile Jane Quillory", ODILE, "weak"],
    ["Rao, Venkata D B A Murthy", RAO, "same"],
    ["Kofi Mensah a/k/a Boateng", KOFI, "exact"],
    ["Kofi Mensah (aka Boateng)", KOFI, "exact"],
    ["Ada Tarrow-Vane", ADA, "same"],
    ["Ada Tarrow", ADA, "weak"],
  ])("%s and %j are alike: %s", (text, name, strength) => {
    expect(comparePersonNames(personReadings(text), name).strength).toBe(strength);
  });
});

it("does not take a surname that is a word of aliases as well for one", () => {
  const placeless = personReadings("Kofi Mensah Aka Boateng").filter(({ agreeing }) => agreeing === 0);
  expect(comparePersonNames(placeless, KOFI).strength).toBe("weak");
});

it("shows who has one half of a double surname before other names", () => {
  const scoreOf = (text: string) => comparePersonNames(personReadings(text), ADA).score;
  expect(scoreOf("Ada Tarrow")).toBeGreaterThan(60);
  expect(scoreOf("Vane, Ada Ruth")).toBeGreaterThan(60);
  expect(scoreOf("Odile Tarrow")).toBeLessThan(45);
  expect(scoreOf("Ada Ruth")).toBe(0);
});
