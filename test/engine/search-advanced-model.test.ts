/** The advanced search over ten thousand companies: every filter alone, and many together, against a plain model. */
import { beforeAll, describe, expect, test } from "@jest/globals";
import { createRandom, type Random } from "../../scripts/bench/random.ts";
import { forAllTests } from "../support/for-all-tests.ts";
import { compareBytes, type KnownCompany, manyCompanies } from "../support/search-many-companies.ts";
import { idsOf, openRegister } from "../support/search-register.ts";

const PATH = "/advanced-search/companies";
const SEED = 20261122;
// Sorted by key, then by number: a key comes before longer keys that begin with it, whatever the number.
const companies = manyCompanies(10_000, SEED).sort(
  (a, b) =>
    compareBytes(a.core.join(""), b.core.join("")) ||
    compareBytes(a.line.company_number, b.line.company_number),
);

const register = forAllTests(openRegister);
beforeAll(async () => {
  await register.add(companies.map(({ line }) => line));
});

/** A condition as a query, and as a predicate of the model. */
interface Condition {
  params: Record<string, string | string[]>;
  holds: (company: KnownCompany) => boolean;
}

/** Adds each run of single letters as one more word. */
function withJoined(words: string[]): string[] {
  const runs = words.map((word) => (/^\p{L}$/u.test(word) ? word : " ")).join("");
  return [...words, ...runs.split(/ +/).filter((run) => [...run].length > 1)];
}

const nameWords = new Map(
  companies.map((known) => {
    const the = known.hasThe ? ["THE"] : [];
    return [known, new Set([...the, ...known.groups.flatMap(withJoined), ...known.ending])] as const;
  }),
);
const hasWord = (known: KnownCompany, word: string) => nameWords.get(known)?.has(word) ?? false;

const ASKED_WORDS = [
  ..."TARN TARNWICK WICK HWQ H Q X A AND PLUS THE LIMITED LTD PLC CIC COMMUNITY UK GROUP CO 24 7".split(" "),
  ..."PERCENT CAFE LODZ OTARN TARNS QUIL ТАРН COMPANY CYFYNGEDIG 2009 TARNA".split(" "),
];
const SPELT: Record<string, string> = { AND: "&", PLUS: "+", PERCENT: "%", CAFE: "Café", TARNS: "tarn’s" };
const spell = (word: string) => SPELT[word] ?? word.toLowerCase();

const dayOf = (random: Random) =>
  `${1988 + random.below(34)}-${String(1 + random.below(12)).padStart(2, "0")}-15`;

function anyOf(name: string, member: (known: KnownCompany) => string[], values: string[]) {
  return (random: Random): Condition => {
    const asked = [...new Set([random.pick(values), random.pick(values)])];
    const isRepeated = random.below(2) === 0;
    return {
      params: { [name]: isRepeated ? asked : asked.join(",") },
      holds: (known) => member(known).some((value) => asked.includes(value)),
    };
  };
}

function onDay(name: string, member: "date_of_creation" | "date_of_cessation", isFrom: boolean) {
  return (random: Random): Condition => {
    // Half of the days come from companies, so that both ends of ranges are tested.
    const known = random.below(2) === 0 ? random.pick(companies).line[member] : undefined;
    const day = known ?? dayOf(random);
    const holds = ({ line: { [member]: own } }: KnownCompany) =>
      own !== undefined && (isFrom ? own >= day : own <= day);
    return { params: { [name]: day }, holds };
  };
}

const present = (value: string | undefined) => (value === undefined ? [] : [value]);

const CONDITIONS: Record<string, (random: Random) => Condition> = {
  company_name_includes: (random) => {
    const words =
      random.below(2) === 0
        ? [random.pick(ASKED_WORDS)]
        : [random.pick(ASKED_WORDS), random.pick(ASKED_WORDS)];
    const forms = [words, withJoined(words).slice(words.length)].filter((form) => form.length > 0);
    const isJoined = forms.length > 1 && words.every((word) => /^\p{L}$/u.test(word));
    const asked = isJoined ? forms : [words];
    return {
      params: { company_name_includes: words.map(spell).join(" ") },
      holds: (known) => asked.some((form) => form.every((word) => hasWord(known, word))),
    };
  },
  company_name_excludes: (random) => {
    // A number between the words, so that single letters are not read as initials.
    const words = [random.pick(ASKED_WORDS), "9", random.pick(ASKED_WORDS)];
    return {
      params: { company_name_excludes: words.map(spell).join(" ") },
      holds: (known) => !words.some((word) => hasWord(known, word)),
    };
  },
  company_status: anyOf("company_status", ({ line }) => present(line.company_status), [
    ...["active", "dissolved", "liquidation", "administration", "closed", "open", "removed"],
  ]),
  company_type: anyOf("company_type", ({ line }) => present(line.type), [
    ...["ltd", "plc", "llp", "limited-partnership", "oversea-company", "royal-charter"],
  ]),
  company_subtype: anyOf("company_subtype", ({ line }) => present(line.subtype), [
    "community-interest-company",
    "private-fund-limited-partnership",
  ]),
  sic_codes: anyOf("sic_codes", ({ line }) => line.sic_codes ?? [], ["11050", "56302", "61900", "00000"]),
  incorporated_from: onDay("incorporated_from", "date_of_creation", true),
  incorporated_to: onDay("incorporated_to", "date_of_creation", false),
  dissolved_from: onDay("dissolved_from", "date_of_cessation", true),
  dissolved_to: onDay("dissolved_to", "date_of_cessation", false),
  location: (random) => {
    const words = [
      random.pick(["LANE", "TARNBY", "ROW", "OQUILL", "HIGH"]),
      random.pick(["LANE", "END", "CHATEAU", "TARNBY"]),
    ];
    return {
      params: { location: words.map((word) => (word === "CHATEAU" ? "château" : word)).join(", ") },
      holds: ({ address }) => words.every((word) => address.includes(word)),
    };
  },
};

async function expectFound(conditions: Condition[], size: number, start = 0): Promise<number> {
  const found = companies.filter((known) => conditions.every(({ holds }) => holds(known)));
  const ids = found.map(({ line }) => line.company_number);
  const params = Object.assign({}, ...conditions.map((condition) => condition.params)) as Condition["params"];
  const query = { ...params, size: String(size), start_index: String(start) };
  const answer = await register.ask(PATH, query).catch((error: { status?: number }) => error);
  if (!("items" in answer)) expect([params, answer.status, ids]).toEqual([params, 404, []]);
  else {
    expect([params, answer.hits]).toEqual([params, ids.length]);
    expect([params, idsOf(answer)]).toEqual([params, ids.slice(start, start + size)]);
  }
  return ids.length;
}

test.each(Object.entries(CONDITIONS))(
  "%s alone finds what the model finds, in the same order",
  async (_name, drawCondition) => {
    const random = createRandom(SEED + 1);
    const counts: number[] = [];
    for (let round = 0; round < 8; round += 1)
      counts.push(await expectFound([drawCondition(random)], 50 + random.below(500)));
    expect(Math.max(...counts)).toBeGreaterThan(0);
  },
);

test("several conditions together find what the model finds", async () => {
  const random = createRandom(SEED + 2);
  const counts: number[] = [];
  for (let round = 0; round < 150; round += 1) {
    const makers = Object.values(CONDITIONS).filter(() => random.below(5) < 2);
    counts.push(
      await expectFound(
        makers.map((make) => make(random)),
        1 + random.below(100),
        random.below(3) * 40,
      ),
    );
  }
  expect(counts.filter((count) => count > 0).length).toBeGreaterThan(50);
  expect(counts).toContain(0);
});

describe("the whole register", () => {
  test("comes in two pages of five thousand, ordered by key and number", async () => {
    await expectFound([], 5000);
    await expectFound([], 5000, 5000);
  });

  test("is cut at its last page", async () => {
    await expectFound([], 20, 9980);
    await expectFound([], 7, 4999);
  });
});
