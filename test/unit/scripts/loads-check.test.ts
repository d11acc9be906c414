/** Which failed loads doctor reports. */
import { expect, it } from "@jest/globals";
import type { KnownLoad, SurveyedFile } from "../../../ingest/history/loads.ts";
import { findOpenFailures } from "../../../ingest/history/open-failures.ts";

/** Loads, latest first: name, state and sources. */
function loads(...given: [string, KnownLoad["state"], string[]][]): KnownLoad[] {
  return given.map(
    ([_id, state, sources]) =>
      ({
        _id,
        state,
        plan: { isComplete: false },
        files: [_id],
        surveyed: sources.map((source) => ({ file: source, source, rows: 1 })),
      }) as unknown as KnownLoad, // the rest is not asked for
  );
}

/** The same for loads by `follow`. */
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
  return { _id, state, files, surveyed, plan: { isComplete } } as KnownLoad; // the rest is not asked for
}

/** A load that failed before all its files were read, with the formats that were recognised. */
function unread(_id: string, formats: string[], files = ["unread"], isComplete = false): KnownLoad {
  return { _id, state: "failed", formats, files, plan: { isComplete } } as unknown as KnownLoad;
}

it.each<[string, KnownLoad[], string[]]>([
  ["none where all went well", loads(["b", "succeeded", ["psc"]], ["a", "running", []]), []],
  ["the last", loads(["b", "failed", ["psc"]], ["a", "succeeded", ["psc"]]), ["b"]],
  [
    "a failed load after a load of another source",
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
    loads(["b", "succeeded", ["psc"]], ["a", "interrupted", ["psc", "csv"]]),
    ["a"],
  ],
  [
    "one whose source is being loaded again",
    loads(["b", "running", ["psc"]], ["a", "failed", ["psc"]]),
    ["a"],
  ],
  ["the last, of which no file was fit", loads(["b", "failed", []], ["a", "succeeded", ["psc"]]), ["b"]],
  ["none of followed streams", followed(loads(["b", "interrupted", ["streaming-events"]])), []],
  [
    "a file of events, whatever was followed since",
    [
      ...followed(loads(["c", "succeeded", ["streaming-events"]])),
      ...loads(["b", "failed", ["streaming-events"]]),
    ],
    ["b"],
  ],
  [
    "the last, of which no file was fit, whatever was followed since",
    [...followed(loads(["c", "succeeded", ["streaming-events"]])), ...loads(["b", "failed", []])],
    ["b"],
  ],
  [
    "none of which no file was fit, once another came",
    loads(["b", "succeeded", ["csv"]], ["a", "failed", []]),
    [],
  ],
  [
    "one that failed as a file of a known format, whatever of another came",
    [...loads(["b", "succeeded", ["csv"]]), unread("a", ["psc"])],
    ["a"],
  ],
  [
    "none that failed as files of known formats, once all these came",
    [...loads(["c", "succeeded", ["csv"]], ["b", "succeeded", ["psc"]]), unread("a", ["psc", "csv"])],
    [],
  ],
  [
    "one that failed as a file of a known format, whatever was mended of one",
    [edition("b", "succeeded", [{ ...file(NOVEMBER), mends: "whole" }]), unread("a", ["psc"])],
    ["a"],
  ],
])("tells of %s", (_what, given, names) => {
  expect(findOpenFailures(given).map(({ _id }) => _id)).toEqual(names);
});

it.each<[string, KnownLoad[], string[]]>([
  [
    "a failed --complete after a load of the same edition without",
    [edition("b", "succeeded", [file(NOVEMBER)]), edition("a", "failed", [file(NOVEMBER)], true)],
    ["a"],
  ],
  [
    "a --complete refused before a file was read, after a load of another file without",
    [edition("b", "succeeded", [file(NOVEMBER)]), unread("a", ["psc"], [`inbox/${DECEMBER}-whole`], true)],
    ["a"],
  ],
  [
    "no --complete refused before a file was read, whose files were loaded without",
    [edition("b", "succeeded", [file(NOVEMBER)]), unread("a", ["psc"], [`inbox/${NOVEMBER}-whole`], true)],
    [],
  ],
  [
    "one from standard input, whatever came from there since",
    [{ ...edition("b", "succeeded", [file(NOVEMBER)]), files: ["-"] }, unread("a", ["psc"], ["-"], true)],
    ["a"],
  ],
  [
    "no failed --complete after another one",
    [edition("b", "succeeded", [file(DECEMBER)], true), edition("a", "failed", [file(NOVEMBER)], true)],
    [],
  ],
  [
    "a failed part after another part",
    [edition("b", "succeeded", [file(NOVEMBER, 2)]), edition("a", "failed", [file(NOVEMBER, 1)])],
    ["a"],
  ],
  [
    "no failed part that was loaded again",
    [edition("b", "succeeded", [file(NOVEMBER, 1)]), edition("a", "failed", [file(NOVEMBER, 1)])],
    [],
  ],
  [
    "no failed part after the edition as one file",
    [edition("b", "succeeded", [file(NOVEMBER)]), edition("a", "failed", [file(NOVEMBER, 1)])],
    [],
  ],
  [
    "no failed part after all parts of a later edition, of which there are fewer",
    [
      edition("c", "succeeded", [file(DECEMBER, 2)]),
      edition("b", "succeeded", [file(DECEMBER, 1)]),
      edition("a", "failed", [file(NOVEMBER, 3, 3)]),
    ],
    [],
  ],
  [
    "a failed file after some of the parts of its edition",
    [edition("b", "succeeded", [file(NOVEMBER, 1)]), edition("a", "failed", [file(NOVEMBER)])],
    ["a"],
  ],
  [
    "a failed edition after an extract",
    [
      edition("b", "succeeded", [{ ...file(NOVEMBER), isExtract: true }]),
      edition("a", "failed", [file(NOVEMBER)]),
    ],
    ["a"],
  ],
  [
    "no failed extract after another one",
    [
      edition("b", "succeeded", [{ ...file(NOVEMBER), isExtract: true }]),
      edition("a", "failed", [{ ...file(NOVEMBER), isExtract: true }]),
    ],
    [],
  ],
  [
    "a failed file after an older edition",
    [edition("b", "succeeded", [file(NOVEMBER)]), edition("a", "failed", [file(DECEMBER)])],
    ["a"],
  ],
  [
    "a failed file after mended rows of it",
    [
      edition("b", "succeeded", [{ ...file(NOVEMBER), mends: "whole" }]),
      edition("a", "failed", [file(NOVEMBER)]),
    ],
    ["a"],
  ],
  [
    "no failed mending of rows that another one has mended",
    [
      edition("b", "succeeded", [{ ...file(NOVEMBER), mends: "whole" }]),
      edition("a", "failed", [{ ...file(NOVEMBER), mends: "whole" }]),
    ],
    [],
  ],
  [
    "a failed region after another one",
    [
      edition("b", "succeeded", [{ ...file(NOVEMBER), scope: "ni" }]),
      edition("a", "failed", [{ ...file(NOVEMBER), scope: "sc" }]),
    ],
    ["a"],
  ],
])("tells of %s", (_what, given, names) => {
  expect(findOpenFailures(given).map(({ _id }) => _id)).toEqual(names);
});
