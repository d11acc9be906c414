/** Owns the life of Elasticsearch's indices: made with their alias, looked at, paused, deleted. */
import { errors, type Client } from "@elastic/elasticsearch";
import type { IndexDefinition, IndexedWords, NeededIndex } from "../../definitions/define-index.ts";
import { typeOf } from "./faults.ts";
import { nameIndex } from "./names.ts";

/** An index that is there, and what its mappings record of how it was built. */
export interface LiveIndex {
  /** Its own name, with version and time. */
  name: string;
  /** The mappings' `_meta`; empty when there is none. */
  meta: Record<string, unknown>;
}

// One try more, at once: it answers where a kept connection had gone stale, and costs nothing where the engine is unavailable.
const AT_ONCE = { maxRetries: 1, retryBackoff: () => 0 };

/** Creates the index and its alias when there is none; the new name, or null when one was there. */
export async function createIndex(
  client: Client,
  alias: string,
  definition: Pick<IndexDefinition | IndexedWords, "version" | "mappings" | "settings">,
  moment: Date,
): Promise<string | null> {
  if (await client.indices.existsAlias({ name: alias })) return null;
  const name = nameIndex(alias, definition.version, moment, []);
  try {
    await client.indices.create({
      index: name,
      mappings: definition.mappings,
      settings: definition.settings,
      // The engine grants an alias one write index: of two processes that create at once, it refuses the later one.
      aliases: { [alias]: { is_write_index: true } },
    });
    return name;
  } catch (error) {
    if (isCreationRefused(error) && (await client.indices.existsAlias({ name: alias }))) return null;
    throw error;
  }
}

// The name is taken (clocks in the same minute), or the alias has its write index (clocks in different ones).
const CREATION_REFUSALS = ["resource_already_exists_exception", "illegal_state_exception"];

function isCreationRefused(error: unknown): boolean {
  return error instanceof errors.ResponseError && CREATION_REFUSALS.includes(typeOf(error));
}

/**
 * What these aliases (named without the prefix) lead to; one that does not exist leads to nothing. `isOpen`: false once
 * somebody has closed the index, which is then neither searched nor written.
 */
export async function fetchReached(
  client: Client,
  indices: readonly NeededIndex[],
  alias: (name: string) => string,
) {
  const request = {
    index: indices.map(alias),
    features: ["aliases" as const, "settings" as const],
    ignore_unavailable: true,
    // The engine gives this setting to an index as it is closed, and takes it back as it is opened.
    filter_path: ["*.aliases", "*.settings.index.verified_before_close"],
  };
  const found = await client.indices.get(request, AT_ONCE);
  return Object.entries(found).flatMap(([name, { aliases = {}, settings }]) =>
    indices
      .filter((index) => alias(index) in aliases)
      .map((index) => ({ alias: index, name, isOpen: settings === undefined })),
  );
}

/** The indices behind these names, with what their mappings record. */
export async function fetchLiveIndices(client: Client, names: string[]): Promise<LiveIndex[]> {
  const request = {
    index: names,
    features: ["aliases" as const, "mappings" as const],
    ignore_unavailable: true,
    // The aliases are asked for as well: an index without `_meta` would be left out of the answer.
    filter_path: ["*.aliases", "*.mappings._meta"],
  };
  const found = await client.indices.get(request, AT_ONCE);
  return Object.entries(found).map(([name, { mappings }]) => ({ name, meta: mappings?._meta ?? {} }));
}

/** Deletes every index behind the prefix. */
export async function deleteIndices(client: Client, prefix: string): Promise<void> {
  const names = Object.keys(await client.indices.get({ index: `${prefix}*` }));
  for (const name of names) await client.indices.delete({ index: name });
}
