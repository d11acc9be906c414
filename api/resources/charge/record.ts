/** Owns the stored charge: one security that a company has given over its property, and the mapping of an API-shaped one. */
import { descendingKey } from "../../shared/values/dates.ts";
import { RecordError } from "../../shared/runtime/errors.ts";
import type { Members } from "../../shared/values/members.ts";
import { defineRecord } from "../../shared/definitions/define-record.ts";
import {
  asList,
  asMembers,
  companyNumberOf,
  convert,
  dropDerived,
  dropEmpty,
  dropSelfLink,
  locateById,
  SELF_LINK,
  type IncomingResource,
} from "../../shared/definitions/incoming-resource.ts";
import type { StoredOf } from "../define-resource.ts";
import { chargeSchema, type Charge } from "./members.ts";

/** Members that are objects in live answers and lists in the published schema. */
const OBJECTS = ["classification", "particulars", "secured_details", "scottish_alterations"];
const LISTS = ["persons_entitled", "transactions", "insolvency_cases"];

/** The misspellings. */
const chargeSpellings = {
  properties: {
    assests_ceased_released: {},
    scottish_alterations: { properties: { has_alterations_to_provisions: {} } },
  },
};

/** The charge to store; the record's schema checks it afterwards. Throws RecordError. */
function normaliseCharge(resource: IncomingResource): Charge {
  const company_number = companyNumberOf(resource);
  const own = dropSelfLink(dropDerived(resource.data, "id", [resource.id]));
  const spelt = rename(own, "assests_ceased_released", "assets_ceased_released");
  const released = convert(spelt, "assets_ceased_released", (value) =>
    Array.isArray(value) && value.length === 1 ? (value[0] as unknown) : value,
  );
  const numbered = convert(released, "charge_number", parseNumber);
  const charge = LISTS.reduce(normaliseList, OBJECTS.reduce(normaliseObject, numbered));
  // The cast: the record's schema checks it afterwards.
  return { ...charge, id: resource.id, company_number } as Charge;
}

function normaliseObject(charge: Members, member: string): Members {
  const filled = dropEmpty(charge, member);
  return dropEmpty(
    convert(filled, member, (value) => normalisePart(member, asMembers(value, member))),
    member,
  );
}

function normalisePart(member: string, part: Members): Members {
  if (member === "particulars") {
    return Object.fromEntries(Object.entries(part).filter(([, value]) => value !== false));
  }
  return rename(part, "has_alterations_to_provisions", "has_restricting_provisions");
}

function normaliseList(charge: Members, member: string): Members {
  const normalise = (item: unknown) => {
    const members = asMembers(item, member);
    return dropEmpty(
      convert(dropEmpty(members, "links"), "links", (links) => asMembers(links, `${member}.links`)),
      "links",
    );
  };
  return convert(dropEmpty(charge, member), member, (items) => asList(items).map(normalise));
}

/** A member under its correct name. Throws RecordError when both spellings occur. */
function rename(members: Members, wrong: string, right: string): Members {
  const { [wrong]: value, ...rest } = members;
  if (value === undefined) return members;
  if (rest[right] !== undefined)
    throw new RecordError(`stands beside ${right}; only one of them is allowed`, wrong);
  return { ...rest, [right]: value };
}

function parseNumber(value: unknown): unknown {
  return typeof value === "string" && /^\d{1,9}$/.test(value) ? Number(value) : value;
}

/** Charges, by their id. */
export const chargeRecord = defineRecord({
  name: "charge",
  collection: "charges",
  schema: chargeSchema,
  identify: (charge: Charge) => charge.id,
  keysOf: (charge: Charge) => ({
    company_number: charge.company_number,
    status: charge.status,
    charge_order: buildChargeOrder(charge),
  }),
  // Sorted by the index, which also holds the status, so that filtering fetches no other charges.
  indexes: [{ fields: ["company_number", "charge_order", "status"] }],
  incoming: {
    kinds: ["company-charges"],
    known: [chargeSchema, chargeSpellings, SELF_LINK],
    normalise: normaliseCharge,
    locate: locateById,
    addressOf: ({ company_number: company, id }) => ({
      kind: "company-charges",
      uri: `/company/${company}/charges/${id}`,
      id,
    }),
  },
});

export type StoredCharge = StoredOf<typeof chargeRecord>;

/** Latest first by creation, else delivery; then the highest number. Ends with the id, so that the order is total. */
function buildChargeOrder({ created_on, delivered_on, charge_number, id }: Charge): string {
  const number = descendingKey(String(charge_number).padStart(9, "0"));
  return [descendingKey(created_on ?? delivered_on), number, id].join("\t");
}
