/** Forms of queries with a partly typed name or number of a company. */
import type { Random } from "../../random.ts";
import { beginningOf } from "../../search/kinds.ts";
import type { CompanyTarget } from "../company-target.ts";
import { formsOf, SLIP, type Form, type Least } from "../define-form.ts";
import type { FoundItem } from "../found-item.ts";
import { slipInWord } from "../wording.ts";
import { beginsWith } from "./company-names.ts";
import { withoutZeros } from "./company-numbers.ts";

const TYPED: Least = { found: 0.97 };
const TYPED_LETTERS = 8;
const TYPED_DIGITS = 5;
const PLAIN_WORDS = /^([a-z]+) ([a-z]+)/i;

/** Partly typed queries; every company whose name or number begins so counts as the target. */
export const suggestForms: readonly Form<CompanyTarget>[] = [
  ...formsOf<CompanyTarget>(
    { least: TYPED, fits: beginsWith },
    {
      "suggest, 5 letters": ({ name }) => beginningOf(name, 5),
      "suggest, 8 letters": ({ name }) => beginningOf(name, 8),
      "suggest, joined beginning": ({ core }) =>
        firstWords(core)
          ?.join("")
          .slice(0, TYPED_LETTERS + 4),
    },
  ),
  ...formsOf<CompanyTarget>(
    { least: TYPED, fits: beginsWithNumber },
    {
      "suggest, number half typed": ({ number }) => number.slice(0, TYPED_DIGITS),
      "suggest, number half typed, zeros lost": ({ number }) => withoutZeros(number)?.slice(0, TYPED_DIGITS),
    },
  ),
  {
    name: "suggest, slip in 8 letters",
    least: SLIP,
    write: ({ core }, random) => slipIn(typedLetters(core), random),
    fits: (item, { core }) => beginsWith(item, core, typedLetters(core) ?? core),
  },
  {
    name: "suggest, slip, next word begun",
    least: SLIP,
    write: ({ core }, random) => {
      const [first, second = ""] = firstWords(core) ?? [];
      const slipped = first && first.length > 5 ? slipIn(first, random) : undefined;
      return slipped && `${slipped} ${second.slice(0, 2)}`;
    },
    fits: (item, { core }) => {
      const [first = core, second = ""] = firstWords(core) ?? [];
      return beginsWith(item, core, `${first} ${second.slice(0, 2)}`);
    },
  },
];

function slipIn(typed: string | undefined, random: Random): string | undefined {
  return typed && slipInWord(typed, random);
}

function typedLetters(core: string): string | undefined {
  const typed = core.slice(0, TYPED_LETTERS);
  return /^[a-z]{8}$/i.test(typed) ? typed : undefined;
}

function firstWords(core: string): [string, string] | undefined {
  const [, first, second] = PLAIN_WORDS.exec(core) ?? [];
  return first && second ? [first, second] : undefined;
}

function beginsWithNumber({ path }: FoundItem, _target: CompanyTarget, query: string): boolean {
  const number = path.at(-1) ?? "";
  return [number, withoutZeros(number)].some((written) => written?.startsWith(query));
}
