/** The OAuth 2.0 pages for tests: an API with a client, and for each test a person and an hour of its own. */
import { Browser, PASSWORD, REDIRECT, addTestClient, addTestPerson, startProcess } from "./oauth.ts";
import { testConfig } from "./register.ts";

const HOUR_MS = 3_600_000;

/** Starts an API with a client whose name needs escaping in HTML. */
export async function openPages() {
  const config = testConfig();
  // The clock stands still unless a test moves it, because attempts are counted by quarters of an hour and by hours.
  let now = Date.now();
  const clock = () => new Date(now);
  const api = await startProcess(config, {}, { clock });
  const scopes = ["search.read", "company/*/company.read"];
  const client = await addTestClient(api.stores, { name: "<Billing> & Co", scopes });
  let people = 0;
  const state = { email: "" };
  const addressOf = (changes: Record<string, string> = {}) => {
    const parameters = {
      response_type: "code",
      client_id: client.id,
      redirect_uri: REDIRECT,
      scope: "search.read",
      state: "s",
    };
    return `${api.base}/oauth2/authorise?${new URLSearchParams({ ...parameters, ...changes }).toString()}`;
  };
  const signIn = (browser: Browser, password = PASSWORD) =>
    browser.send({ email: state.email.toUpperCase(), password });
  const addPerson = async () => {
    state.email = `person-${(people += 1)}@example.org`;
    await addTestPerson(api.stores, state.email);
  };
  return {
    ...{ config, api, clock, addressOf, signIn, addPerson },
    /** Moves the clock forward. */
    pass: (ms: number) => void (now += ms),
    /** E-mail address of the current person. */
    email: () => state.email,
    /** Adds another person, and moves the clock to the next full hour. */
    renew: async () => {
      now = (Math.floor(now / HOUR_MS) + 1) * HOUR_MS;
      await addPerson();
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
