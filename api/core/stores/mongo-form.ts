/**
 * Owns the form in which MongoDB holds a record: what it is found, sorted and fenced by are members of their own, and what
 * is only ever read as a whole (`data`, and what its sources told) is JSON text. MongoDB takes and gives back a text for a
 * fraction of what a document of many members costs it, and gives it back just as it was: members in their order, numbers
 * as they were written.
 */
import type { Document } from "mongodb";
import type { HeldRecord } from "../../resources/define-record.ts";

const TEXTS = ["data", "told", "update"] as const;

/** A record as it is written. */
export function toForm(held: HeldRecord): Document & { _id: string } {
  const form: Document & { _id: string } = { ...held };
  for (const name of TEXTS) if (form[name] !== undefined) form[name] = JSON.stringify(form[name]);
  return form;
}

/** False for the document of a record that another release has stored. */
export function isOfForm({ data = "" }: Document): boolean {
  return typeof data === "string";
}

/** The record of a document that was just read, whole or some members of it: the document itself is changed. */
export function fromForm(form: Document): HeldRecord {
  for (const name of TEXTS) {
    const text: unknown = form[name];
    // A release before this form stored them as documents.
    if (typeof text === "string") form[name] = JSON.parse(text) as unknown;
  }
  // The cast: a collection holds what was written to it, records of its definition.
  return form as HeldRecord;
}
