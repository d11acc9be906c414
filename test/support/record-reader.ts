/** A RecordReader over records in memory, which filters, sorts and pages as the store promises. */
import type { LoadedSource } from "../../api/shared/stores/collections/loaded-sources.ts";
import { findLinks } from "../../api/resources/company-profile/links.ts";
import { openPersons } from "../../api/shared/stores/collections/persons.ts";
import type { IndexValue, StoredRecord } from "../../api/shared/definitions/define-record.ts";
import type { Filter, Page, RecordReader } from "../../api/shared/definitions/record-reader.ts";

type Stored = StoredRecord & Record<string, unknown>;

/**
 * Creates a reader over records by collection, and a list of the pages that were asked for. `loaded` are the loaded
 * sources, by default none. `realIds` are the known real ids of officers, by derived id.
 */
export function createMemoryReader(
  collections: Record<string, StoredRecord<never>[] | StoredRecord[]>,
  loaded: readonly LoadedSource[] = [],
  realIds: Record<string, string> = {},
): {
  records: RecordReader;
  pages: Page[];
} {
  const pages: Page[] = [];
  const persons = Object.entries(realIds).map(([_id, officer_id]) => ({ _id, officer_id }));
  const stored = (collection: string) => (collections[collection] ?? []) as Stored[];
  const select = (collection: string, filter: Filter) =>
    stored(collection).filter((record) => matches(record, filter));
  const records = {
    fetchOne: ({ collection }: Named, filter: Filter) =>
      Promise.resolve(select(collection, filter)[0] ?? null),
    fetchByIds: ({ collection }: Named, ids: string[]) =>
      Promise.resolve(stored(collection).filter(({ _id }) => ids.includes(_id))),
    fetchPage: ({ collection }: Named, page: Page) => {
      pages.push(page);
      const sorted = select(collection, page.filter).sort((a, b) => compare(a, b, page.sort));
      return Promise.resolve(sorted.slice(page.skip, page.skip + page.limit));
    },
    fetchKeys: ({ collection }: Named, filter: Filter, key: string) =>
      Promise.resolve(select(collection, filter).map((record) => String(record[key]))),
    count: ({ collection }: Named, filter: Filter) => Promise.resolve(select(collection, filter).length),
    fetchStoredLinks: async (number: string) => (await findLinks(reader(), [number])).get(number) ?? [],
    fetchInactiveCount: () => Promise.resolve(null),
    fetchLoadedSources: () => Promise.resolve(loaded),
    fetchLoadedSourcesOrLast: () => Promise.resolve(loaded),
    persons: openPersons(
      {
        fetchAny: () => Promise.resolve(persons[0] ?? null),
        fetchAll: (_collection, filter) => Promise.resolve(persons.filter((one) => matches(one, filter))),
      },
      0,
    ),
  };
  // The cast: the real reader is generic over the record types; this one returns what was put in.
  const reader = () => records as unknown as RecordReader;
  return { records: reader(), pages };
}

interface Named {
  collection: string;
}

function matches(record: object, filter: Filter): boolean {
  return Object.entries(filter).every(([field, value]) =>
    [value].flat().includes((record as Record<string, IndexValue>)[field]!),
  );
}

function compare(a: Stored, b: Stored, sort: Page["sort"]): number {
  for (const [field, direction] of sort) {
    const [left, right] = [a[field] as IndexValue, b[field] as IndexValue];
    if (left !== right) return (left < right ? -1 : 1) * direction;
  }
  return 0;
}
