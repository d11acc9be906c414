/** Owns how an answer says what is held of its kind of record, so that "none" can be told from "not loaded". */
import type { LoadedSource } from "../core/stores/loaded-sources.ts";
import {
  coverageOfCompany,
  coverageOfRegister,
  isWhole,
  type Coverage,
} from "../resources/coverage/kinds.ts";
import type { PathValues, RecordReader, ResourceDefinition } from "../resources/define-resource.ts";
import { findIndex } from "../../index-mappings/index.ts";
import type { IndexName } from "../../index-mappings/define-index.ts";
import type { AppContext } from "./request-context.ts";

const HEADER = "X-Register-Coverage";

/** What is held behind an answer. `read`: what was read for it; null where there is nothing. */
export async function fetchCoverage(
  records: RecordReader,
  { record, holds }: Pick<ResourceDefinition, "record" | "holds">,
  path: PathValues,
  read: unknown,
): Promise<Coverage | undefined> {
  if (!record) return undefined;
  const sources = await records.fetchLoadedSources();
  const asked = { kind: record.name, companyNumber: path.company_number };
  const hasRecords =
    read !== null && (!holds || isWhole(sources, asked) || (await holds(read, records, path)));
  return coverageOfCompany(sources, asked, hasRecords);
}

/** Sets the header: `charge; held=yes; as-of=2026-11-01`, or `charge; held=no`. */
export function setCoverage(ctx: AppContext, kind: string, { held, as_of }: Coverage): void {
  ctx.set(HEADER, describe(kind, held ? "yes" : "no", as_of));
}

/** Sets the header of an answer from these indices. */
export type SetSearchCoverage = (ctx: AppContext, indices: readonly IndexName[]) => Promise<void>;

/**
 * Makes the header of searches, which tells of all companies: `held=all`, or `held=some` where no edition in whole has
 * been loaded. A search does without MongoDB: it waits for the loads once, and from then on goes by those last read.
 */
export function openSearchCoverage(records: Pick<RecordReader, "fetchLoadedSources">): SetSearchCoverage {
  let last: readonly LoadedSource[] | undefined;
  return async (ctx, indices) => {
    const asked = records.fetchLoadedSources().then(
      (sources) => (last = sources),
      () => last,
    );
    const sources = last ?? (await asked);
    if (!sources) return;
    const kinds = indices.map((index) => {
      const { name } = findIndex(index).record;
      const { held, as_of } = coverageOfRegister(sources, name, true);
      return describe(name, held, as_of);
    });
    ctx.set(HEADER, kinds.join(", "));
  };
}

function describe(kind: string, held: string, day: string | null): string {
  return `${kind}; held=${held}${day === null ? "" : `; as-of=${day}`}`;
}
