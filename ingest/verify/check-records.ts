/**
 * Checks the records that a comparison reads: whether they can be read, whether their content matches the etag, and
 * whether their key members match the content. It repairs key members; lost content only a load can bring back.
 */
import { repairSteps, type UnreadableRecordError } from "../../api/shared/runtime/errors.ts";
import type { RecordDefinition, StoredRecord } from "../../api/shared/definitions/define-record.ts";
import type { OnUnreadable } from "../../api/shared/stores/mongodb/form.ts";
import type { Stores } from "../../api/shared/stores/index.ts";
import { contentHash } from "../../api/shared/values/identifiers.ts";
import { keyOf } from "../../api/shared/values/members.ts";
import type { AliasedIndex } from "../../api/shared/definitions/define-index.ts";
import { drawRevision } from "../history/revisions.ts";
import { BatchChange } from "../log/batch-change.ts";

/** `content`: it does not match the etag. `members`: these key members, by which the record is found, are wrong. */
interface RecordFault {
  kind: "unreadable" | "content" | "members";
  collection: string;
  id: string;
  members?: string[];
}

type RecordReport = ReturnType<RecordCheck["report"]>;

export class RecordCheck {
  private readonly found = { unreadable: 0, content: 0, members: 0 };
  private repaired = 0;
  private readonly named: RecordFault[] = [];
  private readonly unreadable = new Set<string>();
  /** Groups with an unreadable record: their documents cannot be checked. */
  private readonly hidden = new Set<string>();
  private readonly wrong = new Map<RecordDefinition, string[]>();

  /** `show`: how many faults of each kind to name. */
  constructor(private readonly show: number) {}

  /** Callbacks for a walk over the records of an index. */
  watch({ record, groupBy }: Pick<AliasedIndex, "record" | "groupBy">) {
    const onUnreadable: OnUnreadable = (error, form) => {
      this.hidden.add(keyOf(form, groupBy));
      this.noteUnreadable(error);
    };
    const onRead = (records: readonly StoredRecord[]) => {
      for (const stored of records) this.look(record, stored);
    };
    return { onUnreadable, onRead };
  }

  isHidden(group: string): boolean {
    return this.hidden.has(group);
  }

  noteUnreadable({ collection, id }: UnreadableRecordError): void {
    const name = `${collection} ${id}`;
    if (!this.unreadable.has(name)) this.note({ kind: "unreadable", collection, id });
    this.unreadable.add(name);
  }

  /** Writes again, as a batch would, the records with wrong key members that were found since the last call. */
  async repair(stores: Stores): Promise<void> {
    for (const [record, ids] of this.wrong) {
      const revision = await drawRevision(stores);
      const fresh = { load: "", job: `verify-${record.collection}-${revision}`, revision };
      const incoming = ids.map((id) => ({ id, statements: [] }));
      await BatchChange.write(stores, fresh, record, incoming);
      this.repaired += ids.length;
    }
    this.wrong.clear();
  }

  report() {
    const { found, repaired, named } = this;
    return { ...found, members: found.members - repaired, repaired, named };
  }

  private look(record: RecordDefinition, stored: StoredRecord): void {
    const { collection } = record;
    const { _id: id, data, etag } = stored;
    // If the content was altered, it does not show which key members are right.
    if (contentHash(data) !== etag) return this.note({ kind: "content", collection, id });
    const keys = Object.entries(record.keysOf(data));
    const members = keys.flatMap(([key, value]) =>
      (stored as unknown as Record<string, unknown>)[key] === value ? [] : key,
    );
    if (members.length === 0) return;
    this.note({ kind: "members", collection, id, members });
    this.wrong.set(record, [...(this.wrong.get(record) ?? []), id]);
  }

  private note(fault: RecordFault): void {
    // Counted, since the list may be long.
    if ((this.found[fault.kind] += 1) <= this.show) this.named.push(fault);
  }
}

export function areRecordsCorrect({ unreadable, content, members }: RecordReport): boolean {
  return unreadable + content + members === 0;
}

/** The report as lines of text; none if nothing was found. */
export function formatRecords(report: RecordReport): string[] {
  const { unreadable, content, members, repaired, named } = report;
  const [first] = named.filter(({ kind }) => kind !== "members");
  if (named.length === 0 && areRecordsCorrect(report)) return [];
  const verdict = areRecordsCorrect(report)
    ? "right"
    : `WRONG: ${unreadable} unreadable, ${content} whose content does not match the etag, ` +
      `${members} with wrong key members`;
  return [
    `records in MongoDB: ${verdict}${repaired > 0 ? `; repaired: ${repaired}` : ""}`,
    ...named.map(
      ({ kind, collection, id, members: wrong }) =>
        `  ${kind.padEnd(10)} ${collection} ${id}${wrong ? `: ${wrong.join(", ")}` : ""}`,
    ),
    ...(first ? [`  to renew one: ${repairSteps(first.collection, first.id)}`] : []),
  ];
}
