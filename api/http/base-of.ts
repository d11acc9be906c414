/** Owns the address under which callers reach the API. */
import type { AppContext } from "./request-context.ts";

/** Tells the base address of a request, without a slash at its end. `publicUrl`: the one told; empty: as each request has it. */
export function openBase(publicUrl: string): (ctx: AppContext) => string {
  const told = publicUrl.replace(/\/+$/, "");
  return ({ protocol, host }) => told || `${protocol}://${host}`;
}
