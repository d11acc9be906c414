/** The pages of OAuth 2.0 for a test: an API with a client, and a person of its own for each test. */
import { Browser, PASSWORD, REDIRECT, holdClient, holdPerson, startProcess } from "./oauth.ts";
import { testConfig } from "./register.ts";

export type Pages = Awaited<ReturnType<typeof openPages>>;

/** Starts an API with a client, whose name needs escaping. */
export async function openPages() {
  const config = testConfig();
  const api = await startProcess(config);
  const scopes = ["search.read", "company/*/company.read"];
  const client = await holdClient(api.stores, { name: "<Billing> & Co", scopes });
  let people = 0;
  const state = { email: "" };
  const addressOf = (changes: Record<string, string> = {}) => {
    const asked = {
      response_type: "code",
      client_id: client.id,
      redirect_uri: REDIRECT,
      scope: "search.read",
      state: "s",
    };
    return `${api.base}/oauth2/authorise?${new URLSearchParams({ ...asked, ...changes }).toString()}`;
  };
  const signIn = (browser: Browser, password = PASSWORD) =>
    browser.send({ email: state.email.toUpperCase(), password });
  return {
    ...{ config, api, addressOf, signIn },
    /** E-mail address of the person of this test. */
    email: () => state.email,
    /** Another person. */
    renew: async () => {
      state.email = `person-${(people += 1)}@example.org`;
      await holdPerson(api.stores, state.email);
    },
    /** A browser whose person has signed in. */
    signedIn: async (changes: Record<string, string> = {}) => {
      const browser = new Browser();
      await browser.open(addressOf(changes));
      await signIn(browser);
      return browser;
    },
    close: async () => {
      await api.stores.mongo.dropDatabase();
      await api.close();
    },
  };
}
