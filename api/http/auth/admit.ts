/** Owns the check of scopes: callers without access are refused here, behind the rate limit, so that refusals count, too. */
import type { Middleware } from "koa";
import { hasScope, type ScopeName } from "../../shared/access/scopes.ts";
import { parsePathNumber } from "../../shared/values/company-number.ts";
import { ApiError, AuthenticationError } from "../../shared/runtime/errors.ts";
import { serviceError } from "../error-response.ts";
import type { AppContext, RequestState } from "../request-context.ts";

/** What a definition requires of its callers. */
export interface Door {
  /** The required scope. */
  scope: ScopeName;
  /** True: callers without a key are let in, too. */
  isOpen?: boolean | undefined;
}

/** Lets in callers that have the scope: 401 without a key where one is needed, 403 without the scope. */
export function admit({ scope, isOpen = false }: Door): Middleware<RequestState> {
  return async (ctx, next) => {
    const { refusal } = ctx.state;
    const isNobody = refusal instanceof AuthenticationError && refusal.isEmpty;
    if (refusal && !(isOpen && isNobody)) throw refusal;
    // The cast: a router's context has the values of the path.
    const { company_number } = (ctx as unknown as { params: Record<string, string | undefined> }).params;
    if (!isOpen) requireScope(ctx, scope, company_number);
    await next();
  };
}

/** Throws ApiError 403 for a caller without the scope. `inPath`: the company number of the path, since some scopes are for one. */
export function requireScope({ state }: Pick<AppContext, "state">, scope: ScopeName, inPath?: string): void {
  const scopes = state.principal?.scopes;
  // Most applications have all.
  if (scopes === undefined) return;
  const company = inPath === undefined ? null : parsePathNumber(inPath);
  if (hasScope(scopes, scope, company ?? undefined)) return;
  throw new ApiError(403, [serviceError("access-denied")]);
}

/** Refuses callers without access, whatever the path: after the routes, so that a stranger does not learn which ones exist. */
export function refuseStrangers(): Middleware<RequestState> {
  return async (ctx, next) => {
    if (ctx.state.refusal) throw ctx.state.refusal;
    await next();
  };
}
