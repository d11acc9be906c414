/** A stand-in for Elasticsearch that counts documents and drops them; it stores only the definitions of indices. */
import { createServer, type IncomingMessage, type Server } from "node:http";

const LF = 0x0a;
const INDEX_ACTION = Buffer.from('{"index"');
const ID = Buffer.from('"_id":"');
const QUOTE = 0x22;

/** The definition with which an index was created. */
interface MadeIndex {
  aliases: Record<string, unknown>;
  mappings: Record<string, unknown>;
}

interface Received {
  /** Indices by name. */
  indices: Map<string, MadeIndex>;
  /** Ids of documents, by alias. */
  ids: Map<string, Set<string>>;
}

/** The server, not listening yet, and a function that counts the different documents received, by alias. */
export function createCountingElasticsearch(): { server: Server; count: () => Record<string, number> } {
  const received: Received = { indices: new Map(), ids: new Map() };
  const server = createServer((request, response) => {
    void readBody(request).then((body) => {
      const answer = answerTo(request, body, received);
      response.writeHead(answer === null ? 404 : 200, {
        "content-type": "application/vnd.elasticsearch+json;compatible-with=9",
        // Elasticsearch's client refuses a server without this header.
        "x-elastic-product": "Elasticsearch",
      });
      response.end(request.method === "HEAD" ? undefined : JSON.stringify(answer ?? {}));
    });
  });
  const count = () => Object.fromEntries(Array.from(received.ids, ([alias, ids]) => [alias, ids.size]));
  return { server, count };
}

async function readBody(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

/** The body of the answer; null for 404. */
function answerTo(
  { method = "", url = "" }: IncomingMessage,
  body: Buffer,
  received: Received,
): object | null {
  const [path = ""] = url.split("?");
  const [first = "", second = ""] = path.slice(1).split("/").map(decodeURIComponent);
  if (path === "/") return { version: { number: "9.4.0" }, tagline: "You Know, for Search" };
  if (second === "_bulk") {
    const ids = received.ids.get(first) ?? new Set();
    received.ids.set(first, ids);
    addIds(body, ids);
    return { took: 0, errors: false, items: [] };
  }
  if (first === "_alias") return findIndices(received, second).length > 0 ? {} : null;
  if (method === "PUT" && second === "") {
    // The cast: our store always sends both members.
    received.indices.set(first, JSON.parse(body.toString()) as MadeIndex);
    return { acknowledged: true, index: first };
  }
  if (method === "GET" && second === "") return Object.fromEntries(findIndices(received, first));
  if (method === "DELETE") for (const [name] of findIndices(received, first)) received.indices.delete(name);
  return { acknowledged: true, task: "none:1", hits: { hits: [] } };
}

/** The indices that match a comma-separated list of names, aliases, or prefixes with a star. */
function findIndices({ indices }: Received, names: string): [string, MadeIndex][] {
  const asked = names.split(",");
  return [...indices].filter(([name, { aliases }]) =>
    asked.some((one) =>
      one.endsWith("*") ? name.startsWith(one.slice(0, -1)) : one === name || one in aliases,
    ),
  );
}

/**
 * Adds the ids of the documents in a bulk write. A removal has only one line; it counts as a document, too. The worker
 * makes an officer's document from the appointments in MongoDB, and the counting MongoDB has none, so it sends a
 * removal.
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
