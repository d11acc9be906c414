/**
 * Records that a company has at most once, such as its registers or exemptions: each is stored under the company's
 * number. Also tells whether a company has any record of given kinds.
 */
import {
  defineRecord,
  type RecordDefinition,
  type StoredRecord,
} from "../shared/definitions/define-record.ts";
import {
  companyNumberOf,
  dropDerived,
  locateByCompany,
  SELF_LINK,
} from "../shared/definitions/incoming-resource.ts";
import type { RecordReader } from "../shared/definitions/record-reader.ts";
import type { JsonSchema } from "../shared/schemas/validate.ts";
import type { Members } from "../shared/values/members.ts";
import type { PathValues } from "./define-resource.ts";

interface CompanyRecord {
  /** Also the last segment of its path: `/company/{number}/{name}`. */
  name: string;
  collection: string;
  schema: JsonSchema;
  /** The `resource_kind` words that are accepted. Events of its stream have the first one. */
  kinds: [string, ...string[]];
  hasStream?: boolean;
  /** Values that `kind` may have in answers. Absent: answers have no `kind`. */
  shownKinds?: readonly string[];
  /** Schema of the members that answers derive, other than the link to the answer itself; they are not stored. */
  derived?: JsonSchema;
  /** Maps the members to the stored ones; the record's schema checks the result. Throws RecordError. */
  normalise: (members: Members) => Members;
}

/** Defines a kind of record that a company has at most once. */
export function defineCompanyRecord<Data extends { company_number: string }>(
  definition: CompanyRecord,
): RecordDefinition<Data, Record<never, string>> {
  const { name, collection, schema, kinds, hasStream, shownKinds = [], derived, normalise } = definition;
  const [kind] = kinds;
  return defineRecord({
    ...{ name, collection, schema },
    identify: (data: Data) => data.company_number,
    keysOf: () => ({}),
    indexes: [],
    incoming: {
      kinds,
      known: [schema, SELF_LINK, ...(derived ? [derived] : [])],
      normalise: (resource) => {
        const company_number = companyNumberOf(resource);
        const content = normalise(dropDerived(resource.data, "kind", shownKinds));
        // The cast: the record's schema checks it afterwards.
        return { ...dropDerived(content, "company_number", [company_number]), company_number } as Data;
      },
      locate: locateByCompany,
      ...(hasStream && {
        addressOf: ({ company_number: id }: Data) => ({ kind, uri: `/company/${id}/${name}`, id }),
      }),
    },
  });
}

/**
 * Makes the `read` of a resource that shows such a record. It returns null, which is a 404, when the company has no
 * record, or one in which `hasContent` finds nothing to show.
 */
export function readOfCompany<Data>(
  record: RecordDefinition<Data, Record<never, string>>,
  hasContent: (data: Data) => boolean,
): (records: RecordReader, path: PathValues) => Promise<StoredRecord<Data, Record<never, string>> | null> {
  return async (records, { company_number = "" }) => {
    const stored = await records.fetchOne(record, { _id: company_number });
    return stored && hasContent(stored.data) ? stored : null;
  };
}

/** True when the company has a record of one of these kinds. */
export async function hasRecordOf(
  records: RecordReader,
  kinds: readonly RecordDefinition[],
  company_number: string,
): Promise<boolean> {
  for (const record of kinds) {
    // A record that a company has at most once has no such index: it is stored under the company's number.
    const hasSeveral = record.indexes.some(({ fields: [first] }) => first === "company_number");
    const filter = hasSeveral ? { company_number } : { _id: company_number };
    if ((await records.fetchOne(record, filter)) !== null) return true;
  }
  return false;
}
