/** Owns the common parts of the eight resources of one person: path, read and answer are derived from the kind. */
import type { PathValues, RecordReader } from "../define-resource.ts";
import { pscKinds, summariseKind, type PscKind } from "./kinds.ts";
import { presentPsc, schemaOfKind } from "./present.ts";
import { pscRecord, type StoredPsc } from "./record.ts";

/** One kind as a resource, for `defineResource`. */
export function describeKind(segment: string) {
  const kind = pscKinds.find((candidate) => candidate.segment === segment);
  if (!kind) throw new Error(`there is no kind of person with significant control under ${segment}`);
  return {
    name: `psc-${segment}`,
    // For a beneficial owner the specification names the resource of the ordinary kind; its own segment is accepted, too.
    aliases: [...new Set([kind.subject, segment])],
    path: `/company/:company_number/persons-with-significant-control/${segment}/:${kind.idParameter}`,
    scope: "company.read" as const,
    summary: summariseKind(kind),
    record: pscRecord,
    parameters: {},
    notFound: "company-psc-details-not-found",
    read: (records: RecordReader, path: PathValues) => fetchOfKind(records, kind, path),
    etag: (psc: StoredPsc) => presentPsc(psc).etag as string,
    versions: [{ version: 1, schema: schemaOfKind(kind), present: presentPsc }] as [
      { version: number; schema: Record<string, unknown>; present: typeof presentPsc },
    ],
  };
}

/** The person, or null when it belongs to another company or is of another kind. */
function fetchOfKind(records: RecordReader, { kind, idParameter }: PscKind, path: PathValues) {
  const { company_number = "", [idParameter]: id = "" } = path;
  return records.fetchOne(pscRecord, { _id: id, company_number, kind });
}
