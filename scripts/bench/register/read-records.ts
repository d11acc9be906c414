/** Owns the way from a bulk file to stored records without the stores: the reader and the mapping of a real load. */
import type { RecordDefinition, StoredRecord } from "../../../api/shared/definitions/define-record.ts";
import { CommandError } from "../../../api/shared/runtime/errors.ts";
import type { LoadRun } from "../../../ingest/load/open-file.ts";
import { cutFile } from "../../../ingest/load/read-files.ts";
import { sortRows } from "../../../ingest/pipeline.ts";
import { openInput } from "../../../ingest/readers/open-input.ts";
import { findSource, findMergeRules } from "../../../ingest/sources/index.ts";
import { build } from "../../../ingest/statements/absorb.ts";

// The cast: the rest of a load is not asked for.
const RUN = {
  open: (path: string) => openInput(path),
  context: { isStopping: () => false },
  watch: () => ({ onProgress: () => undefined, end: () => undefined }),
  record: { plan: { encoding: "utf-8", limits: { rows: 1_000, bytes: 1_000_000 } } },
} as unknown as LoadRun;

/** Hands the records of a file on, a batch at a time; the next is read when the promise has been kept. Returns its rows. */
export function readRecords(
  path: string,
  onRecords: (record: RecordDefinition, stored: StoredRecord[]) => Promise<void> | void,
): Promise<number> {
  let revision = 0;
  return cutFile(
    RUN,
    { path },
    {
      take: async (batch) => {
        revision += 1;
        const sorted = sortRows(findSource(batch.source), { load: "bench", revision, ...batch });
        const [refused] = sorted.refused;
        // The register is made for this: a refused row means that the generator and the source do not agree.
        if (refused) throw new CommandError(`${path}, line ${refused.line}: ${refused.reason}`);
        for (const [record, { rows }] of sorted.kinds) {
          const absorbing = { record, revision, findMergeRules };
          // The cast: what rows tell is there.
          await onRecords(
            record,
            [...rows.values()].map((row) => build(undefined, row, absorbing) as StoredRecord),
          );
        }
      },
    },
  );
}
