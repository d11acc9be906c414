/**
 * For property-based tests of searches: a large random register, and queries for its names, most of them with slips.
 */
import { createRandom, type Random } from "../../scripts/bench/random.ts";
import { manyCompanies } from "./search-many-companies.ts";
import type { RegisterLine } from "./search-register.ts";

const COMPANIES = 1_000;
const FORENAMES = ["Odile", "Ruth", "Jean-Luc", "Zoë", "A", "Ignatia Mary", "Corwin"];

/** Companies, some of which have other companies' names as previous names, and people named with words of companies. */
export function registerLines(random: Random): RegisterLine[] {
  const companies = manyCompanies(COMPANIES, 11).map(({ line }) => line);
  const named = companies.map((line) => ({
    ...line,
    ...(random.below(3) === 0 && {
      previous_company_names: [
        { name: random.pick(companies).company_name, ceased_on: "2010-01-02" },
        { name: random.pick(companies).company_name, ceased_on: "2012-01-02" },
      ],
    }),
  }));
  const people = Array.from({ length: 400 }, (_, index) => ({
    officer_id: `officer-${index}`,
    ...(random.below(5) === 0
      ? { corporate_name: random.pick(companies).company_name }
      : {
          forename: random.pick(FORENAMES),
          surname: random
            .pick(companies)
            .company_name.split(" ")
            .slice(0, 1 + random.below(2))
            .join(" "),
        }),
    active_count: random.below(3),
    resigned_count: 1,
    ...(random.below(4) === 0 && { disqualified_until: "2099-01-01" }),
  }));
  return [...named, ...people];
}

/** Names of the register as people type them: with some words missing, in another order, or with slips. */
export function queries(lines: RegisterLine[], seed: number, count = 25): string[] {
  const random = createRandom(seed);
  return Array.from({ length: count }, () => {
    const line = random.pick(lines) as {
      company_name?: string;
      corporate_name?: string;
      forename?: string;
      surname?: string;
    };
    const name = line.company_name ?? line.corporate_name ?? `${line.forename} ${line.surname}`;
    let words = name.split(" ").filter(Boolean);
    if (random.below(3) === 0) words = words.slice(0, 1 + random.below(words.length));
    if (random.below(4) === 0) words = words.toReversed();
    let text = words.join(" ");
    for (let slips = random.below(4); slips > 0; slips -= 1) text = withSlip(random, text);
    return text.trim() || name;
  });
}

function withSlip(random: Random, text: string): string {
  const at = random.below(text.length);
  const slip = random.below(5);
  if (slip === 0) return text.slice(0, at) + text.slice(at + 1);
  if (slip === 1) return text.slice(0, at) + random.pick([..."TAREX "]) + text.slice(at);
  if (slip === 2)
    return (
      text.slice(0, at) +
      text
        .slice(at, at + 2)
        .split("")
        .toReversed()
        .join("") +
      text.slice(at + 2)
    );
  return text.slice(0, at) + random.pick([..."TARWQ"]) + text.slice(at + 1);
}
