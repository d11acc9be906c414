/** The id that joins the notifications of one person or body over all companies. */
import { parseTypedNumber } from "../../shared/values/company-number.ts";
import { deriveId } from "../../shared/values/identifiers.ts";
import { LEADING_TITLE } from "../leading-title.ts";
import { findPscKind } from "./kinds.ts";
import type { Identification, Psc } from "./members.ts";

// Names that people write for the UK register of companies, and words that may stand beside them. A text with any other
// word may name another register, whose numbers look the same: Charity Commission, OSCR, Jersey, New South Wales.
const COMPANIES_REGISTER = anyOf(
  "compan(y|ies) ?house|england|english|wales|welsh|scotland|scottish|n(orthern)? ireland",
  "united kingdom|(great )?britain|british|u ?k|gb",
);
const BESIDE_IT = anyOf(
  "of|for|the|in|at|and|by|regist\\w+|maintained|kept|held|compan(y|ies)|public|private|limited|ltd|plc|acts?|office",
  "cardiff|crown way|cf|uz|edinburgh|belfast|london|n a|not applicable|none",
);

/**
 * The id of the person or body, the same in every load and for every company. It is derived from name and month of
 * birth for an individual, and from the registration, else the name, for a body. Empty for the super-secure, who must
 * not be joined. An id that a source states is not used: the snapshot has none, so one person would get two ids.
 *
 * Limit: two people of one name who were born in the same month share an id. An individual without a date of birth is
 * joined within one company only, because names alone would join strangers. A body with a number of another register
 * that it does not name is taken for the company of that number.
 */
export function pscIdOf(psc: Psc): string {
  switch (findPscKind(psc.kind)?.subject) {
    case "individual":
      return deriveIndividualId(psc);
    case "corporate-entity":
    case "legal-person":
      return deriveBodyId(psc);
    case "super-secure":
    case undefined:
      return "";
  }
}

function deriveIndividualId(psc: Psc): string {
  const { date_of_birth: birth, name_elements: elements } = psc;
  const name = elements
    ? fold([elements.forename, elements.middle_name, elements.surname].filter(Boolean).join(" "))
    : fold(psc.name ?? "").replace(LEADING_TITLE, "");
  const born = birth ? `${birth.year}-${birth.month}` : psc.company_number;
  return deriveId("psc", "individual", name, born);
}

function deriveBodyId({ name = "", identification }: Psc): string {
  const registration = identification && readRegistration(identification);
  return registration ? deriveId("psc", "registered", ...registration) : deriveId("psc", "named", fold(name));
}

/** Register and number in it; null if the number is missing or a word, or no register is named. */
function readRegistration(identification: Identification): [string, string] | null {
  const { registration_number: number = "", country_registered = "", place_registered = "" } = identification;
  const country = fold(country_registered);
  const register = fold(`${place_registered} ${country}`);
  if (register === "" || !/[1-9]/.test(number)) return null;
  const companyNumber = isCompaniesRegister(register) ? parseTypedNumber(number) : null;
  if (companyNumber) return ["uk", companyNumber];
  // Abroad, the country stands for the register, whose name is written in many ways. The UK has several registers.
  const isAbroad = country !== "" && !isCompaniesRegister(country);
  return [isAbroad ? country : register, fold(number)];
}

/** True for a text that names the UK register of companies and nothing else. */
function isCompaniesRegister(register: string): boolean {
  const words = register.replace(/[^\p{L}]+/gu, " ");
  const others = words.replace(COMPANIES_REGISTER, "");
  return others !== words && others.replace(BESIDE_IT, "").trim() === "";
}

function anyOf(...words: string[]): RegExp {
  return new RegExp(`\\b(${words.join("|")})\\b`, "g");
}

function fold(text: string): string {
  return text.toLowerCase().replace(/\s+/g, " ").trim();
}
