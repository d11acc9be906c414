/** Stores API keys for tests. */
import { storeKey, type ApiKey } from "../../api/shared/access/api-keys.ts";
import { storeApplication, type ApplicationTerms } from "../../api/shared/access/applications.ts";
import type { DocumentStore } from "../../api/shared/stores/mongodb/mongo.ts";

/** Stores a key of a new application with these terms. */
export async function addTestKey(
  documents: DocumentStore,
  key: string,
  { expires_at, kind = "rest", ...terms }: ApplicationTerms & { name: string } & Partial<ApiKey>,
): Promise<ApiKey> {
  const application = await storeApplication(documents, terms, new Date());
  const given = { application: application._id, kind, ...(expires_at !== undefined && { expires_at }) };
  return storeKey(documents, key, given, new Date());
}
