/**
 * Owns the comparison of an answer with what a case expects of it. Of an object the members named must match,
 * others may be there; a list must have as many items, each matching; anything else must be equal. An object
 * whose members begin with `$` asks a question instead: see QUESTIONS.
 */

import { isMembers } from "../../api/shared/values/members.ts";

/** What does not match: its place and what was expected; null when all does. */
export type Mismatch = string | null;

const QUESTIONS: Record<string, (asked: unknown, actual: unknown, place: string) => Mismatch> = {
  /** True: the member must not be there; false: it must, whatever it is. */
  $absent: (asked, actual, place) =>
    (actual === undefined) === asked
      ? null
      : `${place} is ${show(actual)}${asked === true ? "" : ", expected"}`,
  /** A text that the pattern fits. */
  $matches: (asked, actual, place) =>
    typeof actual === "string" && new RegExp(String(asked), "u").test(actual)
      ? null
      : `${place} is ${show(actual)}, expected to fit ${String(asked)}`,
  /** A list of so many items. */
  $length: (asked, actual, place) =>
    Array.isArray(actual) && actual.length === asked
      ? null
      : `${place} has ${Array.isArray(actual) ? actual.length : "no"} items, expected ${String(asked)}`,
  /** A list with an item that matches. */
  $contains: (asked, actual, place) =>
    Array.isArray(actual) && actual.some((item) => matchPart(asked, item) === null)
      ? null
      : `${place} has no item like ${show(asked)}`,
  /** A list all of whose items match, and that has one at least. */
  $each: (asked, actual, place) => {
    if (!Array.isArray(actual) || actual.length === 0) return `${place} has no items`;
    return firstOf(actual.map((item, i) => () => matchPart(asked, item, `${place}/${i}`)));
  },
  /** A number of that size at least. */
  $atLeast: (asked, actual, place) =>
    typeof actual === "number" && actual >= Number(asked)
      ? null
      : `${place} is ${show(actual)}, expected at least ${String(asked)}`,
};

/** Compares; the place is a JSON Pointer into the answer. Throws when a question is unknown. */
export function matchPart(expected: unknown, actual: unknown, place = ""): Mismatch {
  if (Array.isArray(expected)) return matchList(expected, actual, place);
  if (!isMembers(expected)) {
    return expected === actual ? null : `${place} is ${show(actual)}, expected ${show(expected)}`;
  }
  const names = Object.keys(expected);
  if (names.some((name) => name.startsWith("$"))) {
    return firstOf(names.map((name) => () => questionOf(name)(expected[name], actual, place)));
  }
  if (!isMembers(actual)) return `${place} is ${show(actual)}, expected an object`;
  return firstOf(names.map((name) => () => matchPart(expected[name], actual[name], `${place}/${name}`)));
}

function matchList(expected: unknown[], actual: unknown, place: string): Mismatch {
  if (!Array.isArray(actual)) return `${place} is ${show(actual)}, expected a list`;
  if (actual.length !== expected.length) {
    return `${place} has ${actual.length} items, expected ${expected.length}`;
  }
  return firstOf(expected.map((item, i) => () => matchPart(item, actual[i], `${place}/${i}`)));
}

function questionOf(name: string): (asked: unknown, actual: unknown, place: string) => Mismatch {
  const question = QUESTIONS[name];
  if (!question)
    throw new Error(`${name} is not a known check; use one of ${Object.keys(QUESTIONS).join(", ")}`);
  return question;
}

function firstOf(comparisons: (() => Mismatch)[]): Mismatch {
  for (const compare of comparisons) {
    const mismatch = compare();
    if (mismatch !== null) return mismatch;
  }
  return null;
}

function show(value: unknown): string {
  const text = value === undefined ? "absent" : JSON.stringify(value);
  return text.length > 200 ? `${text.slice(0, 200)}…` : text;
}
