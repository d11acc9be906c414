/** Reads and rewrites a generated file of companies. */
import { createReadStream, createWriteStream } from "node:fs";
import { createInterface } from "node:readline";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";

// Many more than run at the same time, so that the answers do not all come from a cache.
const COMPANIES = 2_000;

/** Paths of requests: a search by name and a lookup for each of the first companies of the file. */
export async function readPaths(csv: string): Promise<{ searches: string[]; lookups: string[] }> {
  const searches: string[] = [];
  const lookups: string[] = [];
  for await (const row of readRows(csv)) {
    // Neither the header, which has no quotes, nor names with quotes in them.
    const [, name, number] = /^"([^"]+)","?([A-Z0-9]{8})"?,/.exec(row) ?? [];
    if (name === undefined) continue;
    searches.push(`/search/companies?q=${encodeURIComponent(name)}`);
    lookups.push(`/company/${number}`);
    if (lookups.length === COMPANIES) break;
  }
  return { searches, lookups };
}

/** Writes another file of the same companies, with a word before each name. */
export async function writeRenamed(from: string, to: string, word: string): Promise<void> {
  await pipeline(Readable.from(rename(readRows(from), word)), createWriteStream(to));
}

async function* rename(rows: AsyncIterable<string>, word: string): AsyncGenerator<string> {
  for await (const row of rows) yield `${row.replace(/^"/, `"${word} `)}\r\n`;
}

function readRows(path: string): AsyncIterable<string> {
  return createInterface({ input: createReadStream(path) });
}
