/** Bulk writes of documents through an alias, each with a version that orders the writes of its id. */
import { setTimeout as sleep } from "node:timers/promises";
import type { Client } from "@elastic/elasticsearch";
import type { SearchDocument } from "../../definitions/define-index.ts";
import { BuildGoneError, UnavailableError } from "../../runtime/errors.ts";
import { PASSING_STATUS, PASSING_TYPES } from "./faults.ts";

/** A document to write into an index, or to remove from it. */
export interface IndexWrite {
  id: string;
  /** Orders the writes of one id: a lower version never replaces a higher one. */
  version: number;
  /** The document, or its JSON; null removes it. */
  document: SearchDocument | string | null;
  /** Texts whose words also go into the index of words, so that misspelt queries find the document. */
  texts?: readonly string[];
}

/** A document that is written only if its id is new. */
type NewDocument = Omit<IndexWrite, "version"> & { version?: undefined };

/** A document that the engine refused for good, with its reason. */
export interface IndexRefusal {
  id: string;
  reason: string;
}

export interface WriteOptions {
  /** True: a stored document of the same version is not written again. */
  isNewerOnly?: boolean;
}

interface WriteTarget extends WriteOptions {
  alias: string;
  /** True: without the alias the write throws a BuildGoneError at once, instead of retrying. */
  mayBeGone?: boolean;
}

const WRITE_ATTEMPTS = 5;

/** Writes documents. Retries items that failed temporarily, and returns those that were refused for good. */
export async function writeDocuments(
  client: Client,
  target: WriteTarget,
  writes: (IndexWrite | NewDocument)[],
): Promise<IndexRefusal[]> {
  const refusals: IndexRefusal[] = [];
  let pending = writes;
  for (let attempt = 1; pending.length > 0; attempt += 1) {
    const { failed, refused, reason } = await writeOnce(client, target, pending);
    for (const refusal of refused) refusals.push(refusal);
    if (failed.length > 0 && attempt === WRITE_ATTEMPTS) throw new UnavailableError("elasticsearch", reason);
    if (failed.length > 0) await pause(attempt);
    pending = failed;
  }
  return refusals;
}

async function writeOnce(client: Client, target: WriteTarget, writes: (IndexWrite | NewDocument)[]) {
  const version_type = target.isNewerOnly ? ("external" as const) : ("external_gte" as const);
  const response = await client.bulk<SearchDocument | string>({
    index: target.alias,
    require_alias: true,
    operations: writes.flatMap(({ id, version, document }) => {
      if (document && version === undefined) return [{ create: { _id: id } }, document];
      const action = { _id: id, version, version_type };
      return document ? [{ index: action }, document] : [{ delete: action }];
    }),
  });
  const failed: typeof writes = [];
  const refused: IndexRefusal[] = [];
  let reason = "";
  if (!response.errors) return { failed, refused, reason };
  response.items.forEach((item, position) => {
    const { status = 500, error } = item.index ?? item.delete ?? item.create ?? {};
    const write = writes[position];
    // 409: a newer write came first, which is fine. 404 without an error: already removed.
    if (!write || status < 300 || status === 409 || (status === 404 && !error)) return;
    if (target.mayBeGone && error?.type === "index_not_found_exception")
      throw new BuildGoneError(target.alias);
    reason = error?.reason ?? `status ${status}`;
    if (PASSING_STATUS.has(status) || PASSING_TYPES.has(error?.type ?? "")) failed.push(write);
    else refused.push({ id: write.id, reason });
  });
  return { failed, refused, reason };
}

/** Growing and jittered, so that several workers do not retry at the same moment. */
async function pause(attempt: number): Promise<void> {
  const milliseconds = 100 * 2 ** attempt * (0.5 + Math.random());
  await sleep(milliseconds);
}
