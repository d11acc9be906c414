/** The checks of the service's work: MongoDB's indexes, queue, loads, followed streams, refused rows, keys, sign-in. */
import { formatAge, formatNumber } from "../../api/shared/runtime/format.ts";
import { fetchKeys, isExpired } from "../../api/shared/access/api-keys.ts";
import { webClients } from "../../api/shared/access/web-clients.ts";
import { dropCall } from "../../api/shared/stores/mongodb/indexes.ts";
import { countRefusedRows, listRefusing } from "../../ingest/refused-rows/refused-rows.ts";
import { hasOtherBatches, OTHER_RELEASE, resumeCommand } from "../../ingest/history/loads.ts";
import { fetchOpenFailures, type LoadOutcome } from "../../ingest/history/open-failures.ts";
import { fetchRefusals } from "../../ingest/log/changes.ts";
import { fetchFollowed } from "../../ingest/follow/positions.ts";
import { fetchIndexFaults } from "../../ingest/prepare.ts";
import { fetchQueueState } from "../../ingest/queue/queue-state.ts";
import { fail, ok, warn, type Checks } from "./define-check.ts";

// A batch takes well under a second. One that has waited this long lacks a worker, or an engine is slow.
const OLD_MS = 60_000;
// Keys that expire within this time are reported, so that there is time to create new ones.
const SOON_MS = 14 * 86_400_000;
// Addresses of this machine need no TLS: browsers trust them, since nobody else can read the traffic.
const OWN_MACHINE = /^http:\/\/(127\.0\.0\.1|localhost|\[::1\])(:\d+)?(\/|$)/;
// The same as in the alert CompanyRegisterStreamSilent. A server without events sends empty lines, ours twice a minute.
const UNHEARD_MS = 15 * 60_000;
// At most this many failed loads are named; the others are counted.
const NAMED = 3;

export const workChecks: Checks = {
  "Indexes of MongoDB": async ({ stores }) => {
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

  "Queue and workers": async ({ stores, config, now }) => {
    const state = await fetchQueueState(stores.redis, config.QUEUE_PREFIX, now());
    const { waiting, active, delayed, workers, oldestWaitingMs } = state;
    const age = oldestWaitingMs === null ? "" : `, the oldest for ${formatAge(oldestWaitingMs)}`;
    const found = `${waiting + delayed} waiting${age}, ${active} in progress, ${formatNumber(workers, "worker")}`;
    if (waiting + delayed > 0 && workers === 0) {
      return fail(
        found,
        "no worker is connected to Redis: start one if none runs (node dist/ingest/main.js)",
      );
    }
    if (workers === 0) return warn(found, "loads need a worker: start one (node dist/ingest/main.js)");
    if ((oldestWaitingMs ?? 0) < OLD_MS) return ok(found);
    return warn(found, "see the workers' log for a store that is unavailable or slow; start more workers");
  },

  "Failed batches": async ({ stores, config, now }) => {
    const { failed } = await fetchQueueState(stores.redis, config.QUEUE_PREFIX, now());
    if (failed === 0) return ok("none");
    return warn(
      formatNumber(failed, "batch", "batches"),
      "npm run cli -- loads list shows the load; loads show LOAD says why it failed, and how to continue it. Fix the reason and continue it, or load the right files",
    );
  },

  "Batches rejected by Elasticsearch": async ({ stores }) => {
    const refused = await fetchRefusals(stores.mongo.documents);
    const [first] = refused;
    if (!first) return ok("none");
    return fail(
      `${formatNumber(refused.length, "batch", "batches")}, stored in MongoDB but not searchable: ${first.reason}`,
      "if the index takes no writes, allow them (see the check of write blocks); if the index is older than this " +
        "release, run npm run cli -- reindex; otherwise the reason names a record that the service cannot index: report it. The " +
        "next load, npm run cli -- verify --repair and reindex try again; npm run cli -- verify lists what is missing",
    );
  },

  "Last load of each format": async ({ stores, now }) => {
    const { last, unmended } = await fetchOpenFailures(stores);
    if (!last) return warn("nothing has been loaded yet", "npm run cli -- load FILE");
    const [first] = unmended;
    if (!first) {
      const age = formatAge(now() - Date.parse(last.finished_at ?? last.started_at));
      return ok(`${last._id}${last.state === "running" ? ` has been running for ${age}` : `, ${age} ago`}`);
    }
    const more = unmended.length > NAMED ? `; ${unmended.length - NAMED} more` : "";
    return fail(unmended.slice(0, NAMED).map(describe).join("; ") + more, mendingOf(first));
  },

  "Followed streams": async ({ stores, now }) => {
    const followed = [...(await fetchFollowed(stores.mongo.documents)).values()];
    if (followed.length === 0) return ok("none");
    const faults = followed.flatMap(({ stream, fault }) =>
      fault === undefined ? [] : `${stream}: ${fault}`,
    );
    if (faults.length > 0)
      return fail(faults.join("; "), "once that is fixed, start npm run cli -- follow unless it runs");
    const silent = followed.flatMap(({ stream, from, heard_at }) => {
      const ageMs = heard_at === undefined ? Infinity : now() - Date.parse(heard_at);
      if (ageMs < UNHEARD_MS) return [];
      return `${stream}: nothing from ${from} ${heard_at === undefined ? "yet" : `for ${formatAge(ageMs)}`}`;
    });
    if (silent.length === 0) return ok(formatNumber(followed.length, "stream"));
    return warn(
      silent.join("; "),
      "if you still want to follow it, check that npm run cli -- follow runs, and what it prints",
    );
  },

  "Refused rows": async ({ stores }) => {
    const { documents } = stores.mongo;
    const loads = await listRefusing(documents);
    if (loads.length === 0) return ok("none");
    let sum = 0;
    for (const load of loads) sum += await countRefusedRows(documents, load);
    return warn(
      `${formatNumber(sum, "row")} of ${formatNumber(loads.length, "load")}`,
      "npm run cli -- refused-rows list shows them. Run refused-rows export LOAD --out FILE, mend the rows in the file, " +
        "then run load FILE --mends LOAD; after an upgrade, rows may load unchanged. refused-rows discard LOAD deletes rows that nobody needs",
    );
  },

  "API keys": async ({ stores, now }) => {
    const keys = await fetchKeys(stores.mongo.documents);
    // A key for the event streams does not work for the API.
    if (!keys.some(({ key }) => key.kind === "rest")) {
      return warn("none: nobody can call", 'npm run cli -- keys create --name "my application"');
    }
    const expired = keys.filter(({ key }) => isExpired(key, now()));
    const ending = keys.filter((one) => !expired.includes(one) && isExpired(one.key, now() + SOON_MS));
    const faults = [...expired, ...ending].map((one) => {
      const word = expired.includes(one) ? "expired" : "expires";
      return `${one.application.name} ${word} on ${one.key.expires_at}`;
    });
    if (faults.length === 0) return ok(formatNumber(keys.length, "key"));
    return warn(
      faults.join("; "),
      "npm run cli -- keys create creates a new key, keys revoke removes the old one",
    );
  },

  "Address at which people sign in": async ({ stores, config }) => {
    const clients = await webClients.fetchAll(stores.mongo.documents);
    if (clients.length === 0) return ok("no web client needs one");
    const { PUBLIC_URL: address } = config;
    if (address.startsWith("https:") || OWN_MACHINE.test(address)) return ok(address);
    const found = address === "" ? "PUBLIC_URL is not set" : `${address} does not use TLS`;
    return warn(
      `${found}, and ${clients.length === 1 ? "there is" : "there are"} ${formatNumber(clients.length, "web client")}`,
      "set PUBLIC_URL to the https address under which browsers reach the API: it is the issuer, and scopes begin with it",
    );
  },
};

function describe({ _id, state, reason }: LoadOutcome): string {
  if (state === "undone") return `${_id} is partly undone`;
  return `${_id} ${state === "failed" ? "failed" : "was interrupted"}${reason ? `: ${reason}` : ""}`;
}

function mendingOf(load: LoadOutcome): string {
  const { _id, state } = load;
  if (state === "undone") return `npm run cli -- loads undo ${_id} undoes the rest`;
  if (hasOtherBatches(load)) return OTHER_RELEASE;
  const command = resumeCommand(load);
  const again = command ? `run ${command}` : "load its files again";
  return (
    `npm run cli -- loads show ${_id} says why; once that is fixed${load.isForced ? " or accepted" : ""}, ${again}; ` +
    "if the file itself is wrong, load the right one"
  );
}
