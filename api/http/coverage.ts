/** Owns how an answer says what is held of its kind of record, so that "none" can be told from "not loaded". */
import type { PathValues, RecordReader, ResourceDefinition } from "../resources/define-resource.ts";
import { coverageOfCompany, isWhole, type Coverage } from "../resources/coverage/kinds.ts";
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
  const day = as_of === null ? "" : `; as-of=${as_of}`;
  ctx.set(HEADER, `${kind}; held=${held ? "yes" : "no"}${day}`);
}
