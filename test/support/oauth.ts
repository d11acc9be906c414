/** What tests of OAuth 2.0 need: API processes over one store, a client, a person, and a browser made of fetch. */
import { scryptSync } from "node:crypto";
import type { AddressInfo } from "node:net";
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

export const EMAIL = "ann@example.org";
export const PASSWORD = "a password for tests";
export const CODE = "K7M2-Q9XW";
export const COMPANY = "99000064";
/** Nothing listens there: the test reads where it was sent. */
export const REDIRECT = "http://127.0.0.1:9/back";
export const REDIRECT_WITH_QUERY = `${REDIRECT}?from=register`;

/** One API process. */
export interface Process {
  base: string;
  stores: Stores;
  close: () => Promise<void>;
}

/** What a process has instead of what every process has. */
interface Parts {
  /** Makes the stores that it uses. */
  alter?: (stores: Stores) => Stores;
  clock?: () => Date;
  log?: Logger;
}

/** Starts an API over the stores of a configuration, with some settings and parts of its own. */
export async function startProcess(
  config: Config,
  settings: Partial<Config> = {},
  { alter = (stores) => stores, clock = () => new Date(), log = createLogger("silent", "api") }: Parts = {},
): Promise<Process> {
  const stores = openStores(config);
  const app = buildApp({
    // What is slow here is the machine that runs many tests at once.
    config: { ...config, REQUEST_TIMEOUT_MS: 20_000, ...settings },
    stores: alter(stores),
    ...{ log, clock },
    checksAnswers: true,
  });
  const server = app.listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  return {
    stores,
    base: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: async () => {
      server.close();
      server.closeAllConnections();
      await closeStores(stores);
    },
  };
}

/** A client of a new application, with its secret. */
export interface HeldClient {
  application: Application;
  id: string;
  secret: string;
}

/** Keeps a new application with a client. */
export async function holdClient(
  { mongo: { documents } }: Stores,
  terms: ApplicationTerms & { name: string },
): Promise<HeldClient> {
  const application = await storeApplication(documents, terms, new Date());
  const secret = generateClientSecret();
  const given = { application: application._id, redirect_uris: [REDIRECT, REDIRECT_WITH_QUERY], secret };
  return { application, id: (await storeClient(documents, given, new Date()))._id, secret };
}

/**
 * A hash that `isPassword` takes, at a small cost, which the hash names: the service's own is slow on purpose, at each sign-in. The
 * commands' tests sign in with that one.
 */
function hashCheaply(secret: string): string {
  return `scrypt:1024:8:1:c2FsdA==:${scryptSync(secret, "salt", 32, { N: 1024 }).toString("base64")}`;
}

const PASSWORD_HASH = hashCheaply(PASSWORD);
const CODE_HASH = hashCheaply(CODE.replace("-", ""));

/** Keeps a person and a company's code. */
export async function holdPerson({ mongo: { documents } }: Stores, email: string): Promise<Person> {
  const created_at = new Date().toISOString();
  await documents.put("company_codes", { _id: COMPANY, code: CODE_HASH, created_at });
  const facts = { email, forename: "Ann", surname: "Example", locale: "en_GB", created_at };
  return people.put(documents, { ...facts, _id: generateId(), password: PASSWORD_HASH });
}

/** What a browser shows. */
export interface Shown {
  status: number;
  url: string;
  headers: Headers;
  text: string;
  /** Heading of the page. */
  title: string;
}

/** A browser with one page: it keeps cookies, follows redirects of the server, and stops at those that leave it. */
export class Browser {
  cookies = new Map<string, string>();
  page: Shown | undefined;

  async open(url: string, init: RequestInit = {}): Promise<Shown> {
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

  /** Sends the first form of the page, of those that have these words, with these fields beside its hidden ones. */
  send(fields: Record<string, string>, headers: Record<string, string> = {}, words = ""): Promise<Shown> {
    const { url, text } = this.page ?? { url: "", text: "" };
    const forms = text.match(/<form.*?<\/form>/gs) ?? [];
    const form = forms.find((one) => one.replace(/<[^>]*>/g, "").includes(words)) ?? "";
    const hidden = [...form.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)"/g)];
    const stored = Object.fromEntries(hidden.map(([, name = "", value = ""]) => [name, value]));
    const origin = new URL(url).origin;
    return this.open(url, {
      method: "POST",
      headers: { "content-type": "application/x-www-form-urlencoded", origin, ...headers },
      body: new URLSearchParams({ ...stored, ...fields }).toString(),
    });
  }

  /** Goes through all pages; returns the address of the client that it ends at. */
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
