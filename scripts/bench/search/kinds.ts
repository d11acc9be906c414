/** The kinds of queries with which searches are measured: what people type, drawn from the register. Pure. */
import { shuffle, type Random } from "../random.ts";
import type { RegisterSample, SampledCompany } from "./sample.ts";

/** One kind of query. */
export interface QueryKind {
  name: string;
  /** Path of the search. */
  path: string;
  /** Query parameters of one request. */
  draw: (sample: RegisterSample, random: Random) => Record<string, string>;
}

const LETTERS = "abcdefghijklmnopqrstuvwxyz";
const STOP_WORDS = ["of", "the", "and", "for", "in", "company", "limited", "ltd"];
const LONG_WORD = 6;
const COMPANIES = "/search/companies";
const OFFICERS = "/search/officers";
const CONTROLLERS = "/search/persons-with-significant-control";
const SUGGEST = "/suggest/companies";
const SUGGESTED_LETTERS = [1, 2, 3, 5, 8];

/** Every kind, in the order of the table. */
export const queryKinds: readonly QueryKind[] = [
  {
    name: "exact name",
    path: COMPANIES,
    draw: ({ companies }, random) => ({ q: random.pick(companies).name }),
  },
  {
    name: "exact number",
    path: COMPANIES,
    draw: ({ companies }, random) => ({ q: random.pick(companies).number }),
  },
  {
    name: "beginning of a name",
    path: COMPANIES,
    draw: ({ companies }, random) => ({ q: beginningOf(random.pick(companies).name, 3 + random.below(6)) }),
  },
  {
    name: "two words, any order",
    path: COMPANIES,
    draw: ({ companies }, random) => ({ q: twoWordsOf(pickLong(companies, random), random) }),
  },
  {
    name: "typing slip",
    path: COMPANIES,
    draw: ({ companies }, random) => ({ q: slipIn(pickSlippery(companies, random), random) }),
  },
  { name: "one letter", path: COMPANIES, draw: (_sample, random) => ({ q: random.pick([...LETTERS]) }) },
  {
    name: "stop words",
    path: COMPANIES,
    draw: (_sample, random) => ({
      q: shuffle(STOP_WORDS, random)
        .slice(0, 1 + random.below(3))
        .join(" "),
    }),
  },
  { name: "of the and", path: COMPANIES, draw: () => ({ q: "of the and" }) },
  {
    name: "person, full name",
    path: OFFICERS,
    draw: ({ persons }, random) => {
      const { forename, surname } = random.pick(persons);
      return { q: `${forename} ${surname}` };
    },
  },
  {
    name: "person, surname",
    path: OFFICERS,
    draw: ({ persons }, random) => ({ q: random.pick(persons).surname }),
  },
  {
    name: "person with control, full name",
    path: CONTROLLERS,
    draw: ({ people }, random) => {
      const { forename, surname } = random.pick(people["persons-with-significant-control"] ?? []);
      return { q: `${forename} ${surname}` };
    },
  },
  {
    name: "alphabetical",
    path: "/alphabetical-search/companies",
    draw: ({ companies }, random) => ({ q: random.pick(companies).name }),
  },
  {
    name: "dissolved, best match",
    path: "/dissolved-search/companies",
    draw: ({ dissolved }, random) => ({ q: random.pick(dissolved).name, search_type: "best-match" }),
  },
  {
    name: "advanced, filters",
    path: "/advanced-search/companies",
    draw: ({ companies }, random) => filtersFor(random.pick(companies)),
  },
  {
    name: "all kinds together",
    path: "/search",
    draw: ({ companies, persons }, random) => {
      const { forename, surname } = random.pick(persons);
      return { q: random.below(2) === 0 ? `${forename} ${surname}` : random.pick(companies).name };
    },
  },
  {
    name: "name availability",
    path: "/name-availability/companies",
    draw: ({ companies }, random) => ({ q: random.pick(companies).name }),
  },
  ...SUGGESTED_LETTERS.map((letters): QueryKind => ({
    name: `suggest, ${letters} letter${letters === 1 ? "" : "s"}`,
    path: SUGGEST,
    draw: ({ companies }, random) => ({ q: beginningOf(random.pick(companies).name, letters) }),
  })),
];

/** The first `letters` characters of a name, in lower case, without a space at the end. */
export function beginningOf(name: string, letters: number): string {
  return name.toLowerCase().slice(0, letters).trim() || name.slice(0, 1);
}

/** Two words of a name in either order; they need not be neighbours. */
export function twoWordsOf(name: string, random: Random): string {
  return shuffle(wordsOf(name), random).slice(0, 2).join(" ");
}

/** A name without its ending, with one letter of a long word replaced. */
export function slipIn(name: string, random: Random): string {
  const words = wordsOf(name);
  const long = words.flatMap((word, position) => (word.length >= LONG_WORD ? [position] : []));
  const at = random.pick(long);
  const word = words[at] ?? "";
  const place = 1 + random.below(word.length - 2);
  const letter = random.pick([...LETTERS].filter((other) => other !== word[place]));
  return words.with(at, word.slice(0, place) + letter + word.slice(place + 1)).join(" ");
}

const ENDING = /\s+(limited|ltd\.?|cyfyngedig|cio|llp|l\.l\.p\.|plc|cic|c\.i\.c\.|lp)\s*$/;

function wordsOf(name: string): string[] {
  return name
    .toLowerCase()
    .replace(ENDING, "")
    .split(/\s+/)
    .filter((word) => /^[a-z]{2,}$/.test(word));
}

function pickLong(companies: SampledCompany[], random: Random): string {
  return random.pick(companies.filter(({ name }) => wordsOf(name).length >= 3)).name;
}

function pickSlippery(companies: SampledCompany[], random: Random): string {
  return random.pick(companies.filter(({ name }) => wordsOf(name).some((word) => word.length >= LONG_WORD)))
    .name;
}

/** Filters that match at least this company. */
function filtersFor({ name, status, created, sic, locality }: SampledCompany): Record<string, string> {
  const [word] = wordsOf(name);
  return {
    // Compat: `registered` is a status of companies, but the advanced search does not accept it.
    ...(status && status !== "registered" && { company_status: [...new Set([status, "active"])].join(",") }),
    ...(created && { incorporated_from: created }),
    ...(word && { company_name_includes: word }),
    ...(sic && { sic_codes: sic }),
    ...(locality && { location: locality }),
  };
}
