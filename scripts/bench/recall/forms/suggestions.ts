/** Owns the forms in which a company's name or number has been typed in part. */
import { beginningOf } from "../../search/kinds.ts";
import type { CompanyTarget } from "../company-target.ts";
import { SLIP, type Form, type Least } from "../define-form.ts";
import type { FoundItem } from "../found-item.ts";
import { slipInWord } from "../wording.ts";
import { beginsWith } from "./company-names.ts";

const TYPED: Least = { found: 0.97 };
const TYPED_WITH_SLIP = 8;
const TYPED_DIGITS = 5;

/** Forms of half-typed queries; whatever begins as it was typed is as good as the target. */
export const suggestForms: readonly Form<CompanyTarget>[] = [
  { name: "suggest, 5 letters", least: TYPED, write: ({ name }) => beginningOf(name, 5), fits: beginsWith },
  {
    name: "suggest, slip in 8 letters",
    least: SLIP,
    write: ({ core }, random) => {
      const typed = core.slice(0, TYPED_WITH_SLIP);
      return /^[a-z]{8}$/i.test(typed) ? slipInWord(typed, random) : undefined;
    },
    fits: (item, { core }) => beginsWith(item, core, core.slice(0, TYPED_WITH_SLIP)),
  },
  {
    name: "suggest, slip, first word whole",
    least: SLIP,
    write: ({ core }, random) => {
      const [first = "", second] = core.split(" ");
      return second && /^[a-z]{6,}$/i.test(first)
        ? `${slipInWord(first, random)} ${second.slice(0, 2)}`
        : undefined;
    },
    fits: (item, { core }) => {
      const [first = "", second = ""] = core.split(" ");
      return beginsWith(item, core, `${first} ${second.slice(0, 2)}`);
    },
  },
  {
    name: "suggest, number half typed",
    least: TYPED,
    write: ({ number }) => number.slice(0, TYPED_DIGITS),
    fits: hasNumber,
  },
  {
    name: "suggest, number half typed, zeros lost",
    least: TYPED,
    write: ({ number }) =>
      number.startsWith("0") ? number.replace(/^0+/, "").slice(0, TYPED_DIGITS) : undefined,
    fits: hasNumber,
  },
  {
    name: "suggest, joined beginning",
    least: TYPED,
    write: ({ core }) => {
      const [first = "", second] = core.split(" ");
      return second && /^[a-z]+$/i.test(first + second) ? first + second.slice(0, 2) : undefined;
    },
    fits: beginsWith,
  },
];

function hasNumber({ path }: FoundItem, _target: CompanyTarget, query: string): boolean {
  const number = path.at(-1) ?? "";
  return number.startsWith(query) || number.replace(/^0+/, "").startsWith(query);
}
