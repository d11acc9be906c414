/** Which failed loads doctor reports. */
import { expect, it } from "@jest/globals";
import type { KnownLoad, SurveyedFile } from "../../../ingest/history/loads.ts";
import { findOpenFailures } from "../../../ingest/history/open-failures.ts";

/** Loads, latest first, each from its name, state and sources. */
function loads(...given: [string, KnownLoad["state"], string[]][]): KnownLoad[] {
  return given.map(
    ([_id, state, sources]) =>
      ({
        _id,
        state,
        plan: { isComplete: false },
        files: [_id],
        surveyed: sources.map((source) => ({ file: source, source, rows: 1 })),
      }) as unknown as KnownLoad, // findOpenFailures reads no other member
  );
}

/** The same loads, made by `follow`. */
const followed = (given: KnownLoad[]) =>
  given.map((load) => ({ ...load, plan: { ...load.plan, isFollowing: true as const } }));

const NOVEMBER = "2026-11-01";
const DECEMBER = "2026-12-01";

/** A file of an edition of a day; `part` of `parts`. */
function file(day: string, part?: number, parts = 2): SurveyedFile {
  const name = `${day}-${part ?? "whole"}`;
  const known = { file: name, name, source: "psc", rows: 1, production_date: day };
  return part === undefined ? known : { ...known, part: { edition: day, part, parts } };
}

/** A load of files of editions. */
function edition(
  _id: string,
  state: KnownLoad["state"],
  surveyed: SurveyedFile[],
  isComplete = false,
): KnownLoad {
  const files = surveyed.map(({ file }) => `done/${file}`);
  return { _id, state, files, surveyed, plan: { isComplete } } as KnownLoad; // see above
}

/** A load that failed before all its files were read, with the formats that were recognised. */
function unread(_id: string, formats: string[], files = ["unread"], isComplete = false): KnownLoad {
  return { _id, state: "failed", formats, files, plan: { isComplete } } as unknown as KnownLoad;
}

it.each<[string, KnownLoad[], string[]]>([
  ["reports nothing if no load failed", loads(["b", "succeeded", ["psc"]], ["a", "running", []]), []],
  [
    "reports a failed load that is the last one",
    loads(["b", "failed", ["psc"]], ["a", "succeeded", ["psc"]]),
    ["b"],
  ],
  [
    "reports a failed load after a load of another source",
    loads(["b", "succeeded", ["csv"]], ["a", "failed", ["psc"]]),
    ["a"],
  ],
  [
    "does not report a failed load after a load of its source",
    loads(["b", "succeeded", ["psc"]], ["a", "failed", ["psc"]]),
    [],
  ],
  [
    "reports a load of two sources after a load of only one of them",
    loads(["b", "succeeded", ["psc"]], ["a", "interrupted", ["psc", "csv"]]),
    ["a"],
  ],
  [
    "reports a failed load while a load of its source is running",
    loads(["b", "running", ["psc"]], ["a", "failed", ["psc"]]),
    ["a"],
  ],
  [
    "reports a failed load whose format is unknown if it is the last one",
    loads(["b", "failed", []], ["a", "succeeded", ["psc"]]),
    ["b"],
  ],
  ["does not report loads by `follow`", followed(loads(["b", "interrupted", ["streaming-events"]])), []],
  [
    "reports a failed file of events, although `follow` has loaded the same source since",
    [
      ...followed(loads(["c", "succeeded", ["streaming-events"]])),
      ...loads(["b", "failed", ["streaming-events"]]),
    ],
    ["b"],
  ],
  [
    "reports a failed load whose format is unknown if only `follow` has loaded anything since",
    [...followed(loads(["c", "succeeded", ["streaming-events"]])), ...loads(["b", "failed", []])],
    ["b"],
  ],
  [
    "does not report a failed load whose format is unknown after any other load of files",
    loads(["b", "succeeded", ["csv"]], ["a", "failed", []]),
    [],
  ],
  [
    "reports an unread file of a known format after a load of another format",
    [...loads(["b", "succeeded", ["csv"]]), unread("a", ["psc"])],
    ["a"],
  ],
  [
    "does not report unread files of known formats after loads of all these formats",
    [...loads(["c", "succeeded", ["csv"]], ["b", "succeeded", ["psc"]]), unread("a", ["psc", "csv"])],
    [],
  ],
  [
    "reports an unread file of a known format after a load of mended rows of that format",
    [edition("b", "succeeded", [{ ...file(NOVEMBER), mends: "whole" }]), unread("a", ["psc"])],
    ["a"],
  ],
  // Editions, their parts, extracts and regions.
  [
    "reports a failed load with --complete after a load of the same edition without it",
    [edition("b", "succeeded", [file(NOVEMBER)]), edition("a", "failed", [file(NOVEMBER)], true)],
    ["a"],
  ],
  [
    "reports a load with --complete that read no file, after a load of another file without it",
    [edition("b", "succeeded", [file(NOVEMBER)]), unread("a", ["psc"], [`inbox/${DECEMBER}-whole`], true)],
    ["a"],
  ],
  [
    "does not report a load with --complete that read no file, after a load of this file without it",
    [edition("b", "succeeded", [file(NOVEMBER)]), unread("a", ["psc"], [`inbox/${NOVEMBER}-whole`], true)],
    [],
  ],
  [
    "reports a load with --complete from standard input after another load from there",
    [{ ...edition("b", "succeeded", [file(NOVEMBER)]), files: ["-"] }, unread("a", ["psc"], ["-"], true)],
    ["a"],
  ],
  [
    "does not report a failed load with --complete after a load of a later edition with it",
    [edition("b", "succeeded", [file(DECEMBER)], true), edition("a", "failed", [file(NOVEMBER)], true)],
    [],
  ],
  [
    "reports a failed part after another part",
    [edition("b", "succeeded", [file(NOVEMBER, 2)]), edition("a", "failed", [file(NOVEMBER, 1)])],
    ["a"],
  ],
  [
    "does not report a failed part that was loaded again",
    [edition("b", "succeeded", [file(NOVEMBER, 1)]), edition("a", "failed", [file(NOVEMBER, 1)])],
    [],
  ],
  [
    "does not report a failed part after its edition as one file",
    [edition("b", "succeeded", [file(NOVEMBER)]), edition("a", "failed", [file(NOVEMBER, 1)])],
    [],
  ],
  [
    "does not report a failed part after all parts of a later edition that has fewer parts",
    [
      edition("c", "succeeded", [file(DECEMBER, 2)]),
      edition("b", "succeeded", [file(DECEMBER, 1)]),
      edition("a", "failed", [file(NOVEMBER, 3, 3)]),
    ],
    [],
  ],
  [
    "reports a failed file after only some of the parts of its edition",
    [edition("b", "succeeded", [file(NOVEMBER, 1)]), edition("a", "failed", [file(NOVEMBER)])],
    ["a"],
  ],
  [
    "reports a failed file after parts of two later editions, neither of which is whole",
    [
      edition("c", "succeeded", [file("2027-01-01", 2)]),
      edition("b", "succeeded", [file(DECEMBER, 1)]),
      edition("a", "failed", [file(NOVEMBER)]),
    ],
    ["a"],
  ],
  [
    "reports a failed edition after an extract",
    [
      edition("b", "succeeded", [{ ...file(NOVEMBER), isExtract: true }]),
      edition("a", "failed", [file(NOVEMBER)]),
    ],
    ["a"],
  ],
  [
    "does not report a failed extract after another extract",
    [
      edition("b", "succeeded", [{ ...file(NOVEMBER), isExtract: true }]),
      edition("a", "failed", [{ ...file(NOVEMBER), isExtract: true }]),
    ],
    [],
  ],
  [
    "reports a failed file after an older edition",
    [edition("b", "succeeded", [file(NOVEMBER)]), edition("a", "failed", [file(DECEMBER)])],
    ["a"],
  ],
  [
    "reports a failed file after a load of its mended rows",
    [
      edition("b", "succeeded", [{ ...file(NOVEMBER), mends: "whole" }]),
      edition("a", "failed", [file(NOVEMBER)]),
    ],
    ["a"],
  ],
  [
    "does not report a failed load of mended rows after another load of mended rows of that file",
    [
      edition("b", "succeeded", [{ ...file(NOVEMBER), mends: "whole" }]),
      edition("a", "failed", [{ ...file(NOVEMBER), mends: "whole" }]),
    ],
    [],
  ],
  [
    "does not report a failed load of mended rows after a later edition",
    [
      edition("b", "succeeded", [file(DECEMBER)]),
      edition("a", "failed", [{ ...file(NOVEMBER), mends: "whole" }]),
    ],
    [],
  ],
  [
    "reports a failed file of one region after a file of another region",
    [
      edition("b", "succeeded", [{ ...file(NOVEMBER), scope: "ni" }]),
      edition("a", "failed", [{ ...file(NOVEMBER), scope: "sc" }]),
    ],
    ["a"],
  ],
])("%s", (_title, given, ids) => {
  expect(findOpenFailures(given).map(({ _id }) => _id)).toEqual(ids);
});
