/**
 * Stores the demo's applications, keys, person and web client. Their secrets are public, and no command creates such
 * ones; only `npm run demo` runs this, in its own database.
 */
import { storeKey } from "../api/shared/access/api-keys.ts";
import { applications, type Application } from "../api/shared/access/applications.ts";
import { storeCompanyCode } from "../api/shared/access/company-codes.ts";
import { fetchPersonByEmail, storePerson } from "../api/shared/access/people.ts";
import { storeClient } from "../api/shared/access/web-clients.ts";
import { readProcessConfig } from "../api/shared/settings/config.ts";
import { closeStores, openStores } from "../api/shared/stores/index.ts";

const MOMENT = new Date();
const created_at = MOMENT.toISOString();

/** Applications by their keys. All but the first serve contract cases of 403 and 429 (test/contract/register.json). */
const APPLICATIONS: Record<string, Application> = {
  "demo-key": {
    _id: "demo",
    name: "demo",
    created_at,
    // OpenRefine runs at the last one.
    origins: ["https://app.example", "http://localhost:3000", "http://127.0.0.1:3333"],
  },
  "demo-elsewhere": { _id: "demo-elsewhere", name: "demo, elsewhere", created_at, addresses: ["192.0.2.1"] },
  "demo-limited": { _id: "demo-limited", name: "demo, limited", created_at, limit: 2 },
  "demo-narrow": { _id: "demo-narrow", name: "demo, narrow", created_at, scopes: ["search.read"] },
};

/** The key for the event streams. */
const STREAM_KEY = "demo-stream-key";

/** For trying the OAuth 2.0 flow as scripts/docs/oauth.md describes it. */
const CLIENT = {
  ...{ id: "demo-client", secret: "demo-secret", application: "demo" },
  redirect_uris: ["http://127.0.0.1:8090/back", "http://localhost:8090/back"],
};
const PERSON = {
  ...{ id: "demo-person", email: "ann@example.org", password: "demo-password" },
  ...{ forename: "Ann", surname: "Example", locale: "en_GB" },
};
const COMPANY = { number: "99000064", code: "DEMO-2345" };

const stores = openStores(readProcessConfig());
try {
  const { documents } = stores.mongo;
  for (const [key, application] of Object.entries(APPLICATIONS)) {
    await applications.put(documents, application);
    await storeKey(documents, key, { application: application._id, kind: "rest" }, MOMENT);
  }
  await storeKey(documents, STREAM_KEY, { application: "demo", kind: "stream" }, MOMENT);
  await storeClient(documents, CLIENT, MOMENT);
  // E-mail addresses are unique, and a person with another id may have this one.
  if (!(await fetchPersonByEmail(documents, PERSON.email))) await storePerson(documents, PERSON, MOMENT);
  await storeCompanyCode(documents, COMPANY.number, COMPANY.code, MOMENT);
} finally {
  await closeStores(stores);
}
