/** Which loads that ended badly doctor tells of. */
import { expect, it } from "@jest/globals";
import type { KnownLoad } from "../../../ingest/known-loads.ts";
import { findUnmended } from "../../../scripts/doctor/loads.ts";

/** Loads, latest first: name, state and sources. */
function loads(...given: [string, KnownLoad["state"], string[]][]): KnownLoad[] {
  return given.map(
    ([_id, state, sources]) =>
      ({
        _id,
        state,
        surveyed: sources.map((source) => ({ file: source, source, rows: 1 })),
      }) as unknown as KnownLoad, // the rest is not asked for
  );
}

it.each<[string, KnownLoad[], string[]]>([
  ["none where all went well", loads(["b", "succeeded", ["psc"]], ["a", "running", []]), []],
  ["the last", loads(["b", "failed", ["psc"]], ["a", "succeeded", ["psc"]]), ["b"]],
  [
    "one behind a load of another source",
    loads(["b", "succeeded", ["csv"]], ["a", "failed", ["psc"]]),
    ["a"],
  ],
  [
    "none that a later load of its source made good",
    loads(["b", "succeeded", ["psc"]], ["a", "failed", ["psc"]]),
    [],
  ],
  [
    "one of two sources of which one was loaded again",
    loads(["b", "succeeded", ["psc"]], ["a", "broken off", ["psc", "csv"]]),
    ["a"],
  ],
  [
    "one whose source is being loaded again",
    loads(["b", "running", ["psc"]], ["a", "failed", ["psc"]]),
    ["a"],
  ],
  ["the last, of which no file was fit", loads(["b", "failed", []], ["a", "succeeded", ["psc"]]), ["b"]],
  [
    "none of which no file was fit, once another came",
    loads(["b", "succeeded", ["csv"]], ["a", "failed", []]),
    [],
  ],
])("tells of %s", (_what, given, names) => {
  expect(findUnmended(given).map(({ _id }) => _id)).toEqual(names);
});
