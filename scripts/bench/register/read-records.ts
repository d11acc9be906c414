/** Turns a bulk file into stored records without any store, with the readers and the mapping of a real load. */
import type { RecordDefinition, StoredRecord } from "../../../api/shared/definitions/define-record.ts";
import { CommandError } from "../../../api/shared/runtime/errors.ts";
import type { LoadRun } from "../../../ingest/load/open-file.ts";
import { cutFile } from "../../../ingest/load/read-files.ts";
import { sortRows } from "../../../ingest/pipeline.ts";
import { openInput } from "../../../ingest/readers/open-input.ts";
import { findSource, findMergeRules } from "../../../ingest/sources/index.ts";
import { build } from "../../../ingest/statements/absorb.ts";

// The cast: cutFile uses only these members of a load.
const RUN = {
  open: (path: string) => openInput(path),
  context: { isStopping: () => false },
  watch: () => ({ onProgress: () => undefined, end: () => undefined }),
  record: { plan: { encoding: "utf-8", limits: { rows: 1_000, bytes: 1_000_000 } } },
} as unknown as LoadRun;

/** Calls `onRecords` with each batch of a file's records, and awaits it before the next. Returns the number of rows. */
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
        // The register is generated for this, so a refused row means that generator and source do not agree.
        if (refused) throw new CommandError(`${path}, line ${refused.line}: ${refused.reason}`);
        for (const [record, { rows }] of sorted.kinds) {
          const absorbing = { record, revision, findMergeRules };
          // The cast: `build` returns a record, because every row states one that exists.
          await onRecords(
            record,
            [...rows.values()].map((row) => build(undefined, row, absorbing) as StoredRecord),
          );
        }
      },
    },
  );
}
