/** Owns which words stand where in the OpenAPI document: those beside a schema first, else those of its name. */
import type { JsonSchema } from "../../core/validate.ts";
import { companyWords } from "./companies.ts";
import { filingWords } from "./filings.ts";
import { peopleWords } from "./people.ts";
import { searchWords } from "./searches.ts";
import { sharedWords } from "./shared.ts";
import { valueWords } from "./values.ts";

/** The tables of words; a member stands in one of them. */
export const memberTables = [sharedWords, companyWords, peopleWords, filingWords, searchWords];

/** Words of the members that mean the same wherever they stand, by name. */
export const memberWords: Readonly<Record<string, string>> = Object.fromEntries(
  memberTables.flatMap((table) => Object.entries(table)),
);

/** Words of a member. Those beside a schema that is used in many places are of the schema, and come last. */
export function describeMember(name: string, schema: JsonSchema): string | undefined {
  const own = typeof schema.description === "string" ? schema.description : undefined;
  if (typeof schema.title !== "string") return own ?? memberWords[name];
  return memberWords[name] ?? describeSchema(schema.title, schema);
}

/** Words of a schema that has a name. */
export function describeSchema(name: string, { description }: JsonSchema): string | undefined {
  return typeof description === "string" ? description : (valueWords[name] ?? linkWords(name));
}

/** `self-link`: links of which there is but one. */
function linkWords(name: string): string | undefined {
  const link = /^(.+)-link$/.exec(name)?.[1]?.replaceAll("-", "_");
  return link && memberWords[`links.${link}`];
}
