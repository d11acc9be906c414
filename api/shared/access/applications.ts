/** Owns applications: who calls. Keys, web clients and tokens belong to one; limit, addresses, origins and scopes are its own. */
import type { DocumentStore } from "../stores/mongodb/mongo.ts";
import { generateId } from "./secrets.ts";

export const APPLICATIONS = "applications";

/** An application as it is kept. */
export interface Application extends ApplicationTerms {
  _id: string;
  /** Who it is, in the operator's words. */
  name: string;
  created_at: string;
}

/** What an application may do. */
export interface ApplicationTerms {
  /**
   * Most requests in five minutes, of all its keys and tokens together; `none`: any number. Absent: the setting
   * RATE_LIMIT says.
   */
  limit?: number | "none";
  /** Addresses (`192.0.2.7`) and networks (`192.0.2.0/24`) that it may call from; absent: any. */
  addresses?: string[];
  /** Origins (`https://app.example`) of the pages that may call with it in a browser; absent: none. */
  origins?: string[];
  /** Scopes in short form that it may use and ask people for; absent: all of the service. */
  scopes?: string[];
}

/** Keeps a new application; returns it. */
export async function storeApplication(
  documents: DocumentStore,
  given: ApplicationTerms & { name: string },
  moment: Date,
): Promise<Application> {
  const application = { _id: generateId(), ...given, created_at: moment.toISOString() };
  await documents.put(APPLICATIONS, application);
  return application;
}

/** Keeps a changed application. */
export async function replaceApplication(documents: DocumentStore, changed: Application): Promise<void> {
  await documents.put(APPLICATIONS, changed);
}

/** All applications, oldest first. */
export async function fetchApplications(documents: DocumentStore): Promise<Application[]> {
  // The cast: documents of this collection are written here.
  const found = (await documents.fetchAll(APPLICATIONS, {})) as unknown as Application[];
  return found.sort((a, b) => (a.created_at < b.created_at ? -1 : 1));
}

/** The applications of these ids that there are, by id. */
export async function fetchApplicationsById(
  documents: DocumentStore,
  ids: readonly string[],
): Promise<Map<string, Application>> {
  if (ids.length === 0) return new Map();
  const found = (await documents.fetchAll(APPLICATIONS, {
    _id: [...new Set(ids)],
  })) as unknown as Application[];
  return new Map(found.map((application) => [application._id, application]));
}

/** Takes an application away: its keys, clients and tokens are refused from then on, within seconds. */
export async function removeApplication(documents: DocumentStore, { _id }: Application): Promise<void> {
  await documents.remove(APPLICATIONS, _id);
}
