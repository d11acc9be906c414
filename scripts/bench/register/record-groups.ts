/** Groups any number of records by the value of a field, on disk, so that memory stays bounded. */
import { closeSync, mkdirSync, openSync, readFileSync, rmSync, writeSync } from "node:fs";
import { join } from "node:path";
import { keyOf } from "../../../api/shared/values/members.ts";
import type { StoredRecord } from "../../../api/shared/definitions/define-record.ts";
import { groupBy } from "../../../api/shared/values/group-by.ts";

/** Records in several files (parts); all records with the same value of the field are in the same file. */
export class RecordGroups {
  private readonly files: { path: string; handle: number }[];

  /** `count`: number of parts. Reading holds one part in memory at a time. */
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

  /** Reads part by part, each as a map of records by value, and deletes the files. */
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

/** The part of a value. The hash FNV-1a spreads even similar values evenly. */
export function partOf(value: string, parts: number): number {
  let hash = 0x811c9dc5;
  for (let position = 0; position < value.length; position += 1) {
    hash = Math.imul(hash ^ value.charCodeAt(position), 0x01000193);
  }
  return (hash >>> 0) % parts;
}
