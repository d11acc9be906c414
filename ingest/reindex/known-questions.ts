/** Owns the known questions: what the searches of the API must find in a new index, asked of it before it goes live. */
import { CommandError } from "../../api/core/errors.ts";
import { parseQuery } from "../../api/core/query-parameters.ts";
import type { HeldDocument } from "../../api/core/stores/elasticsearch-documents.ts";
import type { Stores } from "../../api/core/stores/index.ts";
import type { SearchDefinition, SearchHit } from "../../api/search/define-search.ts";
import { fetchResult } from "../../api/search/fetch-result.ts";
import { searches } from "../../api/search/index.ts";
import { QUERY_CHARACTERS } from "../../api/search/answers/envelope.ts";
import type { IndexAlias, IndexName } from "../../index-mappings/define-index.ts";

const PAGE = 100;
// Something to be found by, after all signs have been left out.
const HAS_WORD = /[\p{L}\p{N}]{2}/u;

/** A question, and the document that its answer must have. */
export interface Question {
  search: SearchDefinition;
  q: string;
  id: string;
  /** `first`: at the head; `found`: on the page, or all that stands there has the very same name. */
  place: "first" | "found";
}

/** The questions about a document: its name, and of a company its number. Pure. */
export function questionsAbout(index: IndexName, { id, source }: HeldDocument): Question[] {
  // Of the searches that ask this index alone the plain one stands first.
  const search = searches.find(({ indices }) => indices.length === 1 && indices[0] === index);
  if (!search) return [];
  const name = nameOf(source);
  const questions: Question[] = [];
  if (index === "companies") questions.push({ search, q: id, id, place: "first" });
  if (HAS_WORD.test(name) && name.length <= QUERY_CHARACTERS)
    questions.push({ search, q: name, id, place: "found" });
  return questions;
}

/** True when the answer is as it must be. */
export async function isAnswered(
  { elasticsearch }: Pick<Stores, "elasticsearch">,
  alias: IndexAlias,
  { search, q, id, place }: Question,
): Promise<boolean> {
  const values = parseQuery(search.parameters, { q, items_per_page: String(PAGE) });
  const ask = (...bodies: Record<string, unknown>[]) => elasticsearch.search([alias], bodies);
  const { hits } = await fetchResult(search, ask, values);
  if (place === "first") return hits[0]?.id === id;
  // Of a very common name a page does not hold all who bear it.
  const isCommon = hits.length === PAGE && hits.every((hit) => isNamed(hit, q));
  return isCommon || hits.some((hit) => hit.id === id);
}

/** For people: `"ACORN LIMITED" does not find 01234567`. */
export function describeUnanswered({ q, id, place }: Question): string {
  return `"${q}" does not find ${id}${place === "first" ? " first" : ""}`;
}

function isNamed({ source }: SearchHit, name: string): boolean {
  return nameOf(source).toLowerCase() === name.toLowerCase();
}

function nameOf(source: Record<string, unknown>): string {
  const shown = source.shown as { company_name?: unknown; title?: unknown } | undefined;
  const name = shown?.company_name ?? shown?.title;
  if (typeof name !== "string") throw new CommandError("a document of the new index shows no name");
  return name;
}
