/** Differences planted in an index by hand: `verify` names and repairs each. */
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import type { IndexName } from "../../api/shared/definitions/define-index.ts";
import type { TestRegister } from "../support/register.ts";
import { fetchFirstIds, openFilled, verify } from "../support/verify.ts";

const NAMES = ["companies", "officers", "disqualified-officers", "persons-with-significant-control"] as const;

type Run = Awaited<ReturnType<typeof verify>>;

/** What was planted in an index, and what one run of the command after another reported. */
interface Seen {
  planted: { id: string; kind: string; what?: string }[];
  found: Run;
  dry: Run;
  mended: Run;
  after: Run;
}

const seen = new Map<string, Seen>();
let register: TestRegister;
beforeAll(async () => {
  register = await openFilled();
  // All at once, since the runs mostly wait for batches that may be running.
  await Promise.all(NAMES.map(async (name) => seen.set(name, await plantAndVerify(name))));
});
afterAll(() => register.close());

/** Changes an index directly, not through the service: Elasticsearch then increments versions itself. */
async function tamper(method: string, name: IndexName, path: string, body?: object): Promise<void> {
  const { ELASTICSEARCH_URL, INDEX_PREFIX } = register.config;
  const response = await fetch(`${ELASTICSEARCH_URL}/${INDEX_PREFIX}${name}/${path}`, {
    method,
    headers: { "content-type": "application/json" },
    ...(body && { body: JSON.stringify(body) }),
  });
  if (!response.ok) throw new Error(`${method} ${path}: ${await response.text()}`);
}

async function plant(name: IndexName): Promise<Seen["planted"]> {
  const [deleted = "", altered = "", ahead = "", another = ""] = await fetchFirstIds(register, name, 4);
  expect(another).not.toBe("");
  const { elasticsearch } = register.stores;
  const [stored] = await elasticsearch.fetchDocuments(name, [ahead]);
  await tamper("DELETE", name, `_doc/${deleted}`);
  await tamper("POST", name, `_update/${altered}`, { doc: { words: 77 } });
  const future = Date.now() * 1000 + 3_600_000_000;
  await elasticsearch.write(name, [{ id: ahead, version: future, document: stored?.source ?? {} }]);
  await tamper("PUT", name, `_doc/planted-1`, { words: 1 });
  await elasticsearch.write(name, [{ id: "planted-2", version: future, document: {} }]);
  return [
    { id: deleted, kind: "missing" },
    { id: altered, kind: "different", what: "content" },
    { id: ahead, kind: "different", what: "version" },
    { id: "planted-1", kind: "extra" },
    { id: "planted-2", kind: "extra" },
  ];
}

async function plantAndVerify(index: IndexName): Promise<Seen> {
  const planted = await plant(index);
  const found = await verify(register, { index });
  const dry = await verify(register, { index, repair: "true", dryRun: "true" });
  const mended = await verify(register, { index, repair: "true" });
  return { planted, found, dry, mended, after: await verify(register, { index }) };
}

describe.each(NAMES)("differences planted in %s", (name) => {
  it("are named by kind, and left alone until --repair repairs them", () => {
    const { planted, found, dry, mended, after } = seen.get(name) ?? ({} as Partial<Seen>);
    expect(found?.exitCode).toBe(2);
    expect(found?.report.indices[0]).toMatchObject({ missing: 1, extra: 2, different: 2 });
    const named = found?.report.indices.flatMap((one) => one.named) ?? [];
    expect(named.toSorted(byId)).toEqual(planted?.toSorted(byId));
    expect(dry?.exitCode).toBe(2);
    expect(mended?.exitCode).toBe(0);
    expect(mended?.report.indices[0]).toMatchObject({
      missing: 0,
      extra: 0,
      different: 0,
      repaired: { missing: 1, extra: 2, different: 2 },
    });
    expect(after?.exitCode).toBe(0);
  });
});

function byId(a: { id: string }, b: { id: string }): number {
  return a.id < b.id ? -1 : 1;
}
