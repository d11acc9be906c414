/** Forms of queries with a company's name alone, and with another legal ending. */
import { parseCompanyName } from "../../../../index-mappings/names/company-name.ts";
import type { Random } from "../../random.ts";
import { beginningOf, twoWordsOf } from "../../search/kinds.ts";
import type { CompanyTarget } from "../company-target.ts";
import { formsOf, FULL_NAME, SLIP, text, type Form } from "../define-form.ts";
import type { FoundItem } from "../found-item.ts";
import { withSlips } from "../wording.ts";

const ENDINGS = ["Limited", "Ltd", "Ltd.", "PLC", "LLP", "CIC"];
const PLAIN = /^[a-z0-9]+( [a-z0-9]+)+$/i;
// A bank statement has only this many characters of a name.
const SHORTENED = 18;

/** Queries with the name, whole or in part. */
export const nameForms: readonly Form<CompanyTarget>[] = [
  ...formsOf<CompanyTarget>(
    { least: FULL_NAME },
    {
      "exact name": ({ name }) => name,
      "name without ending": ({ core }) => core,
      "lower case": ({ name }) => name.toLowerCase(),
      "the name": ({ core }) => `the ${core}`,
      "and for &": ({ name }) => replaced(name, " & ", " and "),
      "& without spaces": ({ name }) => replaced(name, " & ", "&"),
      "space for hyphen": ({ name }) => replaced(name, /(\w)-(\w)/, "$1 $2"),
      "hyphen for space": ({ core }) => (PLAIN.test(core) ? core.replaceAll(" ", "-") : undefined),
      "words joined": ({ core }) => (PLAIN.test(core) ? core.replaceAll(" ", "") : undefined),
      "two words joined, ending": ({ core, ending }) =>
        PLAIN.test(core) ? text`${core.replace(" ", "")} ${ending}` : undefined,
    },
  ),
  {
    name: "beginning of a name",
    write: ({ core }, random) => beginningOf(core, 3 + random.below(6)),
    fits: beginsWith,
  },
  {
    name: "name cut short",
    least: FULL_NAME,
    write: ({ name }) => (name.length > SHORTENED ? name.slice(0, SHORTENED).trim() : undefined),
    fits: beginsWith,
  },
  { name: "two words, any order", write: twoWords, fits: hasWords },
  { name: "typing slip", least: SLIP, write: ({ core }, random) => withSlips(core, random) },
];

/** Queries in which the legal ending is in another place, or is another one. */
export const endingForms: readonly Form<CompanyTarget>[] = [
  ...formsOf<CompanyTarget>(
    { least: FULL_NAME },
    {
      "ending in front": ({ core, ending }) => text`${ending} ${core}`,
      "ending in brackets": ({ core, ending }) => text`${core} (${ending})`,
      "comma, ending": ({ core, ending }) => text`${core}, ${ending}`,
      "ending doubled": ({ name, ending }) => text`${name} ${ending}`,
      "ending doubled, both spellings": ({ core, ending }) => ending && `${core} Ltd Limited`,
      "wrong ending": wrongEnding,
      "ending and trailing signs": ({ core }, random) =>
        `${core} Ltd${random.pick([".,", ".;", " -", ".:"])}`,
    },
  ),
  ...formsOf<CompanyTarget>(
    { least: FULL_NAME, facts: ["town"] },
    {
      "ending in brackets, town": ({ core, ending, town }) => text`${core} (${ending}) ${town}`,
      "town, ending": ({ core, ending, town }) => text`${core} ${town} ${ending}`,
      "(town) ending": ({ core, ending, town }) => text`${core} (${town}) ${ending}`,
      "wrong ending, town": (target, random) => text`${wrongEnding(target, random)}, ${target.town}`,
    },
  ),
];

function replaced(name: string, old: string | RegExp, by: string): string | undefined {
  const written = name.replace(old, by);
  return written === name ? undefined : written;
}

function twoWords({ name, core }: CompanyTarget, random: Random): string | undefined {
  const words = twoWordsOf(name, random);
  return core.split(" ").length > 2 && words.includes(" ") ? words : undefined;
}

/** Whether a name has every word of the query. */
function hasWords({ names }: FoundItem, _target: CompanyTarget, query: string): boolean {
  const asked = parseCompanyName(query).words;
  return names.some((name) => {
    const { words } = parseCompanyName(name);
    return asked.every((word) => words.includes(word));
  });
}

/** Whether a name begins with the letters of the query. */
export function beginsWith({ names }: FoundItem, _target: unknown, query: string): boolean {
  const { key } = parseCompanyName(query);
  return names.some((name) => parseCompanyName(name).key.startsWith(key));
}

function wrongEnding({ core, ending }: CompanyTarget, random: Random): string | undefined {
  if (!ending) return undefined;
  const own = parseCompanyName(`${core} ${ending}`).end;
  const others = ENDINGS.filter((other) => parseCompanyName(`${core} ${other}`).end !== own);
  return `${core} ${random.pick(others)}`;
}
