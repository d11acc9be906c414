/** What a new source needs besides its file and its line in the table of contents. Failures say what to write where. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "@jest/globals";
import {
  LOOSE_SOURCES,
  UPDATING_SOURCES,
  WHOLE_SOURCES,
} from "../../../api/shared/stores/collections/loaded-sources.ts";
import { FORMATS_PAGE, type SourceDefinition } from "../../../ingest/sources/define-source.ts";
import { recogniseSource } from "../../../ingest/load/open-file.ts";
import { sources } from "../../../ingest/sources/index.ts";
import { SAMPLE } from "../../support/sample-register.ts";

/** A source's table in `loaded-sources.ts`, and its line there, since the API cannot import the definition. */
function tableLine({ name, completeness, series, fills }: SourceDefinition): [table: string, line: string] {
  const kinds = completeness?.records ?? (series && typeof fills !== "function" ? fills : undefined);
  if (!kinds) return ["LOOSE_SOURCES", JSON.stringify(name)];
  const table = completeness ? "WHOLE_SOURCES" : "UPDATING_SOURCES";
  return [table, `${JSON.stringify(name)}: ${JSON.stringify(kinds.map((kind) => kind.name))}`];
}

const writtenLines = [
  ...LOOSE_SOURCES.map((name) => `LOOSE_SOURCES ${JSON.stringify(name)}`),
  ...Object.entries({ WHOLE_SOURCES, UPDATING_SOURCES }).flatMap(([table, lines]) =>
    Object.entries(lines).map(
      ([name, kinds]) => `${table} ${JSON.stringify(name)}: ${JSON.stringify(kinds)}`,
    ),
  ),
];
const neededLines = sources.map((source) => tableLine(source).join(" "));
const [formatsFile = ""] = FORMATS_PAGE.split("#");
const formats = readFileSync(formatsFile, "utf8");
const sampled = new Set(readdirSync(SAMPLE, { recursive: true, encoding: "utf8" }).flatMap(sourceOf));

/** The name of the source that recognises a file of the sample register; empty if none does. */
function sourceOf(file: string): string[] {
  if (!/\.(csv|dat|txt|jsonl|ndjson)$/.test(file)) return [];
  const [firstLine = ""] = readFileSync(join(SAMPLE, file), "utf8").split(/\r?\n/, 1);
  try {
    return [recogniseSource(sources, file.split("/").at(-1) ?? "", firstLine).name];
  } catch {
    // Some edge cases have no known format.
    return [];
  }
}

function testsOf(name: string): string[] {
  return readdirSync("test/unit/sources").filter((file) => file.startsWith(name));
}

it.each(sources.map((source) => [source.name, source] as const))(
  "%s has all that a source needs",
  (name, source) => {
    const [table, line] = tableLine(source);
    const needs = [
      [
        writtenLines.includes(`${table} ${line}`),
        `api/shared/stores/collections/loaded-sources.ts: in ${table}, ${line}`,
      ],
      [sampled.has(name), `test/fixtures/register: a small sample, a file that is recognised as ${name}`],
      [formats.includes(`| \`${name}\` `), `${formatsFile}: a row of the table of formats with \`${name}\``],
      [testsOf(name).length > 0, `test/unit/sources: a test ${name}….test.ts that maps rows of the sample`],
    ] as const;
    expect(needs.flatMap(([isThere, remedy]) => (isThere ? [] : `Write into ${remedy}`))).toEqual([]);
  },
);

it("the tables of what sources cover have no lines of other sources", () => {
  const others = writtenLines.filter((line) => !neededLines.includes(line));
  const remedies = others.map(
    (line) => `Remove from api/shared/stores/collections/loaded-sources.ts: ${line}`,
  );
  expect(remedies).toEqual([]);
});
