/** Owns former names: newest first, each with its period. */
import { compact, itemsOf, membersOf, type RawReader } from "./raw-values.ts";

/** A name the company had. */
export interface PreviousName {
  name: string;
  effective_from?: string;
  ceased_on?: string;
}

// Limit: the company CSV has room for ten names. Where ten are given, there may be older ones,
// so the start of the tenth is not known.
const NAMES_A_SOURCE_MAY_HOLD = 10;

/**
 * The former names, newest first. A name without a beginning began when the one before it ended, the oldest
 * at the company's creation; a beginning after the end is left out, and so is an item without a name.
 */
export function normalisePreviousNames(
  value: unknown,
  createdOn: string | undefined,
  reader: RawReader,
): PreviousName[] | undefined {
  const names = itemsOf(value).flatMap((item) => normaliseName(membersOf(item), reader));
  if (names.length === 0) return undefined;
  // A name without an end cannot be sorted by end: then the given order, newest first, is used.
  if (names.every((item) => item.ceased_on)) names.sort(byNewestEnd);
  return names.map((item, index) => {
    const beginning = item.effective_from ?? beginningOf(names, index, createdOn);
    const isKnown = beginning && (!item.ceased_on || beginning <= item.ceased_on);
    return isKnown ? { ...item, effective_from: beginning } : withoutBeginning(item);
  });
}

function normaliseName(raw: Record<string, unknown>, reader: RawReader): PreviousName[] {
  const name = reader.text(raw.name);
  if (name === undefined) return [];
  const effectiveFrom = reader.date(raw.effective_from, "previous_company_names.effective_from");
  const ceasedOn = reader.date(raw.ceased_on, "previous_company_names.ceased_on");
  return [{ name, ...compact({ effective_from: effectiveFrom, ceased_on: ceasedOn }) }];
}

function byNewestEnd(a: PreviousName, b: PreviousName): number {
  if (a.ceased_on === b.ceased_on) return 0;
  return (a.ceased_on ?? "") < (b.ceased_on ?? "") ? 1 : -1;
}

function beginningOf(
  names: PreviousName[],
  index: number,
  createdOn: string | undefined,
): string | undefined {
  if (index < names.length - 1) return names[index + 1]?.ceased_on;
  return names.length < NAMES_A_SOURCE_MAY_HOLD ? createdOn : undefined;
}

function withoutBeginning(item: PreviousName): PreviousName {
  return { name: item.name, ...compact({ ceased_on: item.ceased_on }) };
}
