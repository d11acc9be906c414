/** Owns `/user/profile`: the person on whose behalf an application calls. */
import Router from "@koa/router";
import { fetchPerson } from "../../shared/access/people.ts";
import { ApiError } from "../../shared/runtime/errors.ts";
import type { DocumentStore } from "../../shared/stores/mongodb/mongo.ts";
import { admit } from "../auth/admit.ts";
import { serviceError } from "../error-response.ts";
import type { AppContext, RequestState } from "../request-context.ts";

/** The route. A key belongs to no person: 403. */
export function buildProfileRoute(
  documents: DocumentStore,
  baseOf: (ctx: AppContext) => string,
): Router<RequestState> {
  const router = new Router<RequestState>();
  router.get("/user/profile", admit({ scope: "user/profile.read" }), async (ctx) => {
    ctx.state.route = "user-profile";
    const { person: id, scopes = [] } = ctx.state.principal ?? {};
    const person = id === undefined ? null : await fetchPerson(documents, id);
    if (!person) throw new ApiError(403, [serviceError("access-denied")]);
    const { _id, email, forename, surname, locale } = person;
    const scope = scopes.map((one) => `${baseOf(ctx)}/${one}`).join(" ");
    ctx.set("Cache-Control", "private, no-cache");
    ctx.set("Content-Type", "application/json");
    ctx.body = { id: _id, email, ...(forename && { forename }), ...(surname && { surname }), locale, scope };
  });
  return router;
}
