/** The OAuth 2.0 pages in a browser: their content policy must allow the redirects of a client. */
import { it } from "@jest/globals";
import { storeApplication } from "../../api/shared/access/applications.ts";
import { storeClient } from "../../api/shared/access/web-clients.ts";
import { openBrowser } from "../support/browser.ts";
import { serve } from "../support/followed-servers.ts";
import { EMAIL, PASSWORD, addTestPerson, startProcess } from "../support/oauth.ts";
import { testConfig } from "../support/register.ts";

it.each([
  ["grant", EMAIL],
  // Browsers would not submit such an address from a field of type email.
  ["refuse", "jürgen@bücher.example"],
  ["refuse before the sign-in", EMAIL],
])(
  "the browser follows the client's redirect to another origin: %s by %s",
  async (decision, email) => {
    const client = await serve((request, response) => {
      const home = `http://localhost:${new URL(client.base).port}/home`;
      if (request.url?.startsWith("/back?")) response.writeHead(302, { location: home });
      response.end("home");
    });
    const api = await startProcess(testConfig());
    const browser = await openBrowser();
    try {
      const { documents } = api.stores.mongo;
      await addTestPerson(api.stores, email);
      const { _id: application } = await storeApplication(documents, { name: "Billing" }, new Date());
      const redirect_uri = `${client.base}/back`;
      const given = { application, redirect_uris: [redirect_uri], secret: "secret" };
      const { _id: client_id } = await storeClient(documents, given, new Date());
      const page = await browser.open(api.base);
      const asked = new URLSearchParams({ client_id, redirect_uri, scope: "search.read" });
      await page.goto(`/oauth2/authorise?${asked.toString()}`);
      if (decision === "refuse before the sign-in") {
        await page.getByRole("link", { name: "Refuse, and go back" }).press("Enter");
      } else {
        await page.locator("input[name=email]").fill(email);
        await page.locator("input[name=password]").fill(PASSWORD);
        await page.locator("input[name=password]").press("Enter");
        await page.locator(`button[value=${decision}]`).click();
      }
      await page.waitForURL(/^http:\/\/localhost:\d+\/home$/);
    } finally {
      await browser.close();
      await api.stores.mongo.dropDatabase();
      await api.close();
      await client.close();
    }
  },
  120_000,
);
