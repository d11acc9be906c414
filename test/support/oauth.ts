/**
 * What tests of OAuth 2.0 need: API processes over the same stores, a client, a person, and a browser made of fetch.
 */
import { scryptSync } from "node:crypto";
import { buildApp } from "../../api/app.ts";
import {
  storeApplication,
  type Application,
  type ApplicationTerms,
} from "../../api/shared/access/applications.ts";
import { people, type Person } from "../../api/shared/access/people.ts";
import { generateId } from "../../api/shared/access/secrets.ts";
import { generateClientSecret, storeClient } from "../../api/shared/access/web-clients.ts";
import type { Config } from "../../api/shared/settings/config.ts";
import { createLogger, type Logger } from "../../api/shared/runtime/logger.ts";
import { closeStores, openStores, type Stores } from "../../api/shared/stores/index.ts";
import { addressOf } from "./serve.ts";

export const EMAIL = "ann@example.org";
export const PASSWORD = "a password for tests";
export const CODE = "K7M2-Q9XW";
export const COMPANY = "99000064";
/** Nothing listens there: tests only read the address of the redirect. */
export const REDIRECT = "http://127.0.0.1:9/back";
export const REDIRECT_WITH_QUERY = `${REDIRECT}?from=register`;

/** One API process. */
export interface Process {
  base: string;
  stores: Stores;
  close: () => Promise<void>;
}

/** Parts of a process that a test replaces. */
interface Parts {
  /** Changes the stores that the process uses. */
  alter?: (stores: Stores) => Stores;
  clock?: () => Date;
  log?: Logger;
}

/** Starts an API over the stores of a configuration, with other settings and parts. */
export async function startProcess(
  config: Config,
  settings: Partial<Config> = {},
  { alter = (stores) => stores, clock = () => new Date(), log = createLogger("silent", "api") }: Parts = {},
): Promise<Process> {
  const stores = openStores(config);
  const app = buildApp({
    // A long limit, because a machine that runs many tests at once is slow.
    config: { ...config, REQUEST_TIMEOUT_MS: 20_000, ...settings },
    stores: alter(stores),
    ...{ log, clock },
    checksAnswers: true,
  });
  const server = app.listen(0, "127.0.0.1");
  return {
    stores,
    base: await addressOf(server),
    close: async () => {
      server.close();
      server.closeAllConnections();
      await closeStores(stores);
    },
  };
}

/** A client of a new application, with its secret. */
export interface TestClient {
  application: Application;
  id: string;
  secret: string;
}

/** Stores a new application with a client. */
export async function addTestClient(
  { mongo: { documents } }: Stores,
  terms: ApplicationTerms & { name: string },
): Promise<TestClient> {
  const application = await storeApplication(documents, terms, new Date());
  const secret = generateClientSecret();
  const given = { application: application._id, redirect_uris: [REDIRECT, REDIRECT_WITH_QUERY], secret };
  return { application, id: (await storeClient(documents, given, new Date()))._id, secret };
}

/**
 * A hash that `isPassword` accepts, at a low cost, which the hash itself states. The service's own hash is slow on
 * purpose, at each sign-in; only the tests of the commands use it.
 */
function hashCheaply(secret: string): string {
  return `scrypt:1024:8:1:c2FsdA==:${scryptSync(secret, "salt", 32, { N: 1024 }).toString("base64")}`;
}

const PASSWORD_HASH = hashCheaply(PASSWORD);
const CODE_HASH = hashCheaply(CODE.replace("-", ""));

/** Stores a person, and the code of a company. */
export async function addTestPerson({ mongo: { documents } }: Stores, email: string): Promise<Person> {
  const created_at = new Date().toISOString();
  await documents.put("company_codes", { _id: COMPANY, code: CODE_HASH, created_at });
  const facts = { email, forename: "Ann", surname: "Example", locale: "en_GB", created_at };
  return people.put(documents, { ...facts, _id: generateId(), password: PASSWORD_HASH });
}

/** The page that the browser shows. */
export interface ShownPage {
  status: number;
  url: string;
  headers: Headers;
  text: string;
  /** Heading of the page. */
  title: string;
}

/** A browser with one page. It keeps cookies and follows redirects within the server, but not to other servers. */
export class Browser {
  cookies = new Map<string, string>();
  page: ShownPage | undefined;

  async open(url: string, init: RequestInit = {}): Promise<ShownPage> {
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    const headers = { ...(init.headers as Record<string, string>), ...(cookie && { cookie }) };
    const answer = await fetch(url, { ...init, headers, redirect: "manual" });
    for (const line of answer.headers.getSetCookie()) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      this.cookies.set(name, value);
    }
    const location = answer.headers.get("location");
    const next = location === null ? null : new URL(location, url);
    const text = await answer.text();
    if (next?.origin === new URL(url).origin) return this.open(next.href);
    const title = /<h1>(.*?)<\/h1>/s.exec(text)?.[1] ?? "";
    this.page = { status: answer.status, url: next?.href ?? url, headers: answer.headers, text, title };
    return this.page;
  }

  /** Sends the first form of the page that contains `words`, with these fields and its hidden ones. */
  send(fields: Record<string, string>, headers: Record<string, string> = {}, words = ""): Promise<ShownPage> {
    const { url, text } = this.page ?? { url: "", text: "" };
    const forms = text.match(/<form.*?<\/form>/gs) ?? [];
    const form = forms.find((one) => one.replace(/<[^>]*>/g, "").includes(words)) ?? "";
    const hidden = [...form.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)"/g)];
    const hiddenFields = Object.fromEntries(hidden.map(([, name = "", value = ""]) => [name, value]));
    const origin = new URL(url).origin;
    return this.open(url, {
      method: "POST",
      headers: { "content-type": "application/x-www-form-urlencoded", origin, ...headers },
      body: new URLSearchParams({ ...hiddenFields, ...fields }).toString(),
    });
  }

  /** Goes through all pages and grants access; returns the client's address that it is redirected to. */
  async grant(url: string | URL, email: string): Promise<URL> {
    let shown = await this.open(String(url));
    if (shown.title === "Sign in") shown = await this.send({ email, password: PASSWORD });
    while (shown.status === 200 && shown.title === "Company authentication code")
      shown = await this.send({ code: CODE });
    if (shown.title !== "Grant access")
      throw new Error(`unexpected: ${shown.status} ${shown.title} ${shown.url}`);
    return new URL((await this.send({ decision: "grant" })).url);
  }
}
