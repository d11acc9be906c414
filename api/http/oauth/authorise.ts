/** The page `/oauth2/authorise`: checks the application's request and lets the person sign in. */
import type { AppContext } from "../request-context.ts";
import { buildClientAddress, answerPage, answerRedirect, REFUSED } from "./browser.ts";
import type { OAuthContext } from "./context.ts";
import { faultPage, type SignInFor } from "./pages.tsx";
import { AUTHORISATION, readParameters } from "./parameters.ts";
import { isRefusal, type Parameters } from "./server.ts";
import { showSignInPage, signPersonIn } from "./sign-in.ts";

/** Shows the sign-in page. */
export async function showSignIn(ctx: AppContext, context: OAuthContext): Promise<void> {
  const found = await readRequest(ctx, context);
  if (found) showSignInPage(ctx, context, found.asked);
}

/** Signs a person in and sends them to the page of consent. */
export async function signIn(ctx: AppContext, context: OAuthContext): Promise<void> {
  const found = await readRequest(ctx, context);
  if (!found) return;
  const outcome = await signPersonIn(ctx, context, found.request);
  if (typeof outcome === "string") return answerRedirect(ctx, `consent?sign_in=${outcome}`);
  showSignInPage(ctx, context, found.asked, outcome);
}

/** The request if it is valid; null when an error has been answered. */
async function readRequest(
  ctx: AppContext,
  context: OAuthContext,
): Promise<{ request: Parameters; asked: SignInFor } | null> {
  const given = readParameters(ctx.query, AUTHORISATION);
  // Specification 5.6 names only client, scopes and redirect address, so the one response type may be missing.
  const request: Parameters | null = given && { response_type: "code", ...given };
  if (!request?.redirect_uri) {
    refuse(
      ctx,
      request ? "It names no redirect_uri." : "It names a parameter twice, or one that is too long.",
    );
    return null;
  }
  const base = context.baseOf(ctx);
  const asked = await context.server.check(request, base);
  if (!isRefusal(asked)) {
    const refusal = buildClientAddress(request, base, REFUSED);
    return { request, asked: { application: asked.application.name, refusal } };
  }
  const { error, description } = asked;
  if (!asked.mayRedirect) refuse(ctx, `${description}.`);
  else answerRedirect(ctx, buildClientAddress(request, base, { error, error_description: description }));
  return null;
}

function refuse(ctx: AppContext, sentence: string): void {
  const text = `The application that sent you here has made a mistake, so it cannot get an answer. ${sentence}`;
  answerPage(ctx, 400, faultPage("This request is not valid", text));
}
