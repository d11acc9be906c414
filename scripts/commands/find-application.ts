/** Owns the way from what a person typed to the application that is meant. */
import { fetchApplications, type Application } from "../../api/shared/access/applications.ts";
import { CommandError } from "../../api/shared/runtime/errors.ts";
import type { DocumentStore } from "../../api/shared/stores/mongodb/mongo.ts";

/** By id, or by a name that only one has; null where there is none. Throws CommandError where several have the name. */
export async function findApplication(documents: DocumentStore, asked: string): Promise<Application | null> {
  const applications = await fetchApplications(documents);
  const byId = applications.find(({ _id }) => _id === asked);
  const named = applications.filter(({ name }) => name === asked);
  if (byId ?? named.length <= 1) return byId ?? named[0] ?? null;
  const ids = named.map(({ _id }) => _id).join(", ");
  throw new CommandError(`${named.length} applications have the name ${asked}; use an id: ${ids}`);
}

/** The same; throws CommandError where there is none. */
export async function requireApplication(documents: DocumentStore, asked: string): Promise<Application> {
  const found = await findApplication(documents, asked);
  if (found) return found;
  throw new CommandError(`there is no application ${asked}; npm run cli -- applications list shows them`);
}
