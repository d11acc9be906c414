/** Owns the schemas of one OpenAPI document: each has one entry, under its name, and all uses refer to it. */
import { isDeepStrictEqual } from "node:util";
import type { JsonSchema } from "../core/validate.ts";
import { openSchema, titleOf, type Components } from "./open-schema.ts";
import { describeSchema } from "./words/index.ts";

const IS_OF_LINKS = /-links?$/;

/** Starts a collection. It throws where two different schemas have one name. */
export function collectComponents(): Components {
  const sources = new Map<string, JsonSchema>();
  const components: Components = {
    schemas: {},
    refer: (schema, name = titleOf(schema)) => {
      if (name === undefined) throw new Error("a schema without a title needs a name");
      if (sources.get(name) === schema) return referTo(name);
      if (!sources.has(name)) {
        sources.set(name, schema);
        // Its place comes before those it refers to: a reader meets an answer first, then its parts.
        components.schemas[name] = {};
      }
      const description = describeSchema(name, schema);
      const shown = openSchema(schema, components, IS_OF_LINKS.test(name));
      return components.add(name, { ...(description && { description }), ...shown });
    },
    add: (name, component) => {
      const present = components.schemas[name] ?? {};
      if (Object.keys(present).length > 0 && !isDeepStrictEqual(present, component)) {
        const hint = "give one of them another, and where only the words differ use inWords";
        throw new Error(`two different schemas have the title ${name}: ${hint}`);
      }
      components.schemas[name] = component;
      return referTo(name);
    },
  };
  return components;
}

function referTo(name: string): JsonSchema {
  return { $ref: `#/components/schemas/${name}` };
}
