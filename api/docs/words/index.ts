/** Owns the choice of descriptions in the OpenAPI document: a schema's own first, else those for its name. */
import type { JsonSchema } from "../../core/validate.ts";
import { companyWords } from "./companies.ts";
import { filingWords } from "./filings.ts";
import { peopleWords } from "./people.ts";
import { searchWords } from "./searches.ts";
import { sharedWords } from "./shared.ts";
import { valueWords } from "./values.ts";

/** The tables of descriptions; a member is in one of them. */
export const memberTables = [sharedWords, companyWords, peopleWords, filingWords, searchWords];

/** Descriptions of the members that mean the same everywhere, by name. */
export const memberWords: Readonly<Record<string, string>> = Object.fromEntries(
  memberTables.flatMap((table) => Object.entries(table)),
);

/** Description of a member. One in a schema with many uses belongs to the schema, and comes last. */
export function describeMember(name: string, schema: JsonSchema): string | undefined {
  const own = typeof schema.description === "string" ? schema.description : undefined;
  if (typeof schema.title !== "string") return own ?? memberWords[name];
  return memberWords[name] ?? describeSchema(schema.title, schema);
}

/** Description of a named schema. */
export function describeSchema(name: string, { description }: JsonSchema): string | undefined {
  return typeof description === "string" ? description : (valueWords[name] ?? linkWords(name));
}

/** `self-link`: links with a single use. */
function linkWords(name: string): string | undefined {
  const link = /^(.+)-link$/.exec(name)?.[1]?.replaceAll("-", "_");
  return link && memberWords[`links.${link}`];
}
