/** The reads and writes of the floor: the bulk calls of the engines' own clients, without the register's code. */
import { Client } from "@elastic/elasticsearch";
import { MongoClient } from "mongodb";
import type { Config } from "../../../api/shared/settings/config.ts";
import { CommandError } from "../../../api/shared/runtime/errors.ts";
import type { StoredRecord } from "../../../api/shared/definitions/define-record.ts";
import type { SearchDocument } from "../../../api/shared/definitions/define-index.ts";
import type { Stores } from "../../../api/shared/stores/index.ts";
import type { PartContext } from "../define-part.ts";
import { InFlight } from "../in-flight.ts";
import { openOwnStores, withOwnNames } from "../own-stores.ts";

// The same sizes as the worker's defaults, so that the floor has no advantage.
const INSERTED_AT_ONCE = 1_000;
const READ_AT_ONCE = 1_000;
const INSERTS_UNDER_WAY = 4;
const BULKS_UNDER_WAY = 4;

/** The clients of the two stores. */
export interface BareClients {
  /** Inserts new records with the client's bulk insert. */
  insert: (collection: string, records: readonly StoredRecord[]) => Promise<void>;
  /** Indexes documents through an alias with the client's bulk helper. */
  index: (alias: string, documents: readonly SearchDocument[]) => Promise<void>;
  /** Reads a whole collection with a cursor; returns the number of records. */
  readAll: (collection: string) => Promise<number>;
  /** Number of records of a collection, from the engine's own count, which is exact while nothing writes. */
  count: (collection: string) => Promise<number>;
}

/** An empty register under its own names, and the bare clients of its stores. */
export interface BareRegister {
  config: Config;
  stores: Stores;
  clients: BareClients;
}

/** Opens such a register; everything is deleted at the end. */
export async function openBareRegister(context: PartContext, purpose: string): Promise<BareRegister> {
  const config = withOwnNames(context.config, purpose);
  const stores = await openOwnStores(context, config);
  return { config, stores, clients: openBareClients(context, config) };
}

/** Opens the clients on the database and the prefix of the settings; they are closed at the end. */
export function openBareClients(context: PartContext, config: Config): BareClients {
  const mongo = new MongoClient(config.MONGODB_URL, { maxPoolSize: INSERTS_UNDER_WAY });
  const database = mongo.db(config.DATABASE_NAME);
  const elasticsearch = new Client({ node: config.ELASTICSEARCH_URL });
  context.onEnd("the bare clients", () => Promise.all([mongo.close(), elasticsearch.close()]));
  return {
    insert: async (collection, records) => {
      const inFlight = new InFlight(INSERTS_UNDER_WAY);
      const target = database.collection<StoredRecord>(collection);
      for (let start = 0; start < records.length; start += INSERTED_AT_ONCE) {
        const batch = records.slice(start, start + INSERTED_AT_ONCE);
        await inFlight.add(() => target.insertMany(batch, { ordered: false }));
      }
      await inFlight.finish();
    },
    index: async (alias, documents) => {
      const { failed } = await elasticsearch.helpers.bulk<SearchDocument>({
        datasource: documents as SearchDocument[],
        concurrency: BULKS_UNDER_WAY,
        onDocument: (document) => ({
          index: { _index: config.INDEX_PREFIX + alias, _id: String(document.id) },
        }),
      });
      if (failed > 0)
        throw new CommandError(`Elasticsearch refused ${failed} prepared documents of ${alias}`);
    },
    readAll: async (collection) => {
      let count = 0;
      for await (const record of database.collection(collection).find({}, { batchSize: READ_AT_ONCE }))
        count += record ? 1 : 0;
      return count;
    },
    // Not countDocuments: for that, the stand-in for MongoDB holds every record in memory.
    count: (collection) => database.collection(collection).estimatedDocumentCount(),
  };
}
