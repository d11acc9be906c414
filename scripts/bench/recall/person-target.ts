/** A person as the target of a query: the parts of the name, in one letter case. Pure. */
import type { Address } from "../../../api/shared/values/address.ts";
import { wordsOf } from "../../../index-mappings/names/text.ts";
import type { IndexedPerson } from "../search/sample.ts";
import { agrees, writePostcode } from "./company-target.ts";
import type { Fact } from "./define-form.ts";
import type { FoundItem } from "./found-item.ts";
import { inCase, type Case } from "./wording.ts";

/** The target. */
export interface PersonTarget {
  id: string;
  forename: string;
  others: string[];
  surname: string;
  birth: string | undefined;
  town: string | undefined;
  postcode: string | undefined;
  address: Address;
}

/** The target with the name and town in one letter case. */
export function toPersonTarget(person: IndexedPerson, style: Case): PersonTarget {
  const { id, forename, otherForenames = "", surname, birth, address = {} } = person;
  return {
    id,
    forename: inCase(forename, style),
    others: otherForenames
      .split(" ")
      .filter(Boolean)
      .map((name) => inCase(name, style)),
    surname: inCase(surname, style),
    birth,
    town: address.locality && inCase(address.locality, style),
    postcode: writePostcode(address, style),
    address,
  };
}

/** True for the target, and for a person of the same full name who agrees with it in all facts of the query. */
export function isPerson(item: FoundItem, target: PersonTarget, facts: readonly Fact[]): boolean {
  if (item.path.includes(target.id)) return true;
  const { forename, others, surname } = target;
  const full = wordsOf([forename, ...others, surname].join(" ")).join("");
  return item.names.some((name) => nameWords(name).join("") === full) && agreesInAll(item, target, facts);
}

/** Whether address and birth of an item agree with the target's in all facts that the query states. */
function agreesInAll(item: FoundItem, target: PersonTarget, facts: readonly Fact[]): boolean {
  const shape = facts.includes("birth-month") ? "YYYY-MM" : facts.includes("birth-year") ? "YYYY" : "";
  const isSameBirth = item.birth?.slice(0, shape.length) === target.birth?.slice(0, shape.length);
  return (shape === "" || isSameBirth) && agrees(item, target, facts);
}

/** The forenames, as words, of each name of an item that has the target's surname. */
export function forenamesOf(item: FoundItem, { surname }: PersonTarget): string[][] {
  const end = wordsOf(surname);
  return item.names
    .map(nameWords)
    .filter((words) => words.slice(-end.length).join(" ") === end.join(" "))
    .map((words) => words.slice(0, -end.length));
}

const HONORIFIC = /^(?:SIR|LORD|DR|DOCTOR) /;

function nameWords(name: string): string[] {
  return wordsOf(wordsOf(name).join(" ").replace(HONORIFIC, ""));
}
