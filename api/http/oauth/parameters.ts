/** Owns the reading of what OAuth 2.0 requests carry: each parameter once, of those that are known. */
import type { AppContext } from "../request-context.ts";
import type { Parameters } from "./server.ts";

/** Parameters of an authorisation request. */
export const AUTHORISATION = [
  "response_type",
  "client_id",
  "redirect_uri",
  "scope",
  "state",
  "code_challenge",
  "code_challenge_method",
];

/** Parameters of a token request. */
export const TOKEN = [
  "grant_type",
  "code",
  "redirect_uri",
  "client_id",
  "client_secret",
  "code_verifier",
  "refresh_token",
  "scope",
];

// Limit: no parameter of a right request is as long.
const LONGEST = 4_096;

/** The known parameters among these; null where one is there twice or is too long, which RFC 6749 (3.1) makes a fault. */
export function readParameters(given: Record<string, unknown>, known: readonly string[]): Parameters | null {
  const found: Parameters = {};
  for (const name of known) {
    const value = given[name];
    // Without a value it counts as left out (RFC 6749, 3.1).
    if (value === undefined || value === "") continue;
    if (typeof value !== "string" || value.length > LONGEST) return null;
    found[name] = value;
  }
  return found;
}

/** The fields of a form that was sent. */
export function readForm(ctx: AppContext): Record<string, unknown> {
  const { body } = ctx.request as { body?: unknown };
  return typeof body === "object" && body !== null ? (body as Record<string, unknown>) : {};
}

/** A field of a form; an empty text when it is not there. */
export function fieldOf(form: Record<string, unknown>, name: string): string {
  const value = form[name];
  return typeof value === "string" && value.length <= LONGEST ? value : "";
}
