/** GET /coverage: for each kind of record, whether it has been loaded, and as of which day. Not in the original. */
import type { RecordDefinition } from "../../shared/definitions/define-record.ts";
import type { RecordReader } from "../../shared/definitions/record-reader.ts";
import { LateError, within } from "../../shared/runtime/deadlines.ts";
import {
  coverageOfRegister,
  LOOSE_SOURCES,
  type LoadedSource,
} from "../../shared/stores/collections/loaded-sources.ts";
import { defineResource, type ResourceDefinition } from "../define-resource.ts";
import { objectWithOptional } from "../../shared/schemas/schemas.ts";
import example from "./example.json" with { type: "json" };

const DAY = {
  type: ["string", "null"],
  format: "date",
  description: "The latest day of the data; null if no source states one.",
};
const MOMENT = { pattern: "^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}\\.\\d{3}Z$" };
const NAME = { type: "string", minLength: 1 };

const sourceSchema = objectWithOptional(["scope"], {
  source: { ...NAME, description: "The format that was loaded." },
  scope: {
    ...NAME,
    description: "The part of the register that the files cover, if they do not cover all of it.",
  },
  loads: { type: "integer", minimum: 1, description: "Loads that succeeded." },
  as_of: DAY,
  loaded_at: { type: "string", ...MOMENT, description: "When the last of the loads ended." },
});

const kindSchema = objectWithOptional([], {
  record: { ...NAME, description: "The kind of record." },
  loaded: {
    enum: ["all", "some", "none"],
    description:
      "`all`: a whole edition of a bulk product was loaded: under its original file name, with its day and all its parts, and " +
      "not far smaller than the edition before; `some`: records of some companies.",
  },
  as_of: DAY,
  loaded_at: {
    type: ["string", "null"],
    ...MOMENT,
    description: "When the last load that may contain such records ended; null if there was none.",
  },
  sources: {
    type: "array",
    description:
      "What was loaded. If there are records, `api-json-lines` and `streaming-events` are listed whenever they " +
      "were loaded, because they may contain any kind.",
    items: sourceSchema,
  },
});

const schema = {
  description: "Which kinds of record the register holds, their sources and their day.",
  ...objectWithOptional([], {
    kind: { const: "coverage" },
    links: objectWithOptional([], { self: { const: "/coverage" } }),
    items: { type: "array", items: kindSchema },
  }),
};

// After an undo very many tombstones may precede the first record, and finding it takes longer than an answer may take.
const LOOK_MS = 500;

/** Whether a record of the kind is stored, or, if the store takes too long, whether a load may have brought one. */
async function hasRecords(
  records: RecordReader,
  record: RecordDefinition,
  sources: readonly LoadedSource[],
): Promise<boolean> {
  const any = records.fetchPage(record, { filter: {}, sort: [], skip: 0, limit: 1 });
  try {
    return (await within(LOOK_MS, any)).length > 0;
  } catch (error) {
    if (!(error instanceof LateError)) throw error;
    const ofKind = coverageOfRegister(sources, record.name, false).sources;
    return ofKind.length > 0 || sources.some((loaded) => mayHaveBrought(loaded, record));
  }
}

function mayHaveBrought({ source, fills }: LoadedSource, { collection }: RecordDefinition): boolean {
  return LOOSE_SOURCES.includes(source) && (fills?.includes(collection) ?? true);
}

/** Defines the resource; it lists these kinds of record in the given order. */
export function defineCoverage(kinds: readonly RecordDefinition[]): ResourceDefinition {
  return defineResource({
    name: "coverage",
    path: "/coverage",
    scope: "search.read",
    summary: "Which kinds of record the register holds, their sources and their day.",
    notFound: "resource-not-found",
    read: async (records) => {
      const sources = await records.fetchLoadedSources();
      return Promise.all(
        kinds.map(async (record) => {
          const isThere = await hasRecords(records, record, sources);
          return { record: record.name, ...coverageOfRegister(sources, record.name, isThere) };
        }),
      );
    },
    schema,
    present: (items) => ({ kind: "coverage", links: { self: "/coverage" }, items }),
    example,
  });
}
