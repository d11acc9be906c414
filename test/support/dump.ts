/** Dumps a MongoDB database as mongodump does, document by document in BSON, and restores it as mongorestore does. */
import { BSON, MongoClient } from "mongodb";

/** Documents in BSON, by collection; without indexes. */
export type Dump = Map<string, Uint8Array[]>;

/** Reads a whole database. */
export async function dumpDatabase(url: string, database: string): Promise<Dump> {
  return withClient(url, async (client) => {
    const dump: Dump = new Map();
    const db = client.db(database);
    for (const { name } of await db.listCollections().toArray()) {
      const documents = await db.collection(name).find().toArray();
      dump.set(
        name,
        documents.map((document) => BSON.serialize(document)),
      );
    }
    return dump;
  });
}

/** Writes a dump into a database that does not exist. */
export async function restoreDatabase(url: string, database: string, dump: Dump): Promise<void> {
  await withClient(url, async (client) => {
    const db = client.db(database);
    for (const [name, documents] of dump) {
      if (documents.length === 0) continue;
      await db.collection(name).insertMany(documents.map((document) => BSON.deserialize(document)));
    }
  });
}

async function withClient<T>(url: string, use: (client: MongoClient) => Promise<T>): Promise<T> {
  const client = new MongoClient(url);
  try {
    return await use(client);
  } finally {
    await client.close();
  }
}
