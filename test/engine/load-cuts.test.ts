/** Every sample file, cut at some places, is refused with a sentence, or exactly its whole rows are loaded. */
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { describe, expect, it } from "@jest/globals";
import { SourceError } from "../../api/shared/runtime/errors.ts";
import { loadCommand } from "../../ingest/commands/load.ts";
import { createRandom } from "../../scripts/bench/random.ts";
import { forAllTests } from "../support/for-all-tests.ts";
import { makeOwnFolder } from "../support/own-folder.ts";
import { openRegister } from "../support/register.ts";
import { SAMPLE } from "../support/sample-register.ts";

const CUTS = 6;
// For each file of formats with many sample files.
const FEW_CUTS = 2;

const folder = makeOwnFolder();
const register = forAllTests(() => openRegister({ withWorker: false }));

/** What a dry run reports of a file. */
interface Outcome {
  error?: Error;
  read: number;
  refused: number;
}

async function preview(path: string, bytes: Buffer): Promise<Outcome> {
  const cut = join(folder, basename(path));
  writeFileSync(cut, bytes);
  const run = await register.run(loadCommand, [cut], { encoding: "utf-8", dryRun: "true", json: "true" });
  if (run.error) return { error: run.error, read: 0, refused: 0 };
  return JSON.parse(run.printed[0] ?? "") as Outcome;
}

const filesOf = (directory: string, pattern: RegExp): string[] =>
  readdirSync(join(SAMPLE, directory))
    .filter((name) => pattern.test(name))
    .map((name) => join(SAMPLE, directory, name));

/** Places in the file, the same in every run and checkout. */
function placesIn(path: string, length: number): number[] {
  const random = createRandom(basename(path).length);
  const count = /officers|api-shaped|streams/.test(path) ? FEW_CUTS : CUTS;
  return Array.from({ length: count }, () => 1 + random.below(length - 3));
}

describe.each([
  ...filesOf("officers", /^Prod\d+_.*\.dat$/),
  ...filesOf("disqualified", /^Prod.*\.txt$/),
  ...filesOf("psc", /2of2\.txt$/),
  ...filesOf("companies", /\.zip$/),
])("%s, whose format marks its end", (path) => {
  it("is refused when cut", async () => {
    const whole = readFileSync(path);
    for (const place of placesIn(path, whole.length)) {
      const { error } = await preview(path, whole.subarray(0, place));
      expect({ place, isRefused: error instanceof SourceError }).toEqual({ place, isRefused: true });
      expect(error?.message).toContain(basename(path));
    }
  });
});

describe.each([
  ...filesOf("companies", /\.csv$/).map(
    (path) => [path, path.includes("real-rows") ? "\n" : "\r\n", 1] as const,
  ),
  ...filesOf("psc", /1of2\.txt$/).map((path) => [path, "\n", 0] as const),
  ...filesOf("api-shaped", /\.jsonl$/).map((path) => [path, "\n", 0] as const),
  ...filesOf("streams", /\.ndjson$/).map((path) => [path, "\n", 0] as const),
])("%s, whose format does not mark its end", (path, lineEnd, headers) => {
  it("is loaded up to the cut", async () => {
    const whole = readFileSync(path);
    const all = await preview(path, whole);
    expect(all.error).toBeUndefined();
    const rows = whole.toString().split(lineEnd).slice(headers);
    for (const place of placesIn(path, whole.length)) {
      const cut = whole.subarray(0, place).toString().split(lineEnd).slice(headers);
      const last = cut.at(-1) ?? "";
      const isCut = last !== "" && last !== rows[cut.length - 1];
      const { error, read, refused } = await preview(path, whole.subarray(0, place));
      // A file cut within its first line may be unrecognisable.
      if (cut.length <= 1 && error instanceof SourceError) continue;
      expect({ place, error, refused }).toEqual({ place, error: undefined, refused: isCut ? 1 : 0 });
      expect({ place, read }).toEqual({ place, read: cut.filter((row) => row !== "").length });
    }
  });
});
