/** Applications: the callers of the API. Each has terms that apply to all its keys, web clients and tokens. */
import type { DocumentStore } from "../stores/mongodb/mongo.ts";
import { openCollection } from "./collections.ts";
import { generateId } from "./secrets.ts";

export const applications = openCollection<Application>("applications");

export interface Application extends ApplicationTerms {
  _id: string;
  /** The operator's name for it. */
  name: string;
  created_at: string;
}

export interface ApplicationTerms {
  /** Most requests in five minutes by all its keys and tokens together; absent: the setting RATE_LIMIT. */
  limit?: number | "none";
  /** Addresses (`192.0.2.7`) and networks (`192.0.2.0/24`) that it may call from; absent: any. */
  addresses?: string[];
  /** Origins (`https://app.example`) of the pages that may call with it in a browser; absent: none. */
  origins?: string[];
  /** Scopes, in short form, that it may use and ask people for; absent: all scopes of the service. */
  scopes?: string[];
}

/** Stores a new application, under a random id, and returns it. */
export function storeApplication(
  documents: DocumentStore,
  given: ApplicationTerms & { name: string },
  moment: Date,
): Promise<Application> {
  return applications.put(documents, { _id: generateId(), ...given, created_at: moment.toISOString() });
}
