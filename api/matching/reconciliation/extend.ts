/** Owns data extension: the values of properties of entities, by identifier. Pure. */
import type { MatchType } from "../define-match.ts";
import { typeOf, type Entity } from "./entities.ts";
import { properties, propertiesOf, type Property } from "./properties.ts";
import type { ExtendQuery } from "./queries.ts";

/** The requested values; none for an entity that does not exist or lacks the property. */
export function presentExtension(
  query: ExtendQuery,
  found: ReadonlyMap<string, Entity>,
): Record<string, unknown> {
  const asked = query.properties.flatMap(({ id }) => properties.find((property) => property.id === id) ?? []);
  const rows = query.ids.map((id) => {
    const entity = found.get(id);
    const values = asked.map((property) => [
      property.id,
      entity ? (property.values[entity.type]?.(entity.hit) ?? []) : [],
    ]);
    return [id, Object.fromEntries(values) as Record<string, unknown>] as const;
  });
  return { meta: asked.map(presentMeta), rows: Object.fromEntries(rows) };
}

function presentMeta({ id, name, entities }: Property): Record<string, unknown> {
  return { id, name, ...(entities && { type: typeOf(entities) }) };
}

/** The properties that entities of a type have, up to the requested number. */
export function proposeProperties(type: MatchType, limit: number | undefined): Record<string, unknown> {
  const proposed = propertiesOf(type).slice(0, limit);
  return {
    type,
    ...(limit !== undefined && { limit }),
    properties: proposed.map(({ id, name, description }) => ({ id, name, description })),
  };
}
