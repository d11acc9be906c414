/** Owns the check of scopes: callers without access are refused here, behind the rate limit, so that refusals count, too. */
import type { Middleware } from "koa";
import { hasScope, type ScopeName } from "../../shared/access/scopes.ts";
import { parsePathNumber } from "../../shared/values/company-number.ts";
import { ApiError, AuthenticationError } from "../../shared/runtime/errors.ts";
import { serviceError } from "../error-response.ts";
import type { RequestState } from "../request-context.ts";

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
    const { principal, refusal } = ctx.state;
    const isNobody = refusal instanceof AuthenticationError && refusal.isEmpty;
    if (refusal && !(isOpen && isNobody)) throw refusal;
    // The cast: a router's context has the values of the path.
    const { company_number } = (ctx as unknown as { params: Record<string, string | undefined> }).params;
    const company = company_number === undefined ? null : parsePathNumber(company_number);
    if (!isOpen && !hasScope(principal?.scopes, scope, company ?? undefined)) {
      throw new ApiError(403, [serviceError("access-denied")]);
    }
    await next();
  };
}

/** Refuses callers without access, whatever the path: after the routes, so that a stranger does not learn which ones exist. */
export function refuseStrangers(): Middleware<RequestState> {
  return async (ctx, next) => {
    if (ctx.state.refusal) throw ctx.state.refusal;
    await next();
  };
}
