/** Owns a company as what a query is written for: the parts of its name and address, in one letter case. Pure. */
import type { Address } from "../../../api/shared/values/address.ts";
import { parseCompanyName } from "../../../index-mappings/names/company-name.ts";
import { foldText, wordsOf } from "../../../index-mappings/names/text.ts";
import type { SampledCompany } from "../search/sample.ts";
import type { Fact } from "./define-form.ts";
import type { FoundItem } from "./found-item.ts";
import { inCase, type Case } from "./wording.ts";

const POSTCODE = /^[A-Z]{1,2}\d[A-Z\d]? \d[A-Z]{2}$/;

/** A company to ask for. */
export interface CompanyTarget {
  number: string;
  name: string;
  /** The name without its ending. */
  core: string;
  ending: string | undefined;
  town: string | undefined;
  county: string | undefined;
  country: string | undefined;
  postcode: string | undefined;
  /** Lines of the address above the town. */
  lines: string[];
  /** The name key, and the address as the register has it. */
  key: string;
  address: Address;
}

/** The company with all its texts in this letter case. */
export function toCompanyTarget({ number, name, address = {} }: SampledCompany, style: Case): CompanyTarget {
  const write = (text: string | undefined) => text && inCase(text, style);
  const { core, ending } = splitEnding(inCase(name.trim(), style));
  const { premises, address_line_1: street, address_line_2: second } = address;
  const first = [premises, street].filter(Boolean).join(" ");
  return {
    number,
    name: [core, ending].filter(Boolean).join(" "),
    core,
    ending,
    town: write(address.locality),
    county: write(address.region),
    country: write(address.country),
    postcode: writePostcode(address, style),
    lines: [first, second ?? ""].filter(Boolean).map((line) => inCase(line, style)),
    key: parseCompanyName(name).key,
    address,
  };
}

/** A British postcode, which nobody writes with a capital letter alone in front; undefined of any other. */
export function writePostcode({ postal_code: postcode = "" }: Address, style: Case): string | undefined {
  if (!POSTCODE.test(postcode)) return undefined;
  return style === "lower" ? postcode.toLowerCase() : postcode;
}

/** True for the very company, and for one of the same name that agrees with it in all that the query tells. */
export function isCompany(item: FoundItem, target: CompanyTarget, tells: readonly Fact[]): boolean {
  if (item.path.includes(target.number)) return true;
  if (tells.includes("number")) return false;
  return parseCompanyName(item.title).key === target.key && agrees(item, target, tells);
}

const MEMBERS = { postcode: "postal_code", town: "locality", county: "region", country: "country" } as const;

/** True when an address has what is told of the target's. */
export function agrees(
  { address }: FoundItem,
  target: { address: Address },
  tells: readonly Fact[],
): boolean {
  return tells.every((fact) => {
    const member = fact in MEMBERS ? MEMBERS[fact as keyof typeof MEMBERS] : undefined;
    return !member || foldText(address[member] ?? "") === foldText(target.address[member] ?? "");
  });
}

/** A name without its legal ending, and the ending as it is written. */
function splitEnding(name: string): { core: string; ending: string | undefined } {
  const ending = parseCompanyName(name).endingWords.length;
  const chunks = name.split(/\s+/);
  let at = chunks.length;
  for (let words = 0; words < ending; words += wordsOf(chunks[at]).length) at -= 1;
  return { core: chunks.slice(0, at).join(" "), ending: chunks.slice(at).join(" ") || undefined };
}
