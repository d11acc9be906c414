/** Owns an Elasticsearch that counts the documents it is sent and drops them; of indices it remembers what made them. */
import { createServer, type IncomingMessage, type Server } from "node:http";

const LF = 0x0a;
const INDEX_ACTION = Buffer.from('{"index"');
const ID = Buffer.from('"_id":"');
const QUOTE = 0x22;

/** An index as it was created. */
interface MadeIndex {
  aliases: Record<string, unknown>;
  mappings: Record<string, unknown>;
}

interface Held {
  /** By the index's own name. */
  indices: Map<string, MadeIndex>;
  /** Ids of documents, by alias. */
  ids: Map<string, Set<string>>;
}

/** The server, not listening yet, and how many different documents it has been sent, by alias. */
export function createCountingElasticsearch(): { server: Server; count: () => Record<string, number> } {
  const stored: Held = { indices: new Map(), ids: new Map() };
  const server = createServer((request, response) => {
    void readBody(request).then((body) => {
      const answer = answerTo(request, body, stored);
      response.writeHead(answer === null ? 404 : 200, {
        "content-type": "application/vnd.elasticsearch+json;compatible-with=9",
        // The client talks to nobody else.
        "x-elastic-product": "Elasticsearch",
      });
      response.end(request.method === "HEAD" ? undefined : JSON.stringify(answer ?? {}));
    });
  });
  const count = () => Object.fromEntries(Array.from(stored.ids, ([alias, ids]) => [alias, ids.size]));
  return { server, count };
}

async function readBody(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

/** Null where the thing asked for is not there. */
function answerTo({ method = "", url = "" }: IncomingMessage, body: Buffer, stored: Held): object | null {
  const [path = ""] = url.split("?");
  const [first = "", second = ""] = path.slice(1).split("/").map(decodeURIComponent);
  if (path === "/") return { version: { number: "9.4.0" }, tagline: "You Know, for Search" };
  if (second === "_bulk") {
    const ids = stored.ids.get(first) ?? new Set();
    stored.ids.set(first, ids);
    addIds(body, ids);
    return { took: 0, errors: false, items: [] };
  }
  if (first === "_alias") return findIndices(stored, second).length > 0 ? {} : null;
  if (method === "PUT" && second === "") {
    // The cast: the store gives all members.
    stored.indices.set(first, JSON.parse(body.toString()) as MadeIndex);
    return { acknowledged: true, index: first };
  }
  if (method === "GET" && second === "") return Object.fromEntries(findIndices(stored, first));
  if (method === "DELETE") for (const [name] of findIndices(stored, first)) stored.indices.delete(name);
  return { acknowledged: true, task: "none:1", hits: { hits: [] } };
}

/** Indices that a list of names or aliases, or a prefix with a star, leads to. */
function findIndices({ indices }: Held, names: string): [string, MadeIndex][] {
  const asked = names.split(",");
  return [...indices].filter(([name, { aliases }]) =>
    asked.some((one) =>
      one.endsWith("*") ? name.startsWith(one.slice(0, -1)) : one === name || one in aliases,
    ),
  );
}

/**
 * Adds the ids of the documents in the lines of a bulk write; a removal has no line of its own for a document. It counts, too:
 * the document of an officer with several appointments is made from what MongoDB has, and the one that counts has nothing.
 */
function addIds(body: Buffer, ids: Set<string>): void {
  for (let start = 0; start < body.length;) {
    const end = body.indexOf(LF, start);
    const isIndex = body.subarray(start, start + INDEX_ACTION.length).equals(INDEX_ACTION);
    const idStart = body.indexOf(ID, start) + ID.length;
    const id = body.toString("utf8", idStart, body.indexOf(QUOTE, idStart));
    ids.add(id);
    start = (isIndex ? body.indexOf(LF, end + 1) : end) + 1;
  }
}
