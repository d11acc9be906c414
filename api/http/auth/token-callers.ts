/** Owns callers with an access token: the application, on behalf of a person. */
import { fetchApplicationsById } from "../../shared/access/applications.ts";
import { fetchAccessTokens, type StoredToken } from "../../shared/access/grants.ts";
import { PEOPLE } from "../../shared/access/people.ts";
import { mayAskFor } from "../../shared/access/scopes.ts";
import { fetchClients } from "../../shared/access/web-clients.ts";
import { callerOf, principalOf, type CallerOptions, type KnownCaller } from "./known-caller.ts";

/**
 * Finds many callers by the hashes of their access tokens. A token is invalid when its grant, client, person or application
 * was deleted; it never grants more than its application has now.
 */
export function openTokenCallers({
  documents,
  defaultLimit,
}: CallerOptions): (hashes: readonly string[]) => Promise<Map<string, KnownCaller>> {
  return async (hashes) => {
    const stored = [...(await fetchAccessTokens(documents, hashes))];
    if (stored.length === 0) return new Map();
    const idsOf = (member: "application" | "client" | "person") => [
      ...new Set(stored.map(([, { grant }]) => grant[member])),
    ];
    const [applications, clients, people] = await Promise.all([
      fetchApplicationsById(documents, idsOf("application")),
      fetchClients(documents, idsOf("client")),
      documents.fetchAll(PEOPLE, { _id: idsOf("person") }),
    ]);
    const isClient = new Set(clients.map(({ _id }) => _id));
    const isPerson = new Set(people.map(({ _id }) => String(_id)));
    return new Map(
      stored.flatMap(([hash, { token, grant }]: [string, StoredToken]) => {
        const application = applications.get(grant.application);
        if (!application || !isClient.has(grant.client) || !isPerson.has(grant.person)) return [];
        const scopes = token.scopes.filter((scope) => mayAskFor(application.scopes, scope));
        const principal = {
          ...principalOf(application, defaultLimit),
          ...{ scopes, person: grant.person, client: grant.client },
        };
        return [[hash, callerOf(principal, application, Date.parse(token.expires_at))] as const];
      }),
    );
  };
}
