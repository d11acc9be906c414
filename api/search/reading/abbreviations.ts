/** Owns the usual abbreviations of words in names of companies, BROS for BROTHERS, and the two ways to write each. Pure. */

const WRITTEN_OUT = new Map(
  Object.entries({
    ASSOC: "ASSOCIATES",
    AVE: "AVENUE",
    BROS: "BROTHERS",
    CONST: "CONSTRUCTION",
    DEVS: "DEVELOPMENTS",
    ELEC: "ELECTRICAL",
    ENG: "ENGINEERING",
    GRP: "GROUP",
    HLDGS: "HOLDINGS",
    II: "2",
    III: "3",
    INTL: "INTERNATIONAL",
    INVS: "INVESTMENTS",
    MFG: "MANUFACTURING",
    MGMT: "MANAGEMENT",
    MGT: "MANAGEMENT",
    NTHN: "NORTHERN",
    PROPS: "PROPERTIES",
    PTNRS: "PARTNERS",
    RD: "ROAD",
    SERV: "SERVICES",
    SOLNS: "SOLUTIONS",
    ST: "SAINT",
    STHN: "SOUTHERN",
    SVCS: "SERVICES",
    UTD: "UNITED",
  }),
);
// Limit: in near spellings the others are near words of their own, PROPS to CROPS, where a word is written out.
const SHORTENED = new Map(
  ["BROS", "GRP", "II", "III", "INTL", "MGMT", "ST", "SVCS"].map((short) => [
    WRITTEN_OUT.get(short) ?? short,
    short,
  ]),
);

/** The words with each that may be abbreviated written the other way in turn: ST JUDES for SAINT JUDES, ST JUDES INTL. */
export function withOtherForms(words: string[]): string[][] {
  const other = (word: string) => WRITTEN_OUT.get(word) ?? SHORTENED.get(word) ?? word;
  const written = new Set(words.filter((word) => other(word) !== word));
  return [...written].map((one) => words.map((word) => (word === one ? other(word) : word)));
}

/** The words in their other forms, and with all abbreviations written out; empty for words without any, and for one alone, which may begin a name. */
export function withWrittenOut(words: string[]): string[][] {
  const { length } = words.filter((word) => WRITTEN_OUT.has(word));
  if (length === 0 || words.length === 1) return [];
  const all = words.map((word) => WRITTEN_OUT.get(word) ?? word);
  return [...(length > 1 ? [all] : []), ...withOtherForms(words)];
}

// Only where two names are compared: CO is a part of web addresses as well.
const SAME_WORD = new Map([...WRITTEN_OUT, ["CO", "COMPANY"]]);

/** The word that an abbreviation or a numeral stands for; any other word unchanged. */
export function withoutAbbreviation(word: string): string {
  return SAME_WORD.get(word) ?? word;
}

/** True for a word and its abbreviation, or two of one word: BROTHERS and BROS, SVCS and SERV. */
export function isAbbreviated(word: string, other: string): boolean {
  if (word === other) return false;
  // ST is short for SAINT, and for STREET.
  if (word === "STREET" || other === "STREET") return word === "ST" || other === "ST";
  return withoutAbbreviation(word) === withoutAbbreviation(other);
}
