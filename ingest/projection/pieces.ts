/**
 * Owns documents of more records than one batch writes, in a first load: each of their batches tells its piece in the change
 * log, and who has seen the last one makes the document of all pieces, instead of reading all of its records.
 */
import type { Stores } from "../../api/core/stores/index.ts";
import type { IndexWrite } from "../../api/core/stores/elasticsearch.ts";
import type { HeldRecord, StoredRecord } from "../../api/resources/define-record.ts";
import { isGone } from "../../api/core/gone.ts";
import { indexNameOf, type AliasedIndex, type GroupBounds } from "../../index-mappings/define-index.ts";
import { fetchPieces } from "../log/changes.ts";
import { fetchGroupIds } from "../persons/groups.ts";

/** What one batch knows of a document. */
export interface Piece {
  /** How many pieces there are. */
  of: number;
  /** By the names of what is counted. */
  counts: Record<string, number>;
  /** Of each record the values of its order, then its id, as one text that sorts like them: there may be 100,000. */
  places: string[];
}

const SEPARATOR = "\t";

/** The name by which the pieces of a document are found. */
export function pieceName(index: AliasedIndex["name"], load: string, document: string): string {
  return [indexNameOf(index), load, document].join("/");
}

/** The piece that these records are. */
export function toPiece({ order, counted }: GroupBounds, records: readonly HeldRecord[], of: number): Piece {
  const there = records.filter((item): item is StoredRecord => !isGone(item)) as (StoredRecord & Values)[];
  const countOf = (values: Values) =>
    there.filter((item) => Object.entries(values).every(([name, value]) => item[name] === value)).length;
  return {
    of,
    counts: Object.fromEntries(Object.entries(counted).map(([name, values]) => [name, countOf(values)])),
    places: there.map((item) => [...order.map((name) => sortKey(item[name])), item._id].join(SEPARATOR)),
  };
}

type Values = Record<string, unknown>;

/** As texts false comes before true. */
function sortKey(value: unknown): string {
  return typeof value === "boolean" ? String(Number(value)) : String(value);
}

/**
 * The documents of these names of which all pieces are there; `open` are those that have to be made of their records after
 * all, since the person is known by another id.
 */
export async function fetchPieced(
  { mongo, redis }: Stores,
  index: AliasedIndex & { bounds: GroupBounds },
  names: readonly string[],
): Promise<{ writes: IndexWrite[]; open: string[] }> {
  const outcome = { writes: [] as IndexWrite[], open: [] as string[] };
  for (const name of names) {
    const pieces = await fetchPieces(mongo.documents, name);
    if (pieces.length === 0 || pieces.length < (pieces[0]?.of ?? 0)) continue;
    const id = name.slice(name.lastIndexOf("/") + 1);
    // Drawn before anything is read: what is written later is projected again, under a higher one.
    const version = await redis.nextRevision();
    const held = (await fetchGroupIds(mongo, index, [id])).get(id) ?? [];
    if (held.length !== 1) outcome.open.push(id);
    else outcome.writes.push({ id, version, document: await makeDocument(mongo, index, pieces) });
  }
  return outcome;
}

async function makeDocument(
  { records }: Stores["mongo"],
  index: AliasedIndex & { bounds: GroupBounds },
  pieces: readonly Piece[],
): Promise<IndexWrite["document"]> {
  const places = pieces.flatMap((piece) => piece.places).sort();
  const first = places.slice(0, index.bounds.most).map((place) => place.split(SEPARATOR).at(-1) ?? "");
  const held = await records.fetchHeld(index.record, first);
  const counts: Record<string, number> = {};
  for (const piece of pieces)
    for (const [name, count] of Object.entries(piece.counts)) counts[name] = (counts[name] ?? 0) + count;
  return index.document(
    held.filter((item): item is StoredRecord => !isGone(item)),
    counts,
  );
}
