/** Owns the address under which callers reach the API. */
import type { AppContext } from "./request-context.ts";

/** Returns the base address of a request, without a trailing slash. `publicUrl`: the configured one; empty: the request's. */
export function openBase(publicUrl: string): (ctx: AppContext) => string {
  const configured = publicUrl.replace(/\/+$/, "");
  return ({ protocol, host }) => configured || `${protocol}://${host}`;
}
