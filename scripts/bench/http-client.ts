/** A minimal HTTP client for measurements: it keeps connections open, parses nothing, and times until the last byte. */
import http from "node:http";
import https from "node:https";

/** A request as it goes over the wire. */
export interface WireRequest {
  method: string;
  /** With the query string. */
  path: string;
  headers: http.OutgoingHttpHeaders;
  body?: Buffer;
}

/** An answer, and how long it took from the call to its last byte. */
export interface WireAnswer {
  status: number;
  headers: http.IncomingHttpHeaders;
  body: Buffer;
  /** In milliseconds. */
  ms: number;
}

/** Sends requests to one address over keep-alive connections. */
export interface WireClient {
  /** Throws if no answer comes. An answer may have any status. */
  send: (request: WireRequest) => Promise<WireAnswer>;
  close: () => void;
}

/** Opens a client; it connects with its first request. User and password of the address are sent with each request. */
export function openWireClient(address: string, headers: http.OutgoingHttpHeaders = {}): WireClient {
  const url = new URL(address);
  const { request: begin, Agent } = url.protocol === "https:" ? https : http;
  const agent = new Agent({ keepAlive: true });
  const user = [url.username, url.password].map(decodeURIComponent).join(":");
  const target = {
    agent,
    hostname: url.hostname.replace(/^\[|\]$/g, ""),
    ...(url.port && { port: url.port }),
    ...(url.username && { auth: user }),
  };
  const folder = url.pathname.replace(/\/$/, "");
  const send = (given: WireRequest) =>
    new Promise<WireAnswer>((resolve, reject) => {
      const { method, path, body } = given;
      const options = { ...target, method, path: folder + path, headers: { ...headers, ...given.headers } };
      const startedAt = performance.now();
      const request = begin(options, (response) => {
        const chunks: Buffer[] = [];
        response.on("data", (chunk: Buffer) => chunks.push(chunk));
        response.on("error", reject);
        response.on("end", () => {
          const ms = performance.now() - startedAt;
          const { statusCode: status = 0, headers } = response;
          resolve({ status, headers, body: Buffer.concat(chunks), ms });
        });
      });
      request.on("error", reject);
      request.end(body);
    });
  return { send, close: () => agent.destroy() };
}
