/** The page `/oauth2/consent`: asks for the authentication codes of the companies, then for the person's decision. */
import { writeAudit } from "../../shared/access/audit.ts";
import { isCompanyCode } from "../../shared/access/company-codes.ts";
import { companiesOf } from "../../shared/access/scopes.ts";
import { addCompany, endSignIn } from "../../shared/access/sign-ins.ts";
import type { Counted } from "../limits/rate-limit.ts";
import { outlastDeadline, type AppContext } from "../request-context.ts";
import {
  buildClientAddress,
  answerRedirect,
  refuseForm,
  answerPage,
  formToken,
  isOwnForm,
  REFUSED,
} from "./browser.ts";
import { attempt, BUSY, fetchCompanies, type OAuthContext } from "./context.ts";
import { companyCodePage, consentPage, faultPage } from "./pages.tsx";
import { fieldOf, readForm } from "./parameters.ts";
import { isRefusal } from "./server.ts";
import { readSignIn } from "./sign-in.ts";

const HOUR_MS = 3_600_000;
// Limits of wrong codes in an hour, for one person and for one company: too few to guess the 39 bits of a code.
const OF_PERSON = 10;
const OF_COMPANY = 30;

const WRONG = "This is not the company's authentication code.";
const TOO_MANY = "There were too many attempts. Wait an hour, then try again.";

/** The sign-in and the application's request that these pages are about. */
type ConsentRequest = NonNullable<Awaited<ReturnType<typeof readConsentRequest>>>;

/** Shows the page of the next step: a company's code, or the decision. */
export async function showConsent(ctx: AppContext, context: OAuthContext): Promise<void> {
  const consent = await readConsentRequest(ctx, context);
  if (consent) showPage(ctx, context, consent);
}

/** Handles the forms: a company's code, or the decision. */
export async function decide(ctx: AppContext, context: OAuthContext): Promise<void> {
  const consent = await readConsentRequest(ctx, context);
  if (!consent) return;
  const form = readForm(ctx);
  if (!isOwnForm(ctx, context.baseOf(ctx))) return refuseForm(ctx);
  if (fieldOf(form, "step") === "code") return takeCode(ctx, context, consent, form);
  const isGranted = fieldOf(form, "decision") === "grant";
  // A scope that needs a company's code is not granted without the code.
  if (isGranted && consent.company !== undefined) return showPage(ctx, context, consent);
  await end(ctx, context, consent, isGranted);
}

async function readConsentRequest(ctx: AppContext, context: OAuthContext) {
  const found = await readSignIn(ctx, context);
  // Checked again, because the client and the application may have changed since the sign-in.
  const asked = found && (await context.server.check(found.signIn.request, context.baseOf(ctx)));
  if (!asked || isRefusal(asked)) {
    const sentence = "Go back to the application that sent you here, and start again.";
    answerPage(ctx, 400, faultPage("This sign-in has ended", sentence));
    return null;
  }
  // The next company whose code the person must enter.
  const company = companiesOf(asked.scopes).find((number) => !found.signIn.companies.includes(number));
  return { ...found, asked, company, companies: await fetchCompanies(ctx, context, asked.scopes) };
}

function showPage(
  ctx: AppContext,
  context: OAuthContext,
  { signIn, person, asked, company, companies }: ConsentRequest,
  shown?: { status: number; fault: string },
): void {
  const word = formToken(ctx, context.baseOf(ctx));
  const facts = { word, application: asked.application.name, companies, ...shown };
  const redirect = new URL(signIn.request.redirect_uri ?? "");
  const destination = redirect.host || redirect.protocol;
  const { scopes } = asked;
  const page =
    company === undefined
      ? consentPage({ ...facts, email: person.email, scopes, destination, signIn: signInOf(ctx) })
      : companyCodePage({ ...facts, company });
  // Without form-action: browsers apply it to all redirects after a form, also to those that the client makes.
  answerPage(ctx, shown?.status ?? 200, page);
}

async function takeCode(
  ctx: AppContext,
  context: OAuthContext,
  consent: ConsentRequest,
  form: Record<string, unknown>,
): Promise<void> {
  const { signIn, person, company: number } = consent;
  const next = `consent?sign_in=${signInOf(ctx)}`;
  // The form was sent twice: its code was accepted the first time, and another company comes next.
  if (number === undefined || fieldOf(form, "company") !== number) return answerRedirect(ctx, next);
  const attempts: Counted[] = [
    { name: `company-code:${person._id}:${number}`, limit: OF_PERSON, windowMs: HOUR_MS },
    { name: `company-code:${number}`, limit: OF_COMPANY, windowMs: HOUR_MS },
  ];
  const outcome = await attempt(ctx, context, attempts, () =>
    isCompanyCode(context.documents, number, fieldOf(form, "code")),
  );
  const refuse = (status: number, fault: string) => showPage(ctx, context, consent, { status, fault });
  if (outcome === "busy") return refuse(503, BUSY);
  if (outcome === "too many") return refuse(429, TOO_MANY);
  if (outcome === "wrong") {
    ctx.state.log.warn({ company: number, person: person._id }, "company code refused");
    return refuse(400, WRONG);
  }
  await addCompany(context.documents, signIn, number);
  answerRedirect(ctx, next);
}

/** Ends the sign-in and sends the browser back: with a code, or with the error. */
async function end(
  ctx: AppContext,
  context: OAuthContext,
  { signIn, person, asked }: ConsentRequest,
  isGranted: boolean,
): Promise<void> {
  const { documents } = context;
  const now = context.clock();
  outlastDeadline(ctx);
  // If the person clicks twice, only the first click counts.
  if (!(await endSignIn(documents, signIn, now))) {
    return answerPage(
      ctx,
      400,
      faultPage(
        "This sign-in has ended",
        "You have already decided. Go back to the application; to decide again, start there.",
      ),
    );
  }
  const base = context.baseOf(ctx);
  const outcome = isGranted
    ? { code: await context.server.grant(signIn.request, base, person._id) }
    : REFUSED;
  const action = isGranted ? "access granted" : "access refused";
  const details = { person: person._id, scopes: asked.scopes };
  await writeAudit(documents, { action, subject: asked.client._id, by: person.email, details }, now);
  answerRedirect(ctx, buildClientAddress(signIn.request, base, outcome));
}

/** The token of the sign-in, which is in the address of each of its pages. */
function signInOf(ctx: AppContext): string {
  return String(ctx.query.sign_in);
}
