/** Companies that resemble no other, each with one officer, and requests whose right answer is known. */
import { PARTS, readLines, writeFile } from "../support/load-command.ts";
import { aCompanyLine, aFile, aPersonLine } from "../support/officer-lines.ts";

// No other name has these words or near spellings of them.
const WORDS = [
  ...["ZEMBRYNTH", "QUOSTIMAR", "VANTRELLO", "OLUMFERRY", "GRIXHALLOW", "TARBWYNDE"],
  ...["MUNDEQUIL", "FESCOLTRA", "JINWARBLE", "HOXPENDER", "YULDRAMOR", "KEPSANTHE"],
];
const FIRST_NUMBER = 90_000_001;
const BEGINNING = 5;

const KNOWN = WORDS.map((word, at) => ({
  word,
  name: `${word} WINDMILLS LIMITED`,
  number: String(FIRST_NUMBER + at),
  surname: [...word].reverse().join(""),
}));
type Known = (typeof KNOWN)[number];

/** Writes their files, dated a month and a day before the files of many rows. */
export function writeKnownCompanies(folder: string): string[] {
  const [header = ""] = readLines(PARTS[0] ?? "");
  const rows = KNOWN.map(({ name, number }) => {
    const fields: Record<string, string> = {
      ...{ CompanyName: name, CompanyNumber: number, CompanyCategory: "Private Limited Company" },
      ...{ CompanyStatus: "Active", IncorporationDate: "01/02/2010", "RegAddress.PostTown": "LONDON" },
    };
    return header
      .split(",")
      .map((column) => `"${fields[column.trim()] ?? ""}"`)
      .join(",");
  });
  const lines = KNOWN.flatMap(({ name, number, surname }) => [
    aCompanyLine(number, name),
    aPersonLine({ company: number, number: `${number}0001`, forenames: "UNA", surname }),
  ]);
  return [
    writeFile(folder, "BasicCompanyData-2026-10-01-part1_1.csv", `${[header, ...rows].join("\n")}\n`),
    writeFile(folder, "Prod195_4320_ew_1_31102026010001.dat", aFile("DDDDSNAP432020261031", lines)),
  ];
}

/** A request whose answer is known. */
export interface Question {
  kind: string;
  path: string;
  /** Text that the member which `read` returns must contain. */
  expected: string;
  /** Reads that member; undefined if the answer does not have it. */
  read: (body: Answer) => string | undefined;
}

/** The parts of an answer that are checked. */
export interface Answer {
  company_name?: string;
  items?: { company_number?: string; title?: string; name?: string }[];
}

const firstNumber = ({ items }: Answer) => items?.[0]?.company_number;
const firstTitle = ({ items }: Answer) => items?.[0]?.title;

const SEARCHES: ((company: Known) => Question)[] = [
  ({ name, number }) => ({
    ...{ kind: "search by name", path: `/search/companies?q=${encodeURIComponent(name)}` },
    ...{ expected: number, read: firstNumber },
  }),
  ({ number }) => ({
    ...{ kind: "search by number", path: `/search/companies?q=${number}` },
    ...{ expected: number, read: firstNumber },
  }),
  ({ word, number }) => ({
    ...{ kind: "beginning of a name", path: `/suggest/companies?q=${word.slice(0, BEGINNING)}` },
    ...{ expected: number, read: firstNumber },
  }),
  ({ surname }) => ({
    ...{ kind: "search of officers", path: `/search/officers?q=Una%20${surname}` },
    ...{ expected: surname, read: firstTitle },
  }),
  ({ word, name }) => ({
    ...{ kind: "search of all", path: `/search?q=${word}%20windmills` },
    ...{ expected: name, read: firstTitle },
  }),
];
const LOOKUPS: ((company: Known) => Question)[] = [
  ({ name, number }) => ({
    ...{ kind: "lookup of a company", path: `/company/${number}`, expected: name },
    read: ({ company_name }) => company_name,
  }),
  ({ surname, number }) => ({
    ...{ kind: "lookup of officers", path: `/company/${number}/officers`, expected: surname },
    read: ({ items }) => items?.[0]?.name,
  }),
];

/** All searches and all lookups, in an order in which each differs in kind from the one before. */
export const searches = mix(SEARCHES);
export const lookups = mix(LOOKUPS);

function mix(kinds: readonly ((company: Known) => Question)[]): Question[] {
  return KNOWN.flatMap((company) => kinds.map((ask) => ask(company)));
}
