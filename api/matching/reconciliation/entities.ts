/** The entities of the reconciliation service: their types and identifiers, and the searches that find them. */
import type { Budget } from "../../shared/runtime/deadlines.ts";
import { parseQuery } from "../../shared/schemas/query-parameters.ts";
import type { SearchHit } from "../../shared/definitions/search-result.ts";
import type { SearchStore } from "../../../index-mappings/name-rules.ts";
import { foldText } from "../../../index-mappings/names/text.ts";
import type { Ask, SearchDefinition } from "../../search/define-search.ts";
import { fetchNeededPhase } from "../../search/phases.ts";
import { suggestCompanies } from "../../search/suggest-companies.ts";
import { MATCH_TYPES, type MatchType } from "../define-match.ts";
import { matchings } from "../matcher.ts";

const NAMES: Record<MatchType, string> = {
  company: "Company",
  officer: "Officer",
  "disqualified-officer": "Disqualified officer",
};

/** The types, with the default first. */
export const entityTypes = MATCH_TYPES.map(typeOf);

/** A type with its name. */
export function typeOf(id: MatchType) {
  return { id, name: NAMES[id] };
}

/** True for the identifier of a type. */
export function isType(text: string): text is MatchType {
  return (MATCH_TYPES as readonly string[]).includes(text);
}

/** An identifier that is unique over all types: a company's number; a person's type and identifier. */
export function entityId(type: MatchType, id: string): string {
  return type === "company" ? id : `${type}-${id}`;
}

/** Splits an identifier into type and id. A text that is not the identifier of a person is read as a company number. */
export function parseEntityId(text: string): { type: MatchType; id: string } {
  const isId = !/\s/.test(text);
  const type = MATCH_TYPES.find((each) => isId && each !== "company" && text.startsWith(`${each}-`));
  return type ? { type, id: text.slice(type.length + 1) } : { type: "company", id: text.toUpperCase() };
}

export interface Entity {
  type: MatchType;
  hit: SearchHit;
}

/** The documents of entities, by the given identifiers; missing ones are left out. */
export async function fetchEntities(
  elasticsearch: SearchStore,
  ids: readonly string[],
  budget: Budget | undefined,
): Promise<Map<string, Entity>> {
  const wanted = ids.map((given) => ({ given, ...parseEntityId(given) }));
  const found = new Map<string, Entity>();
  for (const type of MATCH_TYPES) {
    const own = wanted.filter((one) => one.type === type);
    if (own.length === 0) continue;
    const { index, members } = matchings[type];
    const body = { query: { terms: { id: own.map(({ id }) => id) } }, size: own.length, _source: members };
    const [page] = await elasticsearch.search([index], [body], { budget });
    for (const hit of page?.hits ?? [])
      for (const { given, id } of own) if (id === hit.id) found.set(given, { type, hit });
  }
  return found;
}

// Suggestions per page.
const PAGE_SIZE = 10;
// Limit: most suggestions for one text, over all pages.
export const SUGGESTIONS = 1_000;

/** The typed text, and how many suggestions to skip. */
interface Typed {
  prefix: string;
  cursor: number;
}

/**
 * Entities whose name begins with the typed text, or whose number it is. OpenRefine asks without a type: then the first
 * page alternates between the types, best entities first, and further pages have only companies.
 */
export async function suggestEntities(
  askOf: (type: MatchType) => Ask,
  given: MatchType | undefined,
  typed: Typed,
) {
  if (typed.prefix === "") return { result: [] };
  const types = given ? [given] : typed.cursor > 0 ? [MATCH_TYPES[0]] : MATCH_TYPES;
  const found = await Promise.all(
    types.map((type) => suggestOfType(askOf(type), type, typed, type === types[0])),
  );
  const result = Array.from({ length: PAGE_SIZE }, (_, at) => found.flatMap((own) => own[at] ?? []))
    .flat()
    .slice(0, PAGE_SIZE);
  const [first = []] = found;
  const shown = result.filter((one) => first.includes(one)).length;
  const next = typed.cursor + shown;
  const isMore = shown < first.length || shown === PAGE_SIZE;
  return { result, ...(isMore && next < SUGGESTIONS && { cursor: next }) };
}

/** A page of one type. Only the first type includes near names, which would otherwise displace its better ones. */
async function suggestOfType(ask: Ask, type: MatchType, { prefix, cursor }: Typed, isFirst: boolean) {
  const { search: named, members, read } = matchings[type];
  // Companies have a search of their own for unfinished names. The cast: values are parsed by the search's own
  // parameters.
  const search = type === "company" ? (suggestCompanies as unknown as SearchDefinition) : named;
  const values = parseQuery(search.parameters, { q: prefix });
  // No removal of equal names, as these are different companies.
  const page = { from: cursor, size: PAGE_SIZE, _source: members };
  if (!search.phases) throw new Error(`${search.name} is no search by relevance`);
  const phases = { ...search.phases(values), ...(!isFirst && { last: "strict" as const }) };
  const { hits } = await fetchNeededPhase(ask, phases, (body) => ({ ...body, ...page }));
  const { compare } = read({ type, name: prefix });
  return hits.map(compare).map(({ id, name, description }) => ({
    ...{ id: entityId(type, id), name },
    ...(description && { description }),
    notable: [typeOf(type)],
  }));
}

/** Properties or types whose name or identifier contains the typed text. */
export function suggestNamed(all: readonly { id: string; name: string }[], { prefix, cursor }: Typed) {
  const wanted = foldText(prefix);
  const fitting = all.filter(({ id, name }) => [id, name].some((text) => foldText(text).includes(wanted)));
  return { result: fitting.slice(cursor, cursor + PAGE_SIZE) };
}
