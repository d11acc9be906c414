/** The properties of entities: those that a query may state, and those that can be fetched. Pure. */
import { addressSnippet, type Address } from "../../shared/values/address.ts";
import type { SearchHit } from "../../shared/definitions/search-result.ts";
import type { ShownCompany } from "../../../index-mappings/companies/index.ts";
import type { MatchQuestion, MatchType } from "../define-match.ts";
import { typeOf, type Entity } from "./entities.ts";

/** A value in the form of the reconciliation API, in which dates have a time. */
export type PropertyValue =
  | { str: string }
  | { int: number }
  | { date: string }
  | { id: string; name: string };

export interface Property {
  id: string;
  name: string;
  description: string;
  /** The member of a question that it sets; absent: the property is not compared. */
  states?: Exclude<keyof MatchQuestion, "type" | "name">;
  /** The type of its values if they are entities; absent: they are not. */
  entities?: MatchType;
  /** How its values are read from a document, by type of entity. */
  values: Partial<Record<MatchType, (hit: SearchHit) => PropertyValue[]>>;
}

/** The members of people's documents that properties read. */
interface PersonSource {
  shown: { title: string; date_of_birth?: string; address?: Address; appointment_count?: number };
  born?: string;
  companies?: string[];
  disqualified_until?: string;
}

// Limit: for an officer with more companies, only the first ones are returned.
const MOST_COMPANIES = 100;

const company = ({ source }: SearchHit) => source.shown as ShownCompany; // the document of its index
const person = ({ source }: SearchHit) => source as unknown as PersonSource; // as above
const texts = (...values: (string | undefined)[]): PropertyValue[] =>
  values.flatMap((str) => (str ? [{ str }] : []));
// With a time zone: OpenRefine reads a time without one as local, and shows it in UTC, which may be the day before.
const dates = (day: string | undefined): PropertyValue[] => (day ? [{ date: `${day}T00:00:00Z` }] : []);
const ofPeople = (read: (hit: SearchHit) => PropertyValue[]) => ({
  officer: read,
  "disqualified-officer": read,
});
const addressOf = (hit: SearchHit) => company(hit).registered_office_address;

/** All properties, the compared ones first. */
export const properties: readonly Property[] = [
  {
    id: "company_number",
    name: "Company number",
    description: "Number of the company; of an officer: number of a company that they belong to.",
    states: "number",
    entities: "company",
    values: {
      company: ({ id }) => [{ id, name: id }],
      // A company's identifier is its number; its name would need another request.
      officer: (hit) =>
        (person(hit).companies ?? []).slice(0, MOST_COMPANIES).map((id) => ({ id, name: id })),
    },
  },
  {
    id: "postal_code",
    name: "Postcode",
    description: "Postcode of the registered office, or of the address for letters.",
    states: "postcode",
    values: {
      company: (hit) => texts(addressOf(hit)?.postal_code),
      ...ofPeople((hit) => texts(person(hit).shown.address?.postal_code)),
    },
  },
  {
    id: "locality",
    name: "Town",
    description: "Town of the address.",
    states: "town",
    values: {
      company: (hit) => texts(addressOf(hit)?.locality),
      ...ofPeople((hit) => texts(person(hit).shown.address?.locality)),
    },
  },
  {
    id: "company_status",
    name: "Company status",
    description: "Status in the words of the API: active, dissolved, liquidation, …",
    states: "status",
    values: { company: (hit) => texts(company(hit).company_status) },
  },
  {
    id: "date_of_birth",
    name: "Date of birth",
    description: "Month of birth of an officer, day of birth of a disqualified one.",
    states: "born",
    values: {
      officer: (hit) => texts(person(hit).born),
      "disqualified-officer": (hit) => dates(person(hit).shown.date_of_birth),
    },
  },
  {
    id: "name",
    name: "Name",
    description: "Present name.",
    values: {
      company: (hit) => texts(company(hit).company_name),
      ...ofPeople((hit) => texts(person(hit).shown.title)),
    },
  },
  {
    id: "previous_company_names",
    name: "Previous names",
    description: "Names that the company had before, the latest first.",
    values: {
      company: (hit) => texts(...(company(hit).previous_company_names ?? []).map(({ name }) => name)),
    },
  },
  {
    id: "type",
    name: "Company type",
    description: "Type in the words of the API: ltd, plc, llp, …",
    values: { company: (hit) => texts(company(hit).type) },
  },
  {
    id: "date_of_creation",
    name: "Date of creation",
    description: "Day on which the company began.",
    values: { company: (hit) => dates(company(hit).date_of_creation) },
  },
  {
    id: "date_of_cessation",
    name: "Date of cessation",
    description: "Day on which the company ended.",
    values: { company: (hit) => dates(company(hit).date_of_cessation) },
  },
  {
    id: "sic_codes",
    name: "Nature of business",
    description: "SIC codes of what the company does.",
    values: { company: (hit) => texts(...(company(hit).sic_codes ?? [])) },
  },
  {
    id: "address",
    name: "Address",
    description: "Registered office of a company, or address for letters of a person, on one line.",
    values: {
      company: (hit) => texts(snippet(addressOf(hit))),
      ...ofPeople((hit) => texts(snippet(person(hit).shown.address))),
    },
  },
  {
    id: "appointment_count",
    name: "Appointments",
    description: "Number of appointments of the officer, past and present.",
    values: {
      officer: (hit) => {
        const { appointment_count: int } = person(hit).shown;
        return int === undefined ? [] : [{ int }];
      },
    },
  },
  {
    id: "disqualified_until",
    name: "Disqualified until",
    description: "Day on which the last disqualification ends.",
    values: { "disqualified-officer": (hit) => dates(person(hit).disqualified_until) },
  },
];

function snippet(address: Address | undefined): string | undefined {
  return address && addressSnippet(address);
}

export function describeProperties(of: readonly Property[]) {
  return of.map(({ id, name, description }) => ({ id, name, description }));
}

/** The properties that entities of a type have. */
export function propertiesOf(type: MatchType): Property[] {
  return properties.filter(({ values }) => values[type] !== undefined);
}

export interface ExtendQuery {
  ids: string[];
  properties: { id: string }[];
}

/** The requested values; none for an entity that does not exist or lacks the property. */
export function presentExtension(query: ExtendQuery, found: ReadonlyMap<string, Entity>) {
  const asked = query.properties.flatMap(({ id }) => properties.find((property) => property.id === id) ?? []);
  const rows = query.ids.map((given) => {
    const entity = found.get(given);
    const values = asked.map((property) => [
      property.id,
      entity ? (property.values[entity.type]?.(entity.hit) ?? []) : [],
    ]);
    return [given, Object.fromEntries(values) as Record<string, unknown>] as const;
  });
  const meta = asked.map(({ id, name, entities }) => ({
    ...{ id, name },
    ...(entities && { type: typeOf(entities) }),
  }));
  return { meta, rows: Object.fromEntries(rows) };
}

/** The properties that entities of a type have, up to the requested number. */
export function proposeProperties(type: MatchType, limit: number | undefined) {
  const proposed = describeProperties(propertiesOf(type).slice(0, limit));
  return { type, ...(limit !== undefined && { limit }), properties: proposed };
}
