/** Owns persons with significant control as items of the primary searches. */
import { addressSchema, addressSnippet } from "../../shared/values/address.ts";
import { formatLongDate, formatMonthYear } from "../../shared/values/dates.ts";
import { DATE, objectOf, objectWithOptional } from "../../shared/schemas/schemas.ts";
import type { JsonSchema } from "../../shared/schemas/validate.ts";
import {
  birthMonthSchema,
  pscMemberSchemas,
} from "../../resources/person-with-significant-control/members.ts";
import { pathOfPsc } from "../../resources/person-with-significant-control/index.ts";
import type { ShownPsc } from "../../../index-mappings/persons-with-significant-control/index.ts";
import type { SearchHit } from "../../shared/definitions/search-result.ts";
import { MATCH_MEMBERS, matchedSchemas } from "./explain.ts";
import { describeMatch } from "./matched.ts";
import { readingOf, type OfficerQuery } from "./officer.ts";

/** A person or body with significant control of one company, as an item. */
export function presentPscItem(hit: SearchHit, query: OfficerQuery): Record<string, unknown> {
  const psc = hit.source.shown as ShownPsc; // the document of the index that the hit is from
  const { kind, company_number, title, address = {}, ...shown } = psc;
  const { date_of_birth, natures_of_control, notified_on, ceased_on } = shown;
  const said = describe(psc);
  return {
    kind: "searchresults#person-with-significant-control",
    title,
    ...(date_of_birth ? { date_of_birth } : {}),
    description: said.map(([, words]) => words).join(" - "),
    description_identifiers: said.map(([identifier]) => identifier),
    address,
    address_snippet: addressSnippet(address),
    ...(natures_of_control ? { natures_of_control } : {}),
    ...(notified_on ? { notified_on } : {}),
    ...(ceased_on ? { ceased_on } : {}),
    ...describeMatch(readingOf(hit, query), title, []),
    links: {
      self: pathOfPsc({ kind, company_number, notification_id: hit.id }),
      company: `/company/${company_number}`,
    },
  };
}

const DESCRIPTIONS = ["controls-company", "born-on", "notified-on", "ceased-on"] as const;

function describe(psc: ShownPsc): (readonly [(typeof DESCRIPTIONS)[number], string])[] {
  const { company_number, date_of_birth, notified_on, ceased_on } = psc;
  return [
    ["controls-company", `Company ${company_number}`],
    ...(date_of_birth ? [["born-on", `Born ${formatMonthYear(date_of_birth)}`] as const] : []),
    ...(notified_on ? [["notified-on", `Notified on ${formatLongDate(notified_on)}`] as const] : []),
    ...(ceased_on ? [["ceased-on", `Ceased on ${formatLongDate(ceased_on)}`] as const] : []),
  ];
}

/** JSON Schema of a person with significant control as an item. */
export const pscItemSchema: JsonSchema = {
  title: "person-with-significant-control-search-item",
  description: "A person or body with significant control of one company.",
  ...objectWithOptional(
    ["date_of_birth", "natures_of_control", "notified_on", "ceased_on", ...MATCH_MEMBERS],
    {
      kind: { const: "searchresults#person-with-significant-control", description: "What the item is." },
      title: { type: "string", description: "The name of the person or body." },
      date_of_birth: birthMonthSchema,
      description: {
        type: "string",
        description: "Company, birth, and when control began and ended, in words.",
      },
      description_identifiers: {
        type: "array",
        description: "The parts of the description, in order.",
        items: { enum: [...DESCRIPTIONS] },
      },
      address: addressSchema,
      address_snippet: { type: "string", description: "The address on one line." },
      natures_of_control: {
        ...pscMemberSchemas.natures_of_control,
        description: "How the company is controlled.",
      },
      notified_on: { ...DATE, description: "The day on which the company was notified." },
      ceased_on: { ...DATE, description: "The day on which control ended; absent while it continues." },
      ...matchedSchemas,
      links: {
        description: "Links to related resources.",
        ...objectOf(["self", "company"], {
          self: { type: "string", description: "The person with significant control." },
          company: { type: "string", description: "The company that is controlled." },
        }),
      },
    },
  ),
};
