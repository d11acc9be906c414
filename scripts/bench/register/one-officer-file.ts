/** Writes officers files with one officer for each company: the generated officers, or one person for all companies. */
import { createReadStream, createWriteStream } from "node:fs";
import { createInterface } from "node:readline";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { CommandError } from "../../../api/shared/runtime/errors.ts";

// Positions in a person line (bulk formats 3.3): person number, birth, and the texts, of which the first three are
// replaced.
const NUMBER = { start: 12, end: 25 };
const BIRTH = { start: 56, end: 72 };
const TEXT_START = 76;
const NAMES = ["", "ALEX MORGAN", "EVERYWHERE"];
const BORN = "196801";

/** What to write. */
interface OneOfficerFile {
  /** The generated file. */
  from: string;
  to: string;
  companies: number;
  /** Number of the person who serves all companies; undefined for the officers as they were generated. */
  person: string | undefined;
}

/** Writes a file. Throws CommandError if the generated file has too few companies with officers. */
export async function writeOneOfficerFile({ from, to, companies, person }: OneOfficerFile): Promise<void> {
  const lines = createInterface({ input: createReadStream(from, "utf8") });
  await pipeline(Readable.from(withLineEnds(oneEach(lines, companies, person))), createWriteStream(to));
}

/** Lines of an officers snapshot with the first officer of each of `companies` companies, with header and trailer. */
export async function* oneEach(
  lines: AsyncIterable<string>,
  companies: number,
  person: string | undefined,
): AsyncGenerator<string> {
  let company = "";
  let written = 0;
  for await (const line of lines) {
    const type = line.charAt(8);
    if (line.startsWith("DDDDSNAP")) yield line;
    else if (type === "1") company = line;
    else if (type === "2" && company !== "" && written < companies) {
      yield `${company.slice(0, 32)}0001${company.slice(36)}`;
      yield person === undefined ? line : giveTo(line, person);
      company = "";
      written += 1;
    }
  }
  if (written < companies)
    throw new CommandError(`of ${companies} companies the generated file has only ${written} with officers`);
  yield `99999999${String(2 * written).padStart(8, "0")}`;
}

/** The same appointment for another person; the service address stays. */
function giveTo(line: string, person: string): string {
  const texts = line.slice(TEXT_START).split("<");
  const text = [...NAMES, ...texts.slice(NAMES.length)].join("<");
  const fixed = [
    line.slice(0, NUMBER.start),
    person.padEnd(NUMBER.end - NUMBER.start),
    line.slice(NUMBER.end, BIRTH.start),
    BORN.padEnd(BIRTH.end - BIRTH.start),
  ];
  return `${fixed.join("")}${String(text.length).padStart(4, "0")}${text}`;
}

async function* withLineEnds(lines: AsyncIterable<string>): AsyncGenerator<string> {
  for await (const line of lines) yield `${line}\n`;
}
