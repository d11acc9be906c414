/** Owns the coverage of an answer: whether its kind of record has been loaded, so that "none" differs from "not loaded". */
import type { LoadedSource } from "../shared/stores/collections/loaded-sources.ts";
import {
  coverageOfCompany,
  coverageOfRegister,
  isWhole,
  KIND_OF_INDEX,
  type Coverage,
} from "../resources/coverage/kinds.ts";
import type { PathValues, ResourceDefinition } from "../resources/define-resource.ts";
import type { RecordDefinition } from "../shared/definitions/define-record.ts";
import type { RecordReader } from "../shared/definitions/record-reader.ts";
import type { IndexName } from "../shared/definitions/define-index.ts";
import { within } from "../shared/runtime/deadlines.ts";
import type { AppContext } from "./request-context.ts";

const HEADER = "X-Register-Coverage";
// Loads are read once in ten seconds, in a millisecond; a store that takes longer is busy or away.
const PATIENCE_MS = 100;

/** The coverage of an answer. `read`: the stored record or list; null when nothing was found. */
export async function fetchCoverage(
  records: RecordReader,
  { record, hasRecords }: Pick<ResourceDefinition, "record" | "hasRecords">,
  path: PathValues,
  read: unknown,
): Promise<Coverage | undefined> {
  if (!record) return undefined;
  const sources = await records.fetchLoadedSources();
  const asked = { kind: record.name, companyNumber: path.company_number };
  if (isWhole(sources, asked)) return coverageOfCompany(sources, asked, true);
  const isFound =
    read === null
      ? await isStoredFor(records, record, path)
      : !hasRecords || (await hasRecords(read, records, path));
  return coverageOfCompany(sources, asked, isFound);
}

/** True when the company in the path has a record of the kind, even if the answer is a 404: of another id, kind or register. */
async function isStoredFor(
  records: RecordReader,
  record: RecordDefinition,
  { company_number }: PathValues,
): Promise<boolean> {
  if (company_number === undefined) return false;
  // A record that a company has once is stored under its number.
  const hasSeveral = record.indexes.some(({ fields: [first] }) => first === "company_number");
  const filter = hasSeveral ? { company_number } : { _id: company_number };
  return (await records.fetchOne(record, filter)) !== null;
}

/** Sets the header: `charge; loaded=yes; as-of=2026-11-01`, or `charge; loaded=no`. */
export function setCoverage(ctx: AppContext, kind: string, { loaded, as_of }: Coverage): void {
  ctx.set(HEADER, describe(kind, loaded ? "yes" : "no", as_of));
}

/** Sets the header of an answer from these indices. */
export type SetSearchCoverage = (ctx: AppContext, indices: readonly IndexName[]) => Promise<void>;

/**
 * Makes the header of searches, which is about all companies: `loaded=all`, or `loaded=some` where no complete edition has
 * been loaded. A search must work without MongoDB: once the loads have been read it waits for them no longer than a moment,
 * and then uses those last read.
 */
export function openSearchCoverage(records: Pick<RecordReader, "fetchLoadedSources">): SetSearchCoverage {
  let last: readonly LoadedSource[] | undefined;
  return async (ctx, indices) => {
    const asked = records.fetchLoadedSources().then(
      (sources) => (last = sources),
      () => last,
    );
    const sources = last ? await within(PATIENCE_MS, asked).catch(() => last) : await asked;
    if (!sources || indices.length === 0) return;
    const kinds = indices.map((index) => {
      const kind = KIND_OF_INDEX[index];
      const { loaded, as_of } = coverageOfRegister(sources, kind, true);
      return describe(kind, loaded, as_of);
    });
    ctx.set(HEADER, kinds.join(", "));
  };
}

function describe(kind: string, loaded: string, day: string | null): string {
  return `${kind}; loaded=${loaded}${day === null ? "" : `; as-of=${day}`}`;
}
