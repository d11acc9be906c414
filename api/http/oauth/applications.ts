/** The page `/oauth2/applications`: a person sees which applications have access in their name, and can end it. */
import { applications } from "../../shared/access/applications.ts";
import { endGrant, fetchGrants, type NamedGrant } from "../../shared/access/grants.ts";
import { endSignIn } from "../../shared/access/sign-ins.ts";
import type { DocumentStore } from "../../shared/stores/mongodb/mongo.ts";
import { formatLongDate } from "../../shared/values/dates.ts";
import { groupBy } from "../../shared/values/group-by.ts";
import type { AppContext } from "../request-context.ts";
import { refuseForm, answerPage, answerRedirect, formToken, isOwnForm } from "./browser.ts";
import { fetchCompanies, type OAuthContext } from "./context.ts";
import { applicationsPage, type Access } from "./pages.tsx";
import { fieldOf, readForm } from "./parameters.ts";
import { readSignIn, showSignInPage, signPersonIn } from "./sign-in.ts";

const ENDED = "Your sign-in has ended. Sign in again.";

/** Shows the applications, or the sign-in page. */
export async function showApplications(ctx: AppContext, context: OAuthContext): Promise<void> {
  const found = await readSignIn(ctx, context);
  if (!found) return showSignInPage(ctx, context, {});
  const { documents, clock, baseOf } = context;
  const granted = await fetchGrants(documents, clock(), { person: found.person._id });
  const scopes = granted.flatMap((grant) => grant.scopes);
  const ended = await fetchEnded(ctx, documents, granted);
  const page = applicationsPage({
    word: formToken(ctx, baseOf(ctx)),
    email: found.person.email,
    found: [...groupBy(granted, ({ application }) => application).values()].map(toAccess),
    companies: await fetchCompanies(ctx, context, scopes),
    ...(ended !== undefined && { ended }),
  });
  answerPage(ctx, 200, page, "form-action 'self'");
}

/** Handles the forms: signing in, ending an application's access, and signing out. */
export async function changeApplications(ctx: AppContext, context: OAuthContext): Promise<void> {
  const form = readForm(ctx);
  const step = fieldOf(form, "step");
  if (step === "") {
    const outcome = await signPersonIn(ctx, context);
    if (typeof outcome === "string") return answerRedirect(ctx, `applications?sign_in=${outcome}`);
    return showSignInPage(ctx, context, {}, outcome);
  }
  const found = await readSignIn(ctx, context);
  if (!found) return showSignInPage(ctx, context, {}, { status: 400, fault: ENDED });
  if (!isOwnForm(ctx, context.baseOf(ctx))) return refuseForm(ctx);
  const { documents, clock } = context;
  if (step === "leave") {
    await endSignIn(documents, found.signIn, clock());
    return answerRedirect(ctx, "applications");
  }
  const id = fieldOf(form, "application");
  const granted = await fetchGrants(documents, clock(), { person: found.person._id });
  for (const grant of granted.filter(({ application }) => application === id))
    await endGrant(documents, grant, clock(), found.person.email);
  const next = { sign_in: String(ctx.query.sign_in), ended: id };
  answerRedirect(ctx, `applications?${new URLSearchParams(next).toString()}`);
}

/** Sums up the grants of one application, latest first. Each authorisation makes one, but people know applications. */
function toAccess(grants: readonly [NamedGrant, ...NamedGrant[]]): Access {
  const [{ application: id, name }] = grants;
  const since = grants.at(-1)?.created_at ?? "";
  const lastUsed = grants
    .map(({ used_at = "" }) => used_at)
    .sort()
    .at(-1);
  return {
    ...{ id, name, scopes: [...new Set(grants.flatMap(({ scopes }) => scopes))] },
    since: formatLongDate(since.slice(0, 10)),
    ...(lastUsed && { lastUsed: formatLongDate(lastUsed.slice(0, 10)) }),
  };
}

/** Name of the application whose access has just ended, as the address says; undefined if it still has access. */
async function fetchEnded(
  { query: { ended } }: AppContext,
  documents: DocumentStore,
  granted: readonly NamedGrant[],
): Promise<string | undefined> {
  if (typeof ended !== "string" || granted.some(({ application }) => application === ended)) return undefined;
  return (await applications.fetch(documents, ended))?.name;
}
