/** Owns what lists add behind the legal ending of a company's name: its status, its country. Pure. */

const COUNTRY =
  "(?:(?:OF|IN) )?(?:THE )?(?:ENGLAND(?: AND WALES)?|WALES|SCOTLAND|NORTHERN IRELAND|UNITED KINGDOM|GREAT BRITAIN|UK|GB)";
const LIQUIDATION = "(?:(?:CREDITORS |MEMBERS )?VOLUNTARY |COMPULSORY )?LIQUIDATION";
const STATUS = `(?:IN )?(?:${LIQUIDATION}|ADMINISTRATION|RECEIVERSHIP|CVA|CVL|MVL)|DISSOLVED|STRUCK OFF|ACTIVE`;
const STATUSES = `(?:(?:${STATUS})(?: |$))*`;
const REMARKS = new RegExp(`^${STATUSES}(?<country>(?:${COUNTRY})?)(?: |$)?${STATUSES}$`);

/** The words of a country, maybe none, where the words behind an ending are nothing but remarks; else null. */
export function readRemarks(words: readonly string[]): { country: string[] } | null {
  const found = words.length > 0 ? REMARKS.exec(words.join(" ")) : null;
  return found && { country: (found.groups?.country ?? "").split(" ").filter(Boolean) };
}
