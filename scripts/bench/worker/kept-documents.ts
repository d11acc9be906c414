/** A collection in memory for the ingest's own documents (loads, change log, followers), with the queries it needs. */
import type { Document } from "mongodb";

/** The errors of a write of many documents. */
interface WriteErrors {
  writeErrors?: { index: number; code: number; errmsg: string }[];
}

/** Options of a find command besides its filter. */
export interface FindOptions {
  /** Only by `_id`. */
  sort?: Document;
  /** 0: no limit. */
  limit?: number;
}

const DUPLICATE_KEY = 11000;

/** Documents by `_id`. */
export class KeptDocuments {
  private readonly documents = new Map<string, Document>();

  insert(documents: readonly Document[]): { n: number } & WriteErrors {
    const writeErrors = [];
    for (const [index, document] of documents.entries()) {
      const id = String(document._id);
      if (this.documents.has(id)) writeErrors.push({ index, code: DUPLICATE_KEY, errmsg: `duplicate ${id}` });
      else this.documents.set(id, document);
    }
    const n = documents.length - writeErrors.length;
    return { n, ...(writeErrors.length > 0 && { writeErrors }) };
  }

  /** Updates documents; `u` of an update is a whole document, or `$set` with members. */
  update(updates: readonly Document[]): { n: number; nModified: number; upserted: Document[] } {
    let nModified = 0;
    const upserted: Document[] = [];
    for (const [index, { q, u, upsert }] of updates.entries()) {
      const found = this.find(q as Document)[0];
      if (found) nModified += 1;
      else if (upsert) upserted.push({ index, _id: (q as Document)._id as unknown });
      if (!found && !upsert) continue;
      const { $set, ...whole } = u as Document;
      const now: Document = $set ? { ...found, ...($set as Document) } : whole;
      this.documents.set(String(now._id), now);
    }
    return { n: nModified + upserted.length, nModified, upserted };
  }

  remove(filter: Document): number {
    const found = this.find(filter);
    for (const { _id } of found) this.documents.delete(String(_id));
    return found.length;
  }

  /** Documents that match the filter; sorted by id if `sort` says so. */
  find(filter: Document, { sort, limit = 0 }: FindOptions = {}): Document[] {
    const known = idsOf(filter)?.flatMap((id): Document[] => {
      const document = this.documents.get(id);
      return document ? [document] : [];
    });
    const found = (known ?? [...this.documents.values()]).filter((document) => fits(document, filter));
    const direction = Number(sort?._id ?? 0);
    if (direction !== 0) found.sort((a, b) => (String(a._id) < String(b._id) ? -direction : direction));
    return limit > 0 ? found.slice(0, limit) : found;
  }
}

/** The ids that a filter names; undefined if it names none. */
function idsOf({ _id: asked }: Document): string[] | undefined {
  if (typeof asked === "string") return [asked];
  return (asked as { $in?: string[] } | undefined)?.$in;
}

/** Whether a document meets all conditions. Throws for an operator that is not in OPERATORS. */
function fits(document: Document, filter: Document): boolean {
  return Object.entries(filter).every(([name, condition]) => {
    if (name === "$nor") return !(condition as Document[]).some((one) => fits(document, one));
    const value: unknown = document[name];
    if (typeof condition !== "object" || condition === null) return isEqual(value, condition);
    return Object.entries(condition as Document).every(([operator, operand]) => {
      const test = OPERATORS[operator];
      if (!test) throw new Error(`the counting MongoDB does not know ${operator}`);
      return test(value, operand);
    });
  });
}

// The casts: the ingest compares only texts and numbers.
const OPERATORS: Record<string, (value: unknown, operand: unknown) => boolean> = {
  $in: (value, operand) => (operand as unknown[]).some((one) => isEqual(value, one)),
  $ne: (value, operand) => !isEqual(value, operand),
  $exists: (value, operand) => (value !== undefined) === operand,
  $gt: (value, operand) => (value as string) > (operand as string),
  $gte: (value, operand) => (value as string) >= (operand as string),
  $lt: (value, operand) => (value as string) < (operand as string),
  $lte: (value, operand) => (value as string) <= (operand as string),
};

/** Equality as in MongoDB: a list also equals each of its items. */
function isEqual(value: unknown, other: unknown): boolean {
  return Array.isArray(value) ? value.includes(other) : value === other;
}
