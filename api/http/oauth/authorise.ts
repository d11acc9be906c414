/** Owns `/oauth2/authorise`: checks the application's request and signs the person in. */
import { networkOf } from "../../shared/access/allowed-addresses.ts";
import { writeAudit } from "../../shared/access/audit.ts";
import { fetchPersonByEmail, normaliseEmail } from "../../shared/access/people.ts";
import { hashSecret, isPassword } from "../../shared/access/secrets.ts";
import { storeSignIn } from "../../shared/access/sign-ins.ts";
import type { Counted } from "../limits/rate-limit.ts";
import { outlastDeadline, type AppContext } from "../request-context.ts";
import {
  answerBack,
  answerNext,
  answerPage,
  browserOf,
  formWord,
  isOwnForm,
  lacksCookie,
  nameBrowser,
} from "./browser.ts";
import { attempt, BUSY, type OAuthContext } from "./context.ts";
import { faultPage, signInPage } from "./pages.tsx";
import { AUTHORISATION, fieldOf, readForm, readParameters } from "./parameters.ts";
import { isRefusal, type Asked, type Parameters } from "./server.ts";

const WINDOW_MS = 900_000;
// Limits of wrong passwords in a quarter of an hour: for one person from any address, and for one address with any person.
const OF_PERSON = 10;
const OF_ADDRESS = 50;

const WRONG = "E-mail address or password is wrong.";
const TOO_MANY = "There were too many attempts. Wait a quarter of an hour, then try again.";
const OLD_FORM = "This page was out of date. Try again.";
const NO_COOKIE =
  "Your browser sent no cookie. Allow cookies of this site, which signing in needs, then try again.";

/** Shows the sign-in page. */
export async function showSignIn(ctx: AppContext, context: OAuthContext): Promise<void> {
  const found = await readRequest(ctx, context);
  if (found) showPage(ctx, context, found.asked);
}

/** Signs a person in and sends them to the page of consent. */
export async function signIn(ctx: AppContext, context: OAuthContext): Promise<void> {
  const found = await readRequest(ctx, context);
  if (!found) return;
  const base = context.baseOf(ctx);
  const form = readForm(ctx);
  const email = fieldOf(form, "email");
  const refuse = (status: number, fault: string) =>
    showPage(ctx, context, found.asked, { status, fault, email });
  if (!isOwnForm(ctx, base, fieldOf(form, "word"))) {
    return refuse(403, lacksCookie(ctx, base) ? NO_COOKIE : OLD_FORM);
  }
  const person = email === "" ? null : await fetchPersonByEmail(context.documents, email);
  // An unknown address takes as long, so that the time does not show who is known.
  const outcome = await attempt(ctx, context, attemptsOf(ctx, email), () =>
    isPassword(fieldOf(form, "password"), person?.password ?? null),
  );
  if (outcome === "busy") return refuse(503, BUSY);
  if (outcome === "too many") return refuse(429, TOO_MANY);
  if (outcome === "wrong" || !person) {
    ctx.state.log.warn({ address: ctx.ip }, "sign-in refused");
    return refuse(400, WRONG);
  }
  outlastDeadline(ctx);
  // A new cookie: one that somebody else may have planted must not work after the sign-in.
  const browser = nameBrowser(ctx, base);
  const { documents } = context;
  const now = context.clock();
  const word = await storeSignIn(documents, { browser, person: person._id, request: found.request }, now);
  const details = { client: found.asked.client._id };
  await writeAudit(
    documents,
    { action: "person signed in", subject: person._id, by: person.email, details },
    now,
  );
  answerNext(ctx, `consent?sign_in=${word}`);
}

/** The request if it is valid; null when an error has been answered. */
async function readRequest(
  ctx: AppContext,
  context: OAuthContext,
): Promise<{ request: Parameters; asked: Asked } | null> {
  const given = readParameters(ctx.query, AUTHORISATION);
  // Specification 5.6 names client, scopes and redirect address; there is one response type.
  const request: Parameters | null = given && { response_type: "code", ...given };
  if (!request?.redirect_uri) {
    refuse(
      ctx,
      request ? "It names no redirect_uri." : "It names a parameter twice, or one that is too long.",
    );
    return null;
  }
  const asked = await context.server.check(request, context.baseOf(ctx));
  if (!isRefusal(asked)) return { request, asked };
  if (asked.mayRedirect) {
    const { error, description } = asked;
    const answer = { error, error_description: description, state: request.state, iss: context.baseOf(ctx) };
    answerBack(ctx, request.redirect_uri, answer);
  } else refuse(ctx, `${asked.description}.`);
  return null;
}

function refuse(ctx: AppContext, sentence: string): void {
  const text = `The application that sent you here has made a mistake, so it cannot get an answer. ${sentence}`;
  answerPage(ctx, 400, faultPage("This request is not valid", text));
}

interface Shown {
  status: number;
  fault: string;
  email: string;
}

function showPage(ctx: AppContext, context: OAuthContext, { application }: Asked, shown?: Shown): void {
  const base = context.baseOf(ctx);
  const browser = browserOf(ctx, base) || nameBrowser(ctx, base);
  const facts = { word: formWord(browser), application: application.name };
  answerPage(ctx, shown?.status ?? 200, signInPage({ ...facts, ...shown }), "form-action 'self'");
}

function attemptsOf(ctx: AppContext, email: string): Counted[] {
  return [
    { name: `sign-in-from:${networkOf(ctx.ip)}`, limit: OF_ADDRESS, windowMs: WINDOW_MS },
    { name: `sign-in:${hashSecret(normaliseEmail(email))}`, limit: OF_PERSON, windowMs: WINDOW_MS },
  ];
}
