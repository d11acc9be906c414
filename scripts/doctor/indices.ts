/** The checks of the search indices: aliases, versions, mappings, documents, health, blocks, refresh, builds. */
import type { IndexState } from "../../api/shared/stores/elasticsearch/health.ts";
import { versionOf } from "../../api/shared/stores/elasticsearch/names.ts";
import type { IndexDefinition, IndexedWords } from "../../api/shared/definitions/define-index.ts";
import { indices } from "../../index-mappings/index.ts";
import { wordsIndex } from "../../index-mappings/words/index.ts";
import { fetchRuleMismatch } from "../../index-mappings/name-rules.ts";
import { describeUnfilled, fetchUnfilled } from "../../index-mappings/unfilled.ts";
import { fetchEmpty } from "../../ingest/prepare.ts";
import { fetchIndexSet, REINDEX_LOCK } from "../../ingest/reindex/index-set.ts";
import { fail, ok, warn, type Checks, type CheckContext } from "./define-check.ts";

const REINDEX = "npm run cli -- reindex";
// At most this many differing places of a mapping are printed.
const SHOWN_PLACES = 3;
// The block that Elasticsearch itself sets when a disk is nearly full.
const FLOOD = "index.blocks.read_only_allow_delete";
const WRITE_BLOCKS = [FLOOD, "index.blocks.read_only", "index.blocks.write"];

export const indexChecks: Checks = {
  "Aliases of the search indices": async (patient) => {
    const live = await fetchLive(patient);
    const missing = live.filter(({ found }) => found.length === 0).map(({ definition }) => definition.name);
    const states = await patient.stores.elasticsearch.health.fetchIndices();
    const aliases = missing.map((name) => `${patient.config.INDEX_PREFIX}${name}`);
    const inTheWay = states.filter(({ name }) => aliases.includes(name)).map(({ name }) => name);
    if (inTheWay.length > 0) {
      return fail(
        `an index has the name that belongs to an alias: ${inTheWay.join(", ")}`,
        `if nobody needs it, DELETE ${inTheWay[0] ?? ""} in Elasticsearch; otherwise set another INDEX_PREFIX; ` +
          "then npm run cli -- prepare, and npm run cli -- verify --repair",
      );
    }
    if (missing.length > 0) {
      return fail(
        `missing: ${missing.join(", ")}`,
        "run npm run cli -- prepare; then npm run cli -- verify --repair fills them from MongoDB",
      );
    }
    const several = live.filter(({ found }) => found.length > 1);
    if (several.length === 0) return ok(live.map(({ found }) => found[0]?.name).join(", "));
    return fail(
      several.map(({ found }) => `two indices behind one alias: ${namesOf(found)}`).join("; "),
      "remove the alias from the older one with Elasticsearch's _aliases, then run npm run cli -- verify --repair",
    );
  },

  "Versions of the live indices": async (patient) => {
    const live = (await fetchLive(patient)).flatMap(({ definition, found }) =>
      found.map(({ name }) => ({ definition, name, version: versionOf(name) ?? 0 })),
    );
    const tell = ({ name, definition }: (typeof live)[number]) =>
      `${name}, this release has version ${definition.version}`;
    const commandFor = (some: typeof live) =>
      `${REINDEX} ${some.map(({ definition }) => definition.name).join(" ")}`;
    const newer = live.filter(({ definition, version }) => version > definition.version);
    if (newer.length > 0) {
      const hint = `start the release that built it, or ${commandFor(newer)} --back`;
      return fail(`newer than this release: ${newer.map(tell).join("; ")}`, hint);
    }
    const older = live.filter(({ definition, version }) => version < definition.version);
    if (older.length > 0) {
      return fail(`older than this release: ${older.map(tell).join("; ")}`, commandFor(older));
    }
    const found = live.map(({ definition, version }) => `${definition.name} ${version}`).join(", ");
    return ok(found || "there are none");
  },

  "Name rules of the live indices": async ({ stores }) => {
    const fault = await fetchRuleMismatch(stores.elasticsearch);
    return fault ? fail("of another release", fault) : ok("of this release");
  },

  "Mappings and settings of the live indices": async (patient) => {
    const live = (await fetchLive(patient)).flatMap(({ definition, found }) =>
      found.map((state) => ({ definition, state, places: findDifferences(state, definition) })),
    );
    const wrong = live.filter(({ places }) => places.length > 0);
    if (wrong.length === 0) return ok("of this release");
    const faults = wrong.map(({ state, places }) => {
      const more = places.length > SHOWN_PLACES ? ` and ${places.length - SHOWN_PLACES} more` : "";
      return `${state.name}: ${places.slice(0, SHOWN_PLACES).join(", ")}${more}`;
    });
    const names = new Set(wrong.map(({ definition }) => definition.name));
    const built = [...names].filter((name) => name !== wordsIndex.name);
    const hint =
      built.length > 0
        ? `${REINDEX} ${built.join(" ")}`
        : "DELETE it in Elasticsearch, then run npm run cli -- prepare, and npm run cli -- verify --repair to fill it";
    return fail(faults.join("; "), hint);
  },

  "Documents of the live indices": async ({ stores }) => {
    const unfilled = await fetchUnfilled(stores.elasticsearch);
    if (unfilled.length > 0) {
      const { found, repair } = describeUnfilled(unfilled);
      return fail(found, repair);
    }
    const empty = (await fetchEmpty(stores)).join(" ");
    if (empty !== "") return fail(`${empty}: none, although MongoDB has records`, `${REINDEX} ${empty}`);
    return ok("none is empty or newly created while MongoDB has records");
  },

  "Health of the live indices": async (patient) => {
    const found = await fetchFound(patient);
    const closed = found.filter(({ isOpen }) => !isOpen).map(({ name }) => name);
    if (closed.length > 0) {
      return fail(
        closed.map((name) => `${name} is closed`).join("; "),
        `${closed.map((name) => `POST ${name}/_open`).join("; ")} in Elasticsearch, then npm run cli -- verify --repair`,
      );
    }
    const red = found.filter(({ health }) => health === "red").map(({ name }) => name);
    if (red.length > 0) {
      return fail(
        red.map((name) => `${name} is red: a shard of it is not allocated`).join("; "),
        "GET _cluster/allocation/explain says why; start the node with its data again; " +
          `if the data is lost, ${REINDEX} builds the index again from MongoDB`,
      );
    }
    const thin = found.filter(({ health }) => health === "yellow");
    if (thin.length === 0) return ok(found.length > 0 ? "all green" : "there are none");
    return warn(
      `${namesOf(thin)}: replicas are not allocated`,
      // With auto_expand_replicas an index has no replica on one node, and one from the second node on.
      "GET _cluster/allocation/explain says why; free disk space on the nodes, or add a node",
    );
  },

  "Write blocks of the live indices": async (patient) => {
    const found = await fetchFound(patient);
    const blocked = found.flatMap(({ name, settings }) =>
      WRITE_BLOCKS.filter((block) => String(settings[block]) === "true").map((block) => ({ name, block })),
    );
    const [first] = blocked;
    if (!first) return ok("none");
    const isFlood = blocked.some(({ block }) => block === FLOOD);
    return fail(
      blocked.map(({ name, block }) => `${name}: ${block}`).join("; "),
      `${isFlood ? "its disk was nearly full: free some space; then " : ""}` +
        `PUT ${first.name}/_settings {"${first.block}": null}, then npm run cli -- verify --repair`,
    );
  },

  "Refresh of the live indices": async (patient) => {
    const paused = (await fetchFound(patient)).filter(
      ({ settings }) => settings["index.refresh_interval"] === "-1",
    );
    if (paused.length === 0) return ok("on");
    return fail(
      `${namesOf(paused)}: refresh is off`,
      `PUT ${paused[0]?.name}/_settings {"index.refresh_interval": null}`,
    );
  },

  "Unfinished reindexes": async ({ stores }) => {
    const standings = await Promise.all(indices.map((index) => fetchIndexSet({ stores, index })));
    const builds = standings.flatMap(({ build }) => build ?? []);
    if (builds.length === 0) return ok("none");
    const found = builds.map(({ _id, started_at }) => `${_id}, started ${started_at}`).join("; ");
    if ((await stores.redis.locks.list()).includes(REINDEX_LOCK)) return ok(`running: ${found}`);
    return warn(
      `interrupted: ${found}; the writes since then are kept for it`,
      "npm run cli -- reindex --resume continues it, --discard deletes it",
    );
  },
};

/** A definition, and the indices behind its alias: exactly one if all is well. */
interface Live {
  definition: Pick<IndexDefinition | IndexedWords, "name" | "version" | "mappings" | "settings">;
  found: IndexState[];
}

/** The indices behind all aliases. */
async function fetchFound(patient: CheckContext): Promise<IndexState[]> {
  return (await fetchLive(patient)).flatMap(({ found }) => found);
}

function namesOf(states: readonly IndexState[]): string {
  return states.map(({ name }) => name).join(", ");
}

async function fetchLive({ stores }: CheckContext): Promise<Live[]> {
  const states = await stores.elasticsearch.health.fetchIndices();
  return [...indices, wordsIndex].map((definition) => ({
    definition,
    found: states.filter(({ aliases }) => aliases.includes(definition.name)),
  }));
}

/**
 * Paths at which a live index differs from its definition: `properties.name.type`, `settings.gc_deletes`. `live` is
 * what Elasticsearch returns, with flat settings.
 */
function findDifferences(
  live: Pick<IndexState, "mappings" | "settings">,
  { mappings, settings }: Pick<IndexDefinition, "mappings" | "settings">,
): string[] {
  const [asked, stored] = [flatten(mappings), flatten(live.mappings)];
  const paths = [...new Set([...asked.keys(), ...stored.keys()])];
  const wrong = paths.filter((path) => asked.get(path) !== stored.get(path));
  const unlike = [...flatten(settings)].filter(
    ([path, value]) => String(live.settings[`index.${path}`]) !== value,
  );
  return [...wrong, ...unlike.map(([path]) => `settings.${path}`)];
}

/**
 * Each value by its path, as text, since Elasticsearch returns some numbers and booleans as text. It also omits the
 * type of an object field.
 */
function flatten(value: unknown, path = ""): Map<string, string> {
  if (typeof value !== "object" || value === null) return new Map([[path, String(value)]]);
  const isObjectField = "properties" in value;
  const entries = Object.entries(value).flatMap(([key, member]) => {
    // Other checks look at the metadata of an index.
    if (path === "" && key === "_meta") return [];
    if (isObjectField && key === "type" && member === "object") return [];
    return [...flatten(member, path ? `${path}.${key}` : key)];
  });
  return new Map(entries);
}
