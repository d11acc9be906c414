/** Sign-ins: the state of a person on the OAuth 2.0 pages, from signing in until granting or refusing. */
import type { DocumentStore } from "../stores/mongodb/mongo.ts";
import { openCollection } from "./collections.ts";
import { generateToken, hashSecret } from "./secrets.ts";

export const SIGN_INS = "oauth_sign_ins";
const signIns = openCollection<SignIn>(SIGN_INS);
// 15 minutes: a person may have to look for a company's code.
const LASTS_MS = 900_000;

export interface SignIn {
  /** SHA-256 of the random word that the forms of the pages contain. */
  _id: string;
  /** SHA-256 of the cookie of the browser in which the person signed in: no other browser may continue. */
  browser: string;
  person: string;
  /** The parameters of the authorisation request. */
  request: Record<string, string>;
  /** Companies whose code the person has given. */
  companies: string[];
  expires_at: string;
  /** When the person granted or refused. */
  ended_at?: string;
}

/** Stores a new sign-in; returns the random word for the forms of the pages. */
export async function storeSignIn(
  documents: DocumentStore,
  given: { browser: string; person: string; request: Record<string, string> },
  now: Date,
): Promise<string> {
  const word = generateToken();
  const expires_at = new Date(now.getTime() + LASTS_MS).toISOString();
  const browser = hashSecret(given.browser);
  await signIns.put(documents, { ...given, _id: hashSecret(word), browser, companies: [], expires_at });
  return word;
}

/** The sign-in with this word, if it belongs to this browser and has not ended or expired; otherwise null. */
export async function fetchSignIn(
  documents: DocumentStore,
  { word, browser }: { word: string; browser: string },
  now: Date,
): Promise<SignIn | null> {
  const found = await signIns.fetch(documents, hashSecret(word));
  if (!found || found.ended_at !== undefined || found.expires_at <= now.toISOString()) return null;
  return found.browser === hashSecret(browser) ? found : null;
}

/** Adds a company whose code the person has given. */
export async function addCompany(
  documents: DocumentStore,
  signIn: SignIn,
  companyNumber: string,
): Promise<void> {
  const companies = [...signIn.companies, companyNumber];
  await documents.amend(SIGN_INS, [{ _id: signIn._id, companies }]);
}

/** Ends a sign-in, in one atomic step. Of several callers, one gets true and the others false. */
export function endSignIn(documents: DocumentStore, { _id }: SignIn, moment: Date): Promise<boolean> {
  const open = { _id, ended_at: { $exists: false } };
  return documents.amendIf(SIGN_INS, open, { ended_at: moment.toISOString() });
}

/** Removes sign-ins that expired before this moment. */
export function removeEndedSignIns(documents: DocumentStore, moment: Date): Promise<void> {
  return documents.removeBefore(SIGN_INS, "expires_at", moment.toISOString());
}
