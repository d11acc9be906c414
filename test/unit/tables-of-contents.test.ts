import { describe, expect, it } from "@jest/globals";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { resources } from "../../api/resources/index.ts";
import { downloads, searches } from "../../api/search/index.ts";
import { indices } from "../../index-mappings/index.ts";
import { sources } from "../../ingest/sources/index.ts";
import { parts } from "../../scripts/bench/parts/index.ts";

/** Files below a folder that define something by this function: `defineResource(`. */
function definingFiles(folder: string, definer: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(".ts") && !path.startsWith("define-"))
    .filter((path) => readFileSync(join(folder, path), "utf8").includes(`= ${definer}(`))
    .map((path) => `./${path}`);
}

describe.each([
  ["api/resources", "defineResource", resources.length],
  ["api/search", "defineSearch", searches.length],
  ["api/search", "defineDownload", downloads.length],
  ["ingest/sources", "defineSource", sources.length],
  ["index-mappings", "defineIndex", indices.length],
  ["scripts/bench/parts", "definePart", parts.length],
])("the table of contents of %s", (folder, definer, listed) => {
  const defining = definingFiles(folder, definer);

  it.each(defining)("imports %s", (path) => {
    expect(readFileSync(join(folder, "index.ts"), "utf8")).toContain(`from "${path}"`);
  });

  it("lists as many as there are", () => {
    expect(listed).toBe(defining.length);
  });
});

it("gives every resource, search and source a name of its own", () => {
  const names = [...resources, ...searches, ...downloads, ...sources].map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
});

it("gives every resource and search a path of its own", () => {
  const paths = [...resources, ...searches, ...downloads].map(({ path }) => path);
  expect(new Set(paths).size).toBe(paths.length);
});

it.each(resources.map(({ name }) => [name]))("has an example of %s", (name) => {
  expect(existsSync(`api/resources/${name}/example.json`)).toBe(true);
});
