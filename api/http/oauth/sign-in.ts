/** Signs a person in by e-mail address and password, in one browser, with few wrong tries. Also reads who signed in. */
import { networkOf } from "../../shared/access/allowed-addresses.ts";
import { writeAudit } from "../../shared/access/audit.ts";
import { fetchPersonByEmail, normaliseEmail, people, type Person } from "../../shared/access/people.ts";
import { hashSecret, isPassword } from "../../shared/access/secrets.ts";
import { fetchSignIn, storeSignIn, type SignIn } from "../../shared/access/sign-ins.ts";
import type { Counted } from "../limits/rate-limit.ts";
import { outlastDeadline, type AppContext } from "../request-context.ts";
import {
  answerPage,
  readBrowserCookie,
  formToken,
  isOwnForm,
  lacksCookie,
  setBrowserCookie,
} from "./browser.ts";
import { attempt, BUSY, type OAuthContext } from "./context.ts";
import { signInPage, type SignInFor } from "./pages.tsx";
import { fieldOf, readForm } from "./parameters.ts";
import type { Parameters } from "./server.ts";

const WINDOW_MS = 900_000;
// Limits of wrong passwords in a quarter of an hour, for one person from all addresses, and for one address.
const OF_PERSON = 10;
const OF_ADDRESS = 50;

const WRONG = "E-mail address or password is wrong.";
const TOO_MANY = "There were too many attempts. Wait a quarter of an hour, then try again.";
const OLD_FORM = "This page was out of date. Try again.";
const NO_COOKIE =
  "Your browser sent no cookie. Allow cookies of this site, which signing in needs, then try again.";

/** Why a sign-in was refused, in the words of the page. */
interface Refused {
  status: number;
  fault: string;
  email?: string;
}

/** Shows the sign-in page. */
export function showSignInPage(
  ctx: AppContext,
  context: OAuthContext,
  asked: SignInFor,
  refused?: Refused,
): void {
  const base = context.baseOf(ctx);
  const page = signInPage({ word: formToken(ctx, base), ...asked, ...refused });
  answerPage(ctx, refused?.status ?? 200, page, "form-action 'self'");
}

/**
 * Signs in the person of the form; returns the sign-in's token, for the address of the next page. `request`: the
 * parameters of the application that asks for the sign-in, if one does.
 */
export async function signPersonIn(
  ctx: AppContext,
  context: OAuthContext,
  request: Parameters = {},
): Promise<string | Refused> {
  const base = context.baseOf(ctx);
  const form = readForm(ctx);
  const email = fieldOf(form, "email");
  if (!isOwnForm(ctx, base))
    return { status: 403, fault: lacksCookie(ctx, base) ? NO_COOKIE : OLD_FORM, email };
  const person = await fetchPersonByEmail(context.documents, email);
  // The check of an unknown address takes as long, so that the time does not show which addresses are known.
  const outcome = await attempt(ctx, context, attemptsOf(ctx, email), () =>
    isPassword(fieldOf(form, "password"), person?.password ?? null),
  );
  if (outcome === "busy") return { status: 503, fault: BUSY, email };
  if (outcome === "too many") return { status: 429, fault: TOO_MANY, email };
  if (outcome === "wrong" || !person) {
    ctx.state.log.warn({ address: ctx.ip }, "sign-in refused");
    return { status: 400, fault: WRONG, email };
  }
  outlastDeadline(ctx);
  return keepSignIn(ctx, context, person, request);
}

async function keepSignIn(
  ctx: AppContext,
  { documents, baseOf, clock }: OAuthContext,
  person: Person,
  request: Parameters,
): Promise<string> {
  // A new cookie: one that somebody else may have planted must not work after the sign-in.
  const browser = setBrowserCookie(ctx, baseOf(ctx));
  const now = clock();
  const word = await storeSignIn(documents, { browser, person: person._id, request }, now);
  const { client_id: client } = request;
  const line = { action: "person signed in", subject: person._id, by: person.email };
  await writeAudit(documents, { ...line, ...(client && { details: { client } }) }, now);
  return word;
}

/** The sign-in in this browser that the address names, and its person; null when there is none, or it has ended. */
export async function readSignIn(
  ctx: AppContext,
  { documents, baseOf, clock }: OAuthContext,
): Promise<{ signIn: SignIn; person: Person } | null> {
  const { sign_in: word } = ctx.query;
  const given = { word: typeof word === "string" ? word : "", browser: readBrowserCookie(ctx, baseOf(ctx)) };
  const signIn = await fetchSignIn(documents, given, clock());
  const person = signIn && (await people.fetch(documents, signIn.person));
  return signIn && person && { signIn, person };
}

function attemptsOf(ctx: AppContext, email: string): Counted[] {
  return [
    { name: `sign-in-from:${networkOf(ctx.ip)}`, limit: OF_ADDRESS, windowMs: WINDOW_MS },
    { name: `sign-in:${hashSecret(normaliseEmail(email))}`, limit: OF_PERSON, windowMs: WINDOW_MS },
  ];
}
