/** A company as the target of a query: the parts of its name and address, in one letter case. Pure. */
import type { Address } from "../../../api/shared/values/address.ts";
import { parseCompanyName } from "../../../index-mappings/names/company-name.ts";
import { foldText, wordsOf } from "../../../index-mappings/names/text.ts";
import type { SampledCompany } from "../search/sample.ts";
import type { Fact } from "./define-form.ts";
import type { FoundItem } from "./found-item.ts";
import { inCase, type Case } from "./wording.ts";

const POSTCODE = /^[A-Z]{1,2}\d[A-Z\d]? \d[A-Z]{2}$/;

/** The target. */
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
  /** The name key, and the address exactly as the register has it. */
  key: string;
  address: Address;
}

/** The target with all its texts in one letter case. */
export function toCompanyTarget(
  { number, name, address = {} }: Pick<SampledCompany, "number" | "name" | "address">,
  style: Case,
): CompanyTarget {
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

/** A British postcode, in upper or lower case (nobody writes one in title case); undefined for any other. */
export function writePostcode({ postal_code: postcode = "" }: Address, style: Case): string | undefined {
  if (!POSTCODE.test(postcode)) return undefined;
  return style === "lower" ? postcode.toLowerCase() : postcode;
}

/** True for the target, and for a company of the same name that agrees with it in all facts of the query. */
export function isCompany(item: FoundItem, target: CompanyTarget, facts: readonly Fact[]): boolean {
  if (item.path.includes(target.number)) return true;
  if (facts.includes("number")) return false;
  return parseCompanyName(item.title).key === target.key && agrees(item, target, facts);
}

const MEMBERS = { postcode: "postal_code", town: "locality", county: "region", country: "country" } as const;

/** Whether an address agrees with the target's in the stated facts. */
export function agrees(
  { address }: FoundItem,
  target: { address: Address },
  facts: readonly Fact[],
): boolean {
  return facts.every((fact) => {
    const member = fact in MEMBERS ? MEMBERS[fact as keyof typeof MEMBERS] : undefined;
    return !member || foldText(address[member] ?? "") === foldText(target.address[member] ?? "");
  });
}

/** Splits a name into the name without its legal ending, and the ending as it is written. */
function splitEnding(name: string): { core: string; ending: string | undefined } {
  const ending = parseCompanyName(name).endingWords.length;
  const chunks = name.split(/\s+/);
  let at = chunks.length;
  for (let words = 0; words < ending; words += wordsOf(chunks[at]).length) at -= 1;
  return { core: chunks.slice(0, at).join(" "), ending: chunks.slice(at).join(" ") || undefined };
}
