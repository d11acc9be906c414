/** Owns the answers of the OAuth 2.0 pages: their headers, and the redirect to the client. */
import { contentPolicy } from "../../shared/html/policy.ts";
import type { AppContext } from "../request-context.ts";

/**
 * Answers with a page. `goesTo`: the client's address to which a form of the page may lead in the end, because browsers
 * apply the policy to a form's redirects, too.
 */
export function answerPage(ctx: AppContext, status: number, page: string, goesTo?: string): void {
  setPageHeaders(ctx);
  const forms = `form-action 'self'${goesTo === undefined ? "" : ` ${sourceOf(goesTo)}`}`;
  ctx.set("Content-Security-Policy", contentPolicy("frame-ancestors 'none'", forms));
  ctx.set("Content-Type", "text/html; charset=utf-8");
  ctx.body = page;
  ctx.status = status;
}

/** Redirects the browser to a page of ours, by a relative address. */
export function answerNext(ctx: AppContext, address: string): void {
  setPageHeaders(ctx);
  ctx.status = 303;
  ctx.set("Location", address);
  ctx.body = "";
}

/** Redirects the browser to the client; the address stays exactly as registered. */
export function answerBack(
  ctx: AppContext,
  redirectUri: string,
  parameters: Record<string, string | undefined>,
): void {
  const given = Object.entries(parameters).filter((pair): pair is [string, string] => pair[1] !== undefined);
  const query = new URLSearchParams(given).toString();
  answerNext(ctx, `${redirectUri}${redirectUri.includes("?") ? "&" : "?"}${query}`);
}

function setPageHeaders(ctx: AppContext): void {
  ctx.set({
    "Cache-Control": "no-store",
    "X-Content-Type-Options": "nosniff",
    // The address contains a sign-in's token or a client's code: other sites must not see either.
    "Referrer-Policy": "same-origin",
  });
}

/** An address as the policy names it: its origin, or the scheme of an application on the person's own device. */
function sourceOf(address: string): string {
  const { protocol, origin } = new URL(address);
  return /^https?:$/.test(protocol) ? origin : protocol;
}
