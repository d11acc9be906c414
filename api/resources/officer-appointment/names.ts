/** Owns officers' names in answers: `SURNAME, Forename Other` in a company's list, `Forename Other SURNAME` in a person's. */
import type { Appointment } from "./members.ts";

// Titles that a list leaves out (API reference 6).
const PLAIN_TITLES = new Set(["mr", "mrs", "miss", "ms", "master"]);

/** Name in a company's list; titles above the plain ones follow it. */
export function formatListName({ name, name_elements: elements }: Appointment): string {
  if (!elements) return name ?? "";
  const { title, forename, other_forenames, surname } = elements;
  const forenames = [forename, other_forenames].filter(Boolean).join(" ");
  const shownTitle = title && !PLAIN_TITLES.has(title.toLowerCase().replace(/\.$/, "")) ? title : "";
  return [surname.toUpperCase(), forenames, shownTitle].filter(Boolean).join(", ");
}

/** Name at the head of a person's appointments. */
export function formatPersonName({ name, name_elements: elements }: Appointment): string {
  if (!elements) return name ?? "";
  const { forename, other_forenames, surname } = elements;
  return [forename, other_forenames, surname.toUpperCase()].filter(Boolean).join(" ");
}
