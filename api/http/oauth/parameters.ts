/** Parses OAuth 2.0 parameters: known names only, each at most once. */
import type { AppContext } from "../request-context.ts";
import type { Parameters } from "./server.ts";

export const AUTHORISATION = [
  "response_type",
  "client_id",
  "redirect_uri",
  "scope",
  "state",
  "code_challenge",
  "code_challenge_method",
];

// In this list and the next, the first parameter is required in every request.
export const TOKEN = [
  "grant_type",
  "code",
  "redirect_uri",
  "client_id",
  "client_secret",
  "code_verifier",
  "refresh_token",
  "scope",
] as const;

export const REVOCATION = ["token", "token_type_hint", "client_id", "client_secret"] as const;

// Limit: no parameter of a valid request is longer.
const LONGEST = 4_096;

/** The known parameters; null when one is repeated or too long, which RFC 6749 (3.1) makes an error. */
export function readParameters(given: Record<string, unknown>, known: readonly string[]): Parameters | null {
  const found: Parameters = {};
  for (const name of known) {
    const value = given[name];
    // A parameter without a value counts as omitted (RFC 6749, 3.1).
    if (value === undefined || value === "") continue;
    if (typeof value !== "string" || value.length > LONGEST) return null;
    found[name] = value;
  }
  return found;
}

/** The fields of a submitted form. */
export function readForm(ctx: AppContext): Record<string, unknown> {
  const { body } = ctx.request as { body?: unknown };
  return typeof body === "object" && body !== null ? (body as Record<string, unknown>) : {};
}

/** A field of a form; an empty text when it is missing. */
export function fieldOf(form: Record<string, unknown>, name: string): string {
  const value = form[name];
  return typeof value === "string" ? value : "";
}
