/**
 * Gathers rows that make one search document but may be anywhere in a file, such as a person's appointments.
 * They are written last, in batches of their own; a context row stays in the place of each. In a first load,
 * documents are then made from a batch alone and nothing is read back.
 */
import { PERSONS } from "../../api/shared/stores/collections/persons.ts";
import type { Batch, BatchLimits } from "../queue/batches.ts";
import type { BatchJob } from "../queue/queue.ts";
import { isBlank, isUnreadable, type ReadRow, type RawRow } from "../readers/read-rows.ts";
import { PartedLines } from "./parted-lines.ts";
import { placeOf, type Repeats } from "./repeats.ts";
import type { FileSurvey } from "./open-file.ts";

// Rows of the file for each part; the gathered ones of a part are held in memory.
const ROWS_A_PART = 200_000;
const WAITING_BYTES = 65_536;

/** True if files that can be gathered share no kind of record with other files. */
export function isScattered(surveys: readonly FileSurvey[]): boolean {
  const kinds = new Set(surveys.flatMap(({ source, fills }) => (source.scattered ? fills : [])));
  return surveys.every(
    ({ source, fills }) => source.scattered !== undefined || !fills.some((kind) => kinds.has(kind)),
  );
}

/** True if nothing is stored where the gathered rows go, nor any person's real id. `empty`: collections without documents. */
export function isFirst(surveys: readonly FileSurvey[], empty: ReadonlySet<string>): boolean {
  const kinds = surveys.flatMap(({ source, fills }) => (source.scattered ? fills : []));
  return [...kinds, PERSONS].every((kind) => empty.has(kind));
}

/** A row put aside, with its key and the first row of its group if that is another row. */
type Aside = readonly [key: string, row: RawRow, first: RawRow | null];

type Apart = Pick<BatchJob, "apart" | "pieces">;

export class Gathering {
  /** Absent: all rows stay where they are. */
  private readonly aside: PartedLines | undefined;
  private first: RawRow | undefined;

  /** Makes temporary files until `remove`. `repeats`: the keys of all rows. */
  constructor(
    private readonly file: FileSurvey,
    surveys: readonly FileSurvey[],
    private readonly of: { repeats: Repeats; isFirst: boolean },
  ) {
    const { scattered, groupKey } = file.source;
    // Rows of several files are not gathered.
    const isAlone = surveys.filter(({ source }) => source.scattered).length === 1;
    const parts = Math.ceil(file.rows / ROWS_A_PART) || 1;
    if (scattered && groupKey && isAlone) this.aside = new PartedLines(parts, WAITING_BYTES);
  }

  /** Takes the rows in file order; returns the row to use in place of each. */
  pass(row: ReadRow): ReadRow {
    const { aside, first } = this;
    if (!aside || isBlank(row) || isUnreadable(row)) return row;
    const { groupKey, scattered } = this.file.source;
    const isFirst = !first || groupKey?.(first.text) !== groupKey?.(row.text);
    if (isFirst) this.first = row;
    const key = scattered?.keyOf(row.text);
    if (key === undefined || !this.of.repeats.isAgain(key)) return row;
    const line: Aside = [key, row, isFirst ? null : first];
    aside.add(placeOf(key, aside.parts), JSON.stringify(line));
    return { ...row, isContext: true };
  }

  /** In a first load: the documents of the batch to which rows of other batches may belong. */
  apartOf({ rows }: Batch): Apart {
    const { scattered } = this.file.source;
    if (!scattered || !this.of.isFirst) return {};
    const keys = this.aside ? [] : new Set(rows.map(({ text }) => scattered.keyOf(text)));
    const again = [...keys].filter((key) => key !== undefined && this.of.repeats.isAgain(key));
    return { apart: again.map((key = "") => scattered.documentOf(key)) };
  }

  /** Batches of the gathered rows, a key in one batch; a key too large for that is named in `apart`. */
  *batches({ rows: most }: BatchLimits): Generator<Batch & Apart> {
    let rows: RawRow[] = [];
    for (const group of this.readGroups()) {
      if (rows.length > 0 && rows.length + group.length > most) {
        yield { rows, unreadable: [] };
        rows = [];
      }
      if (group.length <= most) rows.push(...group);
      else yield* this.cut(group, most);
    }
    if (rows.length > 0) yield { rows, unreadable: [] };
  }

  async remove(): Promise<void> {
    await this.aside?.remove();
  }

  private *cut(group: RawRow[], most: number): Generator<Batch & Apart> {
    const { scattered } = this.file.source;
    const key = scattered?.keyOf(group.at(-1)?.text ?? "") ?? "";
    // An even number, since each row follows the first row of its group.
    const size = most - (most % 2) || 2;
    const pieces = Math.ceil(group.length / size);
    const apart = scattered && this.of.isFirst ? { apart: [scattered.documentOf(key)], pieces } : {};
    for (let at = 0; at < group.length; at += size)
      yield { rows: group.slice(at, at + size), unreadable: [], ...apart };
  }

  /** Yields the rows of each key, every row after the first row of its group. */
  private *readGroups(): Generator<RawRow[]> {
    const { aside } = this;
    for (let part = 0; aside && part < aside.parts; part += 1) {
      const groups = new Map<string, RawRow[]>();
      for (const line of aside.read(part)) {
        // The cast: lines are written above.
        const [key, row, first] = JSON.parse(line) as Aside;
        const group = groups.get(key) ?? [];
        group.push({ ...(first ?? row), isContext: true }, row);
        groups.set(key, group);
      }
      yield* groups.values();
    }
  }
}
