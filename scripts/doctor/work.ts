/** Owns the checks of the service's own work: MongoDB's indexes, the queue, loads, refused rows, API keys. */
import { formatNumber } from "../../api/shared/runtime/format.ts";
import { fetchKeys, isExpired } from "../../api/shared/access/api-keys.ts";
import { fetchClients } from "../../api/shared/access/web-clients.ts";
import { areKept } from "../../api/shared/stores/collections/link-pages.ts";
import { dropCall } from "../../api/shared/stores/mongodb/indexes.ts";
import { countRefusedRows } from "../../ingest/refused-rows/refused-rows.ts";
import { fetchRefusedChanges } from "../../ingest/log/changes.ts";
import { fetchIndexFaults } from "../../ingest/prepare.ts";
import { fetchQueueState } from "../../ingest/queue/queue-state.ts";
import { formatAge } from "../format.ts";
import { defineCheck, fail, ok, warn, type Check } from "./define-check.ts";
import { loadsCheck } from "./loads.ts";

// A batch takes well under a second; one that has waited so long waits for a worker, or for an engine.
const OLD_MS = 60_000;
// Keys that expire so soon are reported while there is time to create new ones.
const SOON_MS = 14 * 86_400_000;

const mongoIndexesCheck = defineCheck({
  title: "Indexes of MongoDB",
  run: async ({ stores }) => {
    const { missing, inTheWay } = await fetchIndexFaults(stores.mongo);
    const faults = [
      ...(missing.length > 0 ? [`missing: ${missing.join("; ")}`] : []),
      ...inTheWay.map(
        ({ collection, name }) => `${name} of ${collection} differs from this release's definition`,
      ),
    ];
    if (faults.length === 0) return ok("none is missing");
    const drops = inTheWay.map(({ collection, name }) => dropCall(collection, name));
    const first = drops.length > 0 ? `in MongoDB's shell: ${drops.join("; ")}; then ` : "";
    return fail(faults.join("; "), `${first}npm run cli -- prepare`);
  },
});

const queueCheck = defineCheck({
  title: "Queue and workers",
  run: async ({ stores, config, now }) => {
    const state = await fetchQueueState(stores.redis, config.QUEUE_PREFIX, now());
    const { waiting, active, delayed, workers, oldestWaitingMs } = state;
    const age = oldestWaitingMs === null ? "" : `, the oldest for ${formatAge(oldestWaitingMs)}`;
    const found = `${waiting + delayed} waiting${age}, ${active} in work, ${formatNumber(workers, "worker")}`;
    if (waiting + delayed > 0 && workers === 0) {
      return fail(found, "no worker is running: start one (node dist/ingest/main.js)");
    }
    if (workers === 0) return warn(found, "loads need a worker: start one (node dist/ingest/main.js)");
    if ((oldestWaitingMs ?? 0) < OLD_MS) return ok(found);
    return warn(found, "see the workers' log for a store that is unavailable or slow; start more workers");
  },
});

const failedBatchesCheck = defineCheck({
  title: "Failed batches",
  run: async ({ stores, config, now }) => {
    const { failed } = await fetchQueueState(stores.redis, config.QUEUE_PREFIX, now());
    if (failed === 0) return ok("none");
    return warn(
      formatNumber(failed, "batch", "batches"),
      "npm run cli -- loads list shows the load and its reason; repair the cause, then run load --resume",
    );
  },
});

const refusedChangesCheck = defineCheck({
  title: "Batches rejected by Elasticsearch",
  run: async ({ stores }) => {
    const refused = await fetchRefusedChanges(stores.mongo.documents);
    const [first] = refused;
    if (!first) return ok("none");
    return fail(
      `${formatNumber(refused.length, "batch", "batches")}, stored in MongoDB but not searchable: ${first.reason}`,
      "if the index takes no writes, allow them (see the check of write blocks); if the index is older than this " +
        "release, run npm run cli -- reindex; otherwise the reason names a record that the service cannot index: report it. The " +
        "next load tries again; npm run cli -- verify lists what is missing",
    );
  },
});

const linksCheck = defineCheck({
  title: "Links of company profiles",
  run: async ({ stores }) => {
    if (await areKept(stores.mongo.documents)) return ok("stored");
    return warn(
      "an older release filled this register without them: each profile asks ten collections for its links",
      "run npm run cli -- verify --repair while a worker runs: it stores them",
    );
  },
});

const refusedRowsCheck = defineCheck({
  title: "Refused rows",
  run: async ({ stores }) => {
    const counts = await countRefusedRows(stores.mongo.documents);
    const sum = counts.reduce((total, { count }) => total + count, 0);
    if (sum === 0) return ok("none");
    const loads = new Set(counts.map(({ load }) => load)).size;
    return warn(
      `${formatNumber(sum, "row")} of ${formatNumber(loads, "load")}`,
      "npm run cli -- refused-rows list shows them. Run refused-rows export LOAD --out FILE, mend the rows in the file, " +
        "then run load FILE --mends LOAD; after an upgrade, rows may load unchanged. refused-rows discard LOAD deletes rows that nobody needs",
    );
  },
});

const keysCheck = defineCheck({
  title: "API keys",
  run: async ({ stores, now }) => {
    const keys = await fetchKeys(stores.mongo.documents);
    if (keys.length === 0) {
      return warn("none: nobody can call", 'npm run cli -- keys create --name "my application"');
    }
    const expired = keys.filter(({ key }) => isExpired(key, now()));
    const ending = keys.filter(
      (stored) => !expired.includes(stored) && isExpired(stored.key, now() + SOON_MS),
    );
    if (expired.length + ending.length === 0) return ok(formatNumber(keys.length, "key"));
    const faults = [
      ...expired.map(({ key, application }) => `${application.name} expired on ${key.expires_at}`),
      ...ending.map(({ key, application }) => `${application.name} expires on ${key.expires_at}`),
    ];
    return warn(
      faults.join("; "),
      "npm run cli -- keys create creates a new key, keys revoke removes the old one",
    );
  },
});

const signInCheck = defineCheck({
  title: "Address at which people sign in",
  run: async ({ stores, config }) => {
    const clients = await fetchClients(stores.mongo.documents);
    if (clients.length === 0) return ok("no web client needs one");
    const { PUBLIC_URL: address } = config;
    if (address.startsWith("https:")) return ok(address);
    const found = address === "" ? "PUBLIC_URL is not set" : `${address} does not use TLS`;
    return warn(
      `${found}, and ${clients.length === 1 ? "there is" : "there are"} ${formatNumber(clients.length, "web client")}`,
      "set PUBLIC_URL to the https address under which browsers reach the API: it is the issuer, and scopes begin with it",
    );
  },
});

export const workChecks: Check[] = [
  mongoIndexesCheck,
  queueCheck,
  failedBatchesCheck,
  refusedChangesCheck,
  linksCheck,
  loadsCheck,
  refusedRowsCheck,
  keysCheck,
  signInCheck,
];
