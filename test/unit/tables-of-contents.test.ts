import { describe, expect, it } from "@jest/globals";
import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { isMembers } from "../../api/shared/values/members.ts";
import { resources } from "../../api/resources/index.ts";
import { downloads, searches } from "../../api/search/index.ts";
import { indices } from "../../index-mappings/index.ts";
import { sources } from "../../ingest/sources/index.ts";
import { parts } from "../../scripts/bench/parts/index.ts";

/** Files below a folder that define something by this function: `= defineResource(`, or one for each row of a table. */
function definingFiles(folder: string, definer: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(".ts") && !path.startsWith("define-"))
    .filter((path) => new RegExp(`(=|return) ${definer}\\(`).test(readFileSync(join(folder, path), "utf8")))
    .map((path) => `./${path}`);
}

/** The members that all of these have, by which other definitions of the kind are recognised. */
function sharedMembers([first, ...others]: readonly object[]): string[] {
  return Object.keys(first ?? {}).filter((member) => others.every((other) => member in other));
}

describe.each<[folder: string, definer: string, listed: readonly object[]]>([
  ["api/resources", "defineResource", resources],
  ["api/search", "defineSearch", searches],
  ["api/search", "defineDownload", downloads],
  ["ingest/sources", "defineSource", sources],
  ["index-mappings", "defineIndex", indices],
  ["scripts/bench/parts", "definePart", parts],
])("the table of contents of %s", (folder, definer, listed) => {
  const defining = definingFiles(folder, definer);

  it.each(defining)("imports %s", (path) => {
    expect(readFileSync(join(folder, "index.ts"), "utf8")).toContain(`from "${path}"`);
  });

  it("lists only what these files export", async () => {
    const files = await Promise.all(
      defining.map((path) => import(resolve(folder, path)) as Promise<Record<string, unknown>>),
    );
    // The table itself may make one out of the others.
    const own = Object.values((await import(resolve(folder, "index.ts"))) as Record<string, unknown>);
    const exported = [...files.flatMap((file) => Object.values(file).flat()), ...own];
    expect(listed.filter((definition) => !exported.includes(definition))).toEqual([]);
    const members = sharedMembers(listed);
    const isDefinition = (value: unknown) => isMembers(value) && members.every((member) => member in value);
    expect(exported.filter((value) => isDefinition(value) && !listed.includes(value as object))).toEqual([]);
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
