/** Owns the id that joins the notifications of one person or body over all companies. */
import { parseCompanyNumber } from "../../shared/values/company-number.ts";
import { deriveId } from "../../shared/values/identifiers.ts";
import { findPscKind } from "./kinds.ts";
import type { Identification, Psc } from "./members.ts";

/** A title before a name: some notifications of a person have it and others do not. */
export const LEADING_TITLE =
  /^(mr|mrs|miss|ms|mx|master|dr|doctor|prof|professor|sir|dame|lord|lady|rev|reverend)\.? /i;
// Place names that people write for the register of this country, and those of other countries that contain one of them.
const UK_REGISTER =
  /companies house|england|wales|scotland|northern ireland|united kingdom|great britain|\bu\.?k\b/;
const OTHER_REGISTER = /gibraltar|new south wales|overseas territor/;

/**
 * Derived so that reruns and other companies' notifications give the same: of an individual from name and month
 * of birth, of a body from its registration, else from its name. Empty for the super-secure, who must not be joined.
 * An id that a source states is not used: the snapshot has none, so that one person would have two.
 *
 * Limit: two people of one name born in the same month get one id here. An individual without a date of birth is
 * joined within one company only, because names alone would join strangers.
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

/** Register and number in it; null where the number is missing or a word, or the register is not named. */
function readRegistration(identification: Identification): [string, string] | null {
  const { registration_number: number = "", country_registered: country, place_registered } = identification;
  const register = fold(country ?? place_registered ?? "");
  if (register === "" || !/[1-9]/.test(number)) return null;
  const isUk = UK_REGISTER.test(register) && !OTHER_REGISTER.test(register);
  const companyNumber = isUk ? parseCompanyNumber(number) : null;
  return companyNumber ? ["uk", companyNumber] : [register, fold(number)];
}

function fold(text: string): string {
  return text.toLowerCase().replace(/\s+/g, " ").trim();
}
