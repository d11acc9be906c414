/** A proxy in front of Elasticsearch that answers some requests with errors, as if Elasticsearch refused them. */
import { request as send } from "node:http";
import { serve } from "../serve.ts";

/** The requests to refuse, matched by method and path, and the error to answer with. */
export interface Refusal {
  of: RegExp;
  status: number;
  error: { type: string; reason: string };
}

export interface RefusingEngine {
  address: string;
  /** Sets what it refuses from now on; null for nothing. */
  refuse: (refusal: Refusal | null) => void;
  /** Method and path of all requests so far. */
  asked: string[];
  close: () => Promise<void>;
}

/** Opens the proxy on a free port in front of this address. It refuses nothing yet. */
export async function openRefusingEngine(address: string): Promise<RefusingEngine> {
  let refusal: Refusal | null = null;
  const asked: string[] = [];
  const server = await serve((request, response) => {
    const { method = "", url = "", headers } = request;
    asked.push(`${method} ${url}`);
    if (refusal?.of.test(`${method} ${url}`)) {
      const { status, error } = refusal;
      const type = { "content-type": "application/json", "x-elastic-product": "Elasticsearch" };
      response.writeHead(status, type).end(JSON.stringify({ error, status }));
      return;
    }
    const forwarded = send(new URL(url, address), { method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    forwarded.on("error", () => response.destroy());
    request.pipe(forwarded);
  });
  return { address: server.base, refuse: (next) => (refusal = next), asked, close: server.close };
}
