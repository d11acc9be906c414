/** What the files of a watched folder wait for, given what was loaded before. */
import { describe, expect, it } from "@jest/globals";
import type { LoadedFile } from "../../../ingest/history/loads.ts";
import { findSource } from "../../../ingest/sources/index.ts";
import { fetchWait, type FileGroup } from "../../../ingest/watch/groups.ts";

const DAY = "2026-11-01";
const source = findSource("psc-snapshot");

/** The first of the two parts of an edition, found alone in the folder. */
function firstPart(isComplete: boolean): FileGroup {
  const context = { productionDate: DAY, part: 1, parts: 2 };
  const file = { file: "part-1", context, rows: 0, last: undefined, tally: {} };
  return { names: ["part-1"], files: [file], source, isComplete };
}

/** A loaded part of the edition. */
function loaded(part: number, state: string, isComplete: boolean, edition = DAY): LoadedFile {
  const of = { state, plan: { isComplete } };
  return { source: source.name, part: { edition, part, parts: 2 }, of } as unknown as LoadedFile; // nothing else is read
}

const WAITS = "1 of the 2 parts of its edition are there";

describe("a part of an edition", () => {
  it.each<[string, LoadedFile[], string | undefined]>([
    ["waits for the others", [], WAITS],
    ["is loaded after the others", [loaded(2, "succeeded", false)], undefined],
    ["waits if the load of the others failed", [loaded(2, "failed", false)], WAITS],
    ["waits if the others were of another edition", [loaded(2, "succeeded", false, "2026-10-01")], WAITS],
  ])("%s", async (_what, files, wait) => {
    expect(await fetchWait(() => Promise.resolve(files), firstPart(false))).toBe(wait);
  });

  const both = (...of: [string, boolean, string?]) => [loaded(1, ...of), loaded(2, ...of)];
  it.each<[string, LoadedFile[], string | undefined]>([
    ["waits for the others", [], WAITS],
    ["waits though the others were loaded before", [loaded(2, "succeeded", true)], WAITS],
    ["is loaded alone if the whole edition was loaded", both("succeeded", true), undefined],
    ["waits if the load of the whole edition failed", both("failed", true), WAITS],
    ["waits if the edition was not loaded as complete", both("succeeded", false), WAITS],
    ["waits if another edition was loaded", both("succeeded", true, "2026-10-01"), WAITS],
  ])("of a complete edition %s", async (_what, files, wait) => {
    const group = firstPart(true);
    expect(await fetchWait(() => Promise.resolve(files), group)).toBe(wait);
    expect(group.isComplete).toBe(wait !== undefined);
  });
});
