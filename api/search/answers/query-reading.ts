/** Owns what an answer shows of the query itself, on request: what was read in it beside a name. Pure. */
import type { JsonSchema } from "../../shared/schemas/validate.ts";
import { parseCompanyName } from "../../../index-mappings/names/company-name.ts";
import { readCompanyText } from "../reading/company.ts";
import { readPersonText } from "../reading/person.ts";

/** What a search finds: its query is read as the name of one. */
export type Sought = "companies" | "people" | "both";

/** The query as read: for a company, for a person, or for both. */
export function describeQuery(q: string, sought: Sought): Record<string, unknown> {
  return {
    ...(sought !== "people" && { company: describeCompanyQuery(q) }),
    ...(sought !== "companies" && { person: describePersonQuery(q) }),
  };
}

function describeCompanyQuery(q: string): Record<string, unknown> {
  const { numbers, postcode, names } = readCompanyText(q);
  const closed = names.find(({ agreeing }) => agreeing === 0);
  const { words, end } = closed?.name ?? parseCompanyName(q);
  const place = closed?.rest ?? [];
  return {
    name: words.join(" "),
    ...(end !== "NONE" && { ending: end }),
    ...(numbers.length > 0 && { company_numbers: numbers }),
    ...(postcode && { postcode }),
    ...(place.length > 0 && { other_words: place.join(" ") }),
  };
}

function describePersonQuery(q: string): Record<string, unknown> {
  const { name, born, postcode, honours, numbers } = readPersonText(q);
  return {
    name: name.words.join(" "),
    ...(born && { born: [born.year, born.month].filter(Boolean).join("-") }),
    ...(numbers.length > 0 && { company_numbers: numbers }),
    ...(postcode && { postcode }),
    ...(honours.length > 0 && { titles_and_honours: honours.join(" ") }),
  };
}

const NUMBERS: JsonSchema = {
  type: "array",
  description: "Company numbers in the query, as the register writes them.",
  items: { type: "string", pattern: "^[A-Z0-9]{8}$" },
};
const POSTCODE: JsonSchema = { type: "string", description: "A postcode in the query, without its space." };
const NAME: JsonSchema = { type: "string", description: "The part that was read as the name, in capitals." };

/** JSON Schema of the query as it was read. */
export const queryReadingSchema: JsonSchema = {
  title: "query-reading",
  type: "object",
  description: "What was read in the query; with explain=true.",
  additionalProperties: false,
  properties: {
    company: {
      title: "company-query-reading",
      type: "object",
      description: "The query as one for a company.",
      additionalProperties: false,
      required: ["name"],
      properties: {
        name: NAME,
        ending: { type: "string", description: "Class of the legal ending: LTD, PLC, LLP and so on." },
        company_numbers: NUMBERS,
        postcode: POSTCODE,
        other_words: {
          type: "string",
          description:
            "Words after the name, usually an address. Companies with these words in their address rank higher.",
        },
      },
    },
    person: {
      title: "person-query-reading",
      type: "object",
      description: "The query as one for a person.",
      additionalProperties: false,
      required: ["name"],
      properties: {
        name: NAME,
        born: { type: "string", description: "Year, or year and month, of birth." },
        company_numbers: NUMBERS,
        postcode: POSTCODE,
        titles_and_honours: {
          type: "string",
          description: "Titles, honours and roles that are no part of the name.",
        },
      },
    },
  },
};
