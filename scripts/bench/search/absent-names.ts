/** Makes names that nobody on the register has, nor a similar one: generated with another seed, or invented. */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { CompanyProfile } from "../../../api/resources/company-profile/members.ts";
import { createRandom, shuffle, type Random } from "../random.ts";
import { inCase } from "../recall/wording.ts";
import { generateRegister } from "../register/generate.ts";
import { readRecords } from "../register/read-records.ts";
import type { RegisterNames } from "./register-names.ts";

/** Names that are not on the register, nor similar to one that is. */
export interface AbsentNames {
  companies: string[];
  people: string[];
}

const COMPANIES = 500;
const PEOPLE = 200;
const CANDIDATES = 40_000;
const OTHER_SEED = 7_919;
const TRIES = 10_000;

const STARTS =
  "bl br cr dr fl gl gr kl kn pl pr qu sc sk sl sp st sw tr tw v w y z b d f g h j k l m n p".split(" ");
const VOWELS = "a e i o u ai ea oo ou".split(" ");
const ENDS = "b ck d ft g ld lm lt mb nd ng nk p rb rk rn sk st th v x zz".split(" ");
const ENDINGS = ["LIMITED", "LTD", "LLP", "PLC", ""];
const FORENAMES = "David Sarah Mohammed Helen Peter Agnieszka John Margaret".split(" ");

/** Names far from all in `names`. Half of the companies' names come from the generator; all others are invented. */
export async function absentNames(names: RegisterNames, folder: string, seed: number): Promise<AbsentNames> {
  const random = createRandom(seed + OTHER_SEED);
  const generated = await generateOtherNames(folder, seed);
  const isAbsentCompany = (name: string) => names.isAbsentCompany(name);
  const isAbsentPerson = (name: string) => names.isAbsentPerson(name);
  const known = takeAbsent(shuffle(generated, random), COMPANIES / 2, isAbsentCompany);
  const invented = invent(COMPANIES - known.length, () => inventCompany(random), isAbsentCompany);
  return {
    companies: [...known, ...invented],
    people: invent(PEOPLE, () => inventPerson(random), isAbsentPerson),
  };
}

/** The first `count` candidates that are absent. It stops then, because the check is expensive. */
function takeAbsent(
  candidates: Iterable<string>,
  count: number,
  isAbsent: (name: string) => boolean,
): string[] {
  const absent = new Set<string>();
  for (const name of candidates) {
    if (absent.size === count) break;
    if (isAbsent(name)) absent.add(name);
  }
  return [...absent];
}

/**
 * Names of the companies of another register: the generator makes them from another seed. As in real lists, some are
 * similar to those of the register with this seed.
 */
export async function generateOtherNames(parentFolder: string, seed: number): Promise<string[]> {
  const folder = join(parentFolder, "other-names");
  mkdirSync(folder);
  const size = { companies: CANDIDATES, seed: seed + OTHER_SEED };
  const { csv } = await generateRegister(folder, size, ["csv"]);
  const names: string[] = [];
  await readRecords(csv, (_record, stored) => {
    for (const { data } of stored) names.push((data as CompanyProfile).company_name); // the file has only companies
  });
  return names;
}

function invent(count: number, make: () => string, isAbsent: (name: string) => boolean): string[] {
  return takeAbsent(Array.from({ length: TRIES }, make), count, isAbsent);
}

function inventCompany(random: Random): string {
  const words = Array.from({ length: 1 + random.below(3) }, () => inventWord(random));
  return [...words, random.pick(ENDINGS)].filter(Boolean).join(" ").toUpperCase();
}

/** A person's name; half of the names have a common forename. */
function inventPerson(random: Random): string {
  const forename = random.below(2) === 0 ? random.pick(FORENAMES) : inCase(inventWord(random), "title");
  return `${forename} ${inCase(inventWord(random), "title")}`;
}

/** An invented word of two or three syllables that can be pronounced. */
function inventWord(random: Random): string {
  const syllables = Array.from(
    { length: 2 + random.below(2) },
    () => random.pick(STARTS) + random.pick(VOWELS),
  );
  return syllables.join("") + random.pick(ENDS);
}
