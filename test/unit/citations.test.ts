import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "@jest/globals";

/** The references by the words that cite them: `bulk formats 1.6` is its section 1.6. */
const REFERENCES: Record<string, string> = {
  specification: "specification",
  "API reference": "api",
  "bulk formats": "bulk-formats",
  "search reference": "search",
};
const CITATION = new RegExp(`\\b(${Object.keys(REFERENCES).join("|")})[\\s*/]+#?(\\d+(?:\\.\\d+)*)`, "g");

const sections = new Map(
  Object.entries(REFERENCES).map(([words, file]) => {
    const text = readFileSync(`scripts/docs/reference/${file}.md`, "utf8");
    return [words, new Set([...text.matchAll(/^#+ (\d+(?:\.\d+)*)/gm)].map(([, section]) => section))];
  }),
);

it("each section that the code cites is in the references", () => {
  const files = ["api", "index-mappings", "ingest", "scripts", "test"].flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: "utf8" })
      .filter((path) => /\.(ts|tsx|mjs|py)$/.test(path))
      .map((path) => join(folder, path)),
  );
  const cited = files.flatMap((file) =>
    [...readFileSync(file, "utf8").matchAll(CITATION)].map(([, words = "", section = ""]) => ({
      file,
      words,
      section,
    })),
  );
  expect(cited.length).toBeGreaterThan(30);
  expect(cited.filter(({ words, section }) => sections.get(words)?.has(section) !== true)).toEqual([]);
});
