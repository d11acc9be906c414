/** Pages that tests open in a browser besides the usual ones: those of OAuth 2.0, and pages that need a key. */
import { storeGrant } from "../../api/shared/access/grants.ts";
import type { Stores } from "../../api/shared/stores/index.ts";
import type { Page } from "./browser.ts";
import { COMPANY, EMAIL, REDIRECT, addTestClient, addTestPerson } from "./oauth.ts";
import { openRegister } from "./register.ts";

export interface OtherPages {
  /** Address where a person signs in and grants a scope for searches and one for a company. */
  signIn: string;
  /** Fills in the first form of the page and sends it. */
  submit: (page: Page, fields: Record<string, string>) => Promise<void>;
  /** Address of the page of the applications to which the person has granted access. */
  applications: string;
  /** Address of a register whose pages need a key. */
  keyed: string;
  close: () => Promise<void>;
}

/** Opens these pages over a register of their own. */
export async function openOtherPages(): Promise<OtherPages> {
  const keyed = await openRegister({ settings: { PAGES: "key" }, withWorker: false });
  const { stores } = keyed;
  const scopes = ["search.read", `company/${COMPANY}/company.read`];
  const { id } = await addTestClient(stores, {
    name: "Billing",
    scopes: ["search.read", "company/*/company.read"],
  });
  const { _id: person } = await addTestPerson(stores, EMAIL);
  // A test ends the access of one application at each screen width; the third stays.
  for (const name of ["Ledger 1", "Ledger 2", "Ledger 3"]) await grantAccess(stores, name, person);
  const asked = { response_type: "code", client_id: id, redirect_uri: REDIRECT, scope: scopes.join(" ") };
  return {
    signIn: `${keyed.base}/oauth2/authorise?${new URLSearchParams(asked).toString()}`,
    applications: `${keyed.base}/oauth2/applications`,
    submit: async (page, fields) => {
      for (const [name, value] of Object.entries(fields)) await page.locator(`[name=${name}]`).fill(value);
      const form = page.locator("form").first();
      await Promise.all([page.waitForEvent("load"), form.locator("button").first().click()]);
    },
    keyed: keyed.base,
    close: () => keyed.close(),
  };
}

async function grantAccess(stores: Stores, name: string, person: string): Promise<void> {
  const { application, id: client } = await addTestClient(stores, { name });
  const now = new Date();
  const expires_at = new Date(now.getTime() + 3_600_000).toISOString();
  const scopes = ["search.read", `company/${COMPANY}/company.read`];
  const facts = { application: application._id, client, person, scopes, expires_at };
  await storeGrant(stores.mongo.documents, { ...facts, used_at: now.toISOString() }, now);
}
