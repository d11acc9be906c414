/**
 * Converts records to and from the form that MongoDB stores. Members that queries and writes match or sort by stay
 * members. Parts that are only read as a whole (`data`, and its statements) become JSON texts. MongoDB reads and
 * writes a text for a fraction of the cost of many members. A text also comes back unchanged: members in their order,
 * any names, numbers as they were written.
 */
import type { Document } from "mongodb";
import { UnreadableRecordError } from "../../runtime/errors.ts";
import type { RecordOrTombstone } from "../../definitions/define-record.ts";

const TEXTS = ["data", "told", "update", "address"] as const;

/** A record as it is written. */
export function toForm(stored: RecordOrTombstone): Document & { _id: string } {
  return toTexts(stored, TEXTS);
}

/** The record of a document just read, or some members of it. Changes the document. Throws UnreadableRecordError. */
export function fromForm(form: Document, collection: string): RecordOrTombstone {
  try {
    return fromTexts<RecordOrTombstone>(form, TEXTS);
  } catch (error) {
    throw new UnreadableRecordError(collection, String(form._id), error);
  }
}

/** The same for many. `onUnreadable` receives unreadable ones, which are left out; absent: the first is thrown. */
export function fromForms(
  forms: readonly Document[],
  collection: string,
  onUnreadable?: OnUnreadable,
): RecordOrTombstone[] {
  return forms.flatMap((form) => {
    try {
      return fromForm(form, collection);
    } catch (error) {
      if (!onUnreadable || !(error instanceof UnreadableRecordError)) throw error;
      onUnreadable(error, form);
      return [];
    }
  });
}

/** `form`: the members that can be read. */
export type OnUnreadable = (error: UnreadableRecordError, form: Document) => void;

/** A copy of a document in which these members are JSON texts, if it has them. */
export function toTexts<Whole extends object>(whole: Whole, names: readonly string[]): Whole & Document {
  const form: Whole & Document = { ...whole };
  for (const name of names)
    if (form[name] !== undefined) (form as Document)[name] = JSON.stringify(form[name]);
  return form;
}

/** Undoes `toTexts`, for all members or some. Changes the document itself. */
export function fromTexts<Whole>(form: Document, names: readonly string[]): Whole {
  for (const name of names) {
    const text: unknown = form[name];
    if (typeof text === "string") form[name] = JSON.parse(text) as unknown;
  }
  // The cast: `toTexts` wrote the document.
  return form as Whole;
}
