/** Owns sources as a former release had them, for tests that replay what it refused. */
import type { RawRow, SourceDefinition } from "../../ingest/define-source.ts";

/** A release that refuses rows which the present one takes. */
export function formerRelease(source: SourceDefinition, refuses: (row: RawRow) => boolean): SourceDefinition {
  return {
    ...source,
    mapRows: (rows, ...others) => [
      ...source.mapRows(
        rows.filter((row) => !refuses(row)),
        ...others,
      ),
      ...rows.filter(refuses).map((row) => ({ kind: "refused", row, reason: "not yet" }) as const),
    ],
  };
}
