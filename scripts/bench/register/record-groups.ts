/** Owns records put together by a value they share, on disk: any number of them in bounded memory. */
import { closeSync, mkdirSync, openSync, readFileSync, rmSync, writeSync } from "node:fs";
import { join } from "node:path";
import { keyOf } from "../../../api/shared/values/members.ts";
import type { StoredRecord } from "../../../api/shared/definitions/define-record.ts";
import { groupBy } from "../../../api/shared/values/group-by.ts";

/** Records sorted into files by the value of one field; those of equal value are in the same file. */
export class RecordGroups {
  private readonly files: { path: string; handle: number }[];

  /** `count` decides how much is held at once: of so many parts, one. */
  constructor(
    private readonly folder: string,
    private readonly field: string,
    count: number,
  ) {
    mkdirSync(folder, { recursive: true });
    this.files = Array.from({ length: count }, (_none, number) => {
      const path = join(folder, `${number}.jsonl`);
      return { path, handle: openSync(path, "w") };
    });
  }

  add(records: readonly StoredRecord[]): void {
    const lines = this.files.map((): string[] => []);
    for (const record of records) {
      lines[partOf(keyOf(record, this.field), lines.length)]?.push(`${JSON.stringify(record)}\n`);
    }
    this.files.forEach(({ handle }, number) => {
      if (lines[number]?.length) writeSync(handle, lines[number].join(""));
    });
  }

  /** Part by part, the records by value. Removes the files. */
  *read(): Generator<Map<string, StoredRecord[]>> {
    for (const { path, handle } of this.files) {
      closeSync(handle);
      const lines = readFileSync(path, "utf8").split("\n").filter(Boolean);
      const records = lines.map((line) => JSON.parse(line) as StoredRecord);
      yield groupBy(records, (record) => keyOf(record, this.field));
      rmSync(path);
    }
    rmSync(this.folder, { recursive: true });
  }
}

/** The part that a value belongs to: the hash FNV-1a spreads values that differ little evenly. */
export function partOf(value: string, parts: number): number {
  let hash = 0x811c9dc5;
  for (let position = 0; position < value.length; position += 1) {
    hash = Math.imul(hash ^ value.charCodeAt(position), 0x01000193);
  }
  return (hash >>> 0) % parts;
}
