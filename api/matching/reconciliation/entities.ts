/** Owns the entities of the reconciliation service: types, identifiers, and how they are fetched. Pure except for searches. */
import type { Budget } from "../../shared/runtime/budget.ts";
import type { SearchHit } from "../../shared/definitions/search-result.ts";
import type { SearchStore } from "../../../index-mappings/name-rules.ts";
import { MATCH_TYPES, type MatchType } from "../define-match.ts";
import { matchings } from "../matcher.ts";

/** A type, in the words of the reconciliation API. */
export interface EntityType {
  id: MatchType;
  name: string;
}

const NAMES: Record<MatchType, string> = {
  company: "Company",
  officer: "Officer",
  "disqualified-officer": "Disqualified officer",
};

/** The types, the default one first. */
export const entityTypes: readonly EntityType[] = MATCH_TYPES.map(typeOf);

/** A type with its name. */
export function typeOf(id: MatchType): EntityType {
  return { id, name: NAMES[id] };
}

/** True for the identifier of a type. */
export function isType(text: string): text is MatchType {
  return (MATCH_TYPES as readonly string[]).includes(text);
}

/** An entity's identifier over all types: a company's number, a person's type and identifier. */
export function entityId(type: MatchType, id: string): string {
  return type === "company" ? id : `${type}-${id}`;
}

/** The type and the identifier within it; a text without a person's form is read as a company number. */
export function parseEntityId(text: string): { type: MatchType; id: string } {
  const type = MATCH_TYPES.find((each) => each !== "company" && text.startsWith(`${each}-`));
  return type ? { type, id: text.slice(type.length + 1) } : { type: "company", id: text.toUpperCase() };
}

/** An entity's document. */
export interface Entity {
  type: MatchType;
  hit: SearchHit;
}

/** The documents of entities, by the identifiers given; those that do not exist are left out. */
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
    const [page] = await elasticsearch.search([index], [body], budget);
    for (const hit of page?.hits ?? [])
      for (const { given, id } of own) if (id === hit.id) found.set(given, { type, hit });
  }
  return found;
}
