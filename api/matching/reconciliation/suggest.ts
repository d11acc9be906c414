/** Owns suggestions: entities, properties and types that begin with the typed text. Pure except for searches. */
import { foldText } from "../../../index-mappings/names/fold.ts";
import { parseQuery } from "../../shared/schemas/query-parameters.ts";
import { searchDisqualifiedOfficers } from "../../search/disqualified-officers.ts";
import type { Ask, SearchDefinition } from "../../search/define-search.ts";
import type { SearchHit } from "../../shared/definitions/search-result.ts";
import { fetchResult } from "../../search/fetch-result.ts";
import { searchOfficers } from "../../search/officers.ts";
import { suggestCompanies } from "../../search/suggest-companies.ts";
import type { MatchType } from "../define-match.ts";
import { matchings } from "../matcher.ts";
import { entityId, entityTypes, typeOf } from "./entities.ts";
import { properties } from "./properties.ts";

/** Suggestions on a page. */
export const PAGE_SIZE = 10;

const SEARCHES: Record<MatchType, SearchDefinition> = {
  company: suggestCompanies as unknown as SearchDefinition,
  officer: searchOfficers as unknown as SearchDefinition,
  "disqualified-officer": searchDisqualifiedOfficers as unknown as SearchDefinition,
};

/** The typed text, and how many suggestions to skip. */
export interface Typed {
  prefix: string;
  cursor: number;
}

/** Entities whose name begins with the typed text, or whose number it is. */
export async function suggestEntities(
  ask: Ask,
  type: MatchType,
  { prefix, cursor }: Typed,
): Promise<Record<string, unknown>> {
  if (prefix === "") return { result: [] };
  const search = SEARCHES[type];
  const values = parseQuery(search.parameters, { q: prefix });
  // Equal names are different companies here, so all are shown.
  const page = { from: cursor, size: PAGE_SIZE, _source: matchings[type].members };
  const paged: Ask = (...bodies) => ask(...bodies.map((body) => ({ ...body, ...page })));
  const { hits } = await fetchResult(search, paged, values);
  const compare = matchings[type].read({ type, name: prefix }).compare;
  const result = hits.map((hit) => presentEntity(type, hit, compare(hit)));
  return { result, ...(hits.length === PAGE_SIZE && { cursor: cursor + PAGE_SIZE }) };
}

function presentEntity(
  type: MatchType,
  { id }: SearchHit,
  { name, description }: { name: string; description: string },
): Record<string, unknown> {
  return {
    id: entityId(type, id),
    name,
    ...(description && { description }),
    notable: [typeOf(type)],
  };
}

/** Properties whose name or identifier contains the typed text. */
export function suggestProperties(typed: Typed): Record<string, unknown> {
  return pageOf(
    properties.map(({ id, name, description }) => ({ id, name, description })),
    typed,
  );
}

/** Types whose name or identifier contains the typed text. */
export function suggestTypes(typed: Typed): Record<string, unknown> {
  return pageOf(entityTypes, typed);
}

function pageOf(
  all: readonly { id: string; name: string }[],
  { prefix, cursor }: Typed,
): Record<string, unknown> {
  const wanted = foldText(prefix);
  const fitting = all.filter(({ id, name }) => [id, name].some((text) => foldText(text).includes(wanted)));
  return { result: fitting.slice(cursor, cursor + PAGE_SIZE) };
}
