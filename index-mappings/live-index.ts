/** Reads the facts about a live index: its name has version and time, its mappings the name rules. */
import { stampOf, versionOf } from "../api/shared/stores/elasticsearch/names.ts";
import type { LiveIndex } from "../api/shared/stores/elasticsearch/elasticsearch.ts";

// `20260301t0412`; a suffix separates two indices of the same minute.
const STAMP = /^(\d{4})(\d{2})(\d{2})t(\d{2})(\d{2})/;

/** Reads an index's name and what its mappings record; what is unknown is null. Pure. */
export function describeLiveIndex({ name, meta }: LiveIndex) {
  const [stamp, year, month, day, hour, minute] = STAMP.exec(stampOf(name)) ?? [];
  const { names_version: rules } = meta;
  return {
    /** The version of its definition. */
    version: versionOf(name) ?? null,
    /** Its creation, as an ISO time; to the minute. */
    createdAt: stamp === undefined ? null : `${year}-${month}-${day}T${hour}:${minute}:00Z`,
    /** The version of the name rules that it was built under. */
    namesVersion: typeof rules === "number" ? rules : null,
  };
}
