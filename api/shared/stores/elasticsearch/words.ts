/** The index of the register's words: filled as documents are written, searched for near spellings. */
import type { Client } from "@elastic/elasticsearch";
import type { Budget } from "../../runtime/deadlines.ts";
import { RefusedDocumentError } from "../../runtime/errors.ts";
import { formsOfWord, LEAST_LETTERS, MOST_FOUND, WORD_LETTERS } from "../../values/nearness.ts";
import { errorOf, guard, type EngineFault } from "./faults.ts";
import { TRY_ONCE_MORE } from "./search.ts";
import { writeDocuments } from "./writes.ts";

/** The index of words. */
export type Words = ReturnType<typeof openWords>;

// Limit: words that a process remembers as stored, in some 20 MB of memory. Others are sent again, without harm.
const KNOWN_WORDS = 200_000;

/** Opens the index of words behind an alias. */
export function openWords(client: Client, alias: string) {
  const known = new Set<string>();
  const add = async (texts: readonly string[]) => {
    const unknown = unknownWords(texts, known);
    if (unknown.length === 0) return;
    await writeWords(client, alias, unknown);
    // Forgets all: frequent words are known again a batch later.
    if (known.size + unknown.length > KNOWN_WORDS) known.clear();
    for (const word of unknown) known.add(word);
  };
  return {
    /** Adds the words of the texts that the index lacks. Throws RefusedDocumentError, which means a bug. */
    add: (texts: readonly string[]): Promise<void> => guard(() => add(texts)),
    /** True when the index has all words of the texts. */
    hasAll: (texts: readonly string[]): Promise<boolean> => guard(() => hasAll(client, alias, texts)),
    /** Forgets which words this process has added, because the index may have been lost. */
    forgetKnown: (): void => known.clear(),
    /** At most MOST_FOUND words that have one of these forms, in no order. */
    fetch: (forms: readonly string[], budget?: Budget): Promise<string[]> =>
      guard(() => fetchWords(client, alias, { forms, budget }), budget),
  };
}

/** Without `split`, because a row has some ten words, and nearly all of them are known. */
function unknownWords(texts: readonly string[], known: ReadonlySet<string>): string[] {
  const unknown = new Set<string>();
  for (const text of texts) {
    for (let start = 0; start < text.length;) {
      const space = text.indexOf(" ", start);
      const end = space === -1 ? text.length : space;
      const word = text.slice(start, end);
      start = end + 1;
      if (word.length >= LEAST_LETTERS && word.length <= WORD_LETTERS && !known.has(word)) unknown.add(word);
    }
  }
  return [...unknown];
}

async function writeWords(client: Client, alias: string, words: readonly string[]): Promise<void> {
  // Without a version, since a word's document never changes. The index could refuse one that a deleted word had.
  const writes = words.map((word) => ({ id: word, document: { word, forms: formsOfWord(word) } }));
  const refusals = await writeDocuments(client, { alias }, writes);
  const [first] = refusals;
  if (first) throw new RefusedDocumentError(alias, { count: refusals.length, ...first });
}

async function hasAll(client: Client, alias: string, texts: readonly string[]): Promise<boolean> {
  const ids = unknownWords(texts, new Set());
  if (ids.length === 0) return true;
  const { docs } = await client.mget({ index: alias, ids, _source: false });
  return docs.every((one) => {
    // For example when the alias is missing, which `verify --repair` does not create.
    if ("error" in one) throw errorOf(one.error as EngineFault);
    return one.found;
  });
}

async function fetchWords(
  client: Client,
  alias: string,
  { forms, budget }: { forms: readonly string[]; budget: Budget | undefined },
): Promise<string[]> {
  const request = {
    index: alias,
    query: { constant_score: { filter: { terms: { forms: [...forms] } } } },
    size: MOST_FOUND,
    track_total_hits: false,
    sort: ["_doc"],
    _source: false,
    stored_fields: "_none_",
    docvalue_fields: ["word"],
    filter_path: ["took", "hits.hits.fields"],
  };
  const how = { ...TRY_ONCE_MORE, ...(budget && { signal: budget.signal }) };
  // `filter_path` leaves an empty object when nothing was found.
  const { hits } = (await client.search(request, how)) as {
    hits?: { hits?: { fields?: { word?: string[] } }[] };
  };
  return (hits?.hits ?? []).flatMap(({ fields }) => fields?.word ?? []);
}
