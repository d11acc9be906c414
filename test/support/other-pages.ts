/** The pages beside the register's own, for a browser: those of OAuth 2.0, and pages that need a key. */
import type { Page } from "./browser.ts";
import { COMPANY, EMAIL, REDIRECT, holdClient, holdPerson } from "./oauth.ts";
import { openRegister } from "./register.ts";

export interface OtherPages {
  /** Address that asks a person to sign in, and to grant a scope of searches and one of a company. */
  signIn: string;
  /** Fills in the first form of the page, and sends it. */
  submit: (page: Page, fields: Record<string, string>) => Promise<void>;
  /** Address of pages that need a key. */
  keyed: string;
  close: () => Promise<void>;
}

/** Opens them over a register of their own. */
export async function openOtherPages(): Promise<OtherPages> {
  const keyed = await openRegister({ settings: { PAGES: "key" }, withWorker: false });
  const { stores } = keyed;
  const scopes = ["search.read", `company/${COMPANY}/company.read`];
  const { id } = await holdClient(stores, {
    name: "Billing",
    scopes: ["search.read", "company/*/company.read"],
  });
  await holdPerson(stores, EMAIL);
  const asked = { response_type: "code", client_id: id, redirect_uri: REDIRECT, scope: scopes.join(" ") };
  return {
    signIn: `${keyed.base}/oauth2/authorise?${new URLSearchParams(asked).toString()}`,
    submit: async (page, fields) => {
      for (const [name, value] of Object.entries(fields)) await page.locator(`[name=${name}]`).fill(value);
      const form = page.locator("form").first();
      await Promise.all([page.waitForEvent("load"), form.locator("button").first().click()]);
    },
    keyed: keyed.base,
    close: () => keyed.close(),
  };
}
