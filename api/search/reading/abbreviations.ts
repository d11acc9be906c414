/** The usual abbreviations in company names, such as BROS for BROTHERS, in both directions. Pure. */

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
// Limit: only these words are also searched in their short form. The other short forms are near unrelated words, PROPS
// to CROPS, so a search for near spellings would find these.
const SHORTENED = new Map(
  ["BROS", "GRP", "II", "III", "INTL", "MGMT", "ST", "SVCS"].map((short) => [
    WRITTEN_OUT.get(short) ?? short,
    short,
  ]),
);

/** The words with one word at a time in its other form: ST JUDES INTERNATIONAL, SAINT JUDES INTL. */
export function withOtherForms(words: string[]): string[][] {
  const other = (word: string) => WRITTEN_OUT.get(word) ?? SHORTENED.get(word) ?? word;
  const written = new Set(words.filter((word) => other(word) !== word));
  return [...written].map((one) => words.map((word) => (word === one ? other(word) : word)));
}

/** The words with abbreviations written out, or in their other forms. None for one word, which may begin a name. */
export function withWrittenOut(words: string[]): string[][] {
  const { length } = words.filter((word) => WRITTEN_OUT.has(word));
  if (length === 0 || words.length === 1) return [];
  const all = words.map((word) => WRITTEN_OUT.get(word) ?? word);
  return [...(length > 1 ? [all] : []), ...withOtherForms(words)];
}

// CO counts as COMPANY only when two names are compared, since it is also a part of web addresses.
const SAME_WORD = new Map([...WRITTEN_OUT, ["CO", "COMPANY"]]);

/** The word that an abbreviation or a numeral stands for; any other word unchanged. */
export function withoutAbbreviation(word: string): string {
  return SAME_WORD.get(word) ?? word;
}

/** True for a word and its abbreviation, or two abbreviations of one word: BROTHERS and BROS, SVCS and SERV. */
export function isAbbreviated(word: string, other: string): boolean {
  if (word === other) return false;
  // ST is short for SAINT, as in the table, and for STREET.
  if (word === "STREET" || other === "STREET") return word === "ST" || other === "ST";
  return withoutAbbreviation(word) === withoutAbbreviation(other);
}
