/**
 * Owns the form in which MongoDB holds a record: what it is found, sorted and fenced by are members of their own, and what
 * is only ever read as a whole (`data`, and its statements) is JSON text. MongoDB writes and reads a text for a
 * fraction of what a document of many members costs it, and gives it back just as it was: members in their order, with
 * whatever names, numbers as they were written.
 */
import type { Document } from "mongodb";
import { UnreadableRecordError } from "../../runtime/errors.ts";
import type { RecordOrTombstone } from "../../definitions/define-record.ts";

const TEXTS = ["data", "told", "update", "address"] as const;

/** A record as it is written. */
export function toForm(stored: RecordOrTombstone): Document & { _id: string } {
  return toTexts(stored, TEXTS);
}

/** The record of a document that was just read, whole or some members of it: the document itself is changed. Throws UnreadableRecordError. */
export function fromForm(form: Document, collection: string): RecordOrTombstone {
  try {
    return fromTexts<RecordOrTombstone>(form, TEXTS);
  } catch (error) {
    throw new UnreadableRecordError(collection, String(form._id), error);
  }
}

/** The same of many. `onUnreadable`: told of those that cannot be read, which are left out; absent: the first is thrown. */
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

/** A copy of a document with these members as JSON texts, where it has them. */
export function toTexts<Whole extends object>(whole: Whole, names: readonly string[]): Whole & Document {
  const form: Whole & Document = { ...whole };
  for (const name of names)
    if (form[name] !== undefined) (form as Document)[name] = JSON.stringify(form[name]);
  return form;
}

/** What `toTexts` was given, or some members of it: the document itself is changed. */
export function fromTexts<Whole>(form: Document, names: readonly string[]): Whole {
  for (const name of names) {
    const text: unknown = form[name];
    if (typeof text === "string") form[name] = JSON.parse(text) as unknown;
  }
  // The cast: what is read was written in this form.
  return form as Whole;
}
