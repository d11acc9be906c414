/** Addresses of requests: which are refused, what a proxy may change, and what the log shows. No store is called. */
import { afterAll, describe, expect, it } from "@jest/globals";
import type { IncomingMessage } from "node:http";
import { connect } from "node:net";
import { Writable } from "node:stream";
import { text } from "node:stream/consumers";
import { buildApp, type AppDependencies } from "../../../api/app.ts";
import { HttpServer } from "../../../api/http/server.ts";
import { createLogger } from "../../../api/shared/runtime/logger.ts";
import { readConfig } from "../../../api/shared/settings/config.ts";
import { waitUntil } from "../../support/wait-until.ts";

const servers: HttpServer[] = [];
afterAll(async () => void (await Promise.all(servers.map((server) => server.close(0)))));

interface Line {
  path?: string;
  status?: number;
}

async function openApi(settings: Record<string, string> = {}) {
  const lines: string[] = [];
  const hosts: (string | undefined)[] = [];
  const sink = new Writable({ write: (chunk, _encoding, done) => (lines.push(String(chunk)), done()) });
  // A request of OAuth also removes expired documents.
  const documents = { removeBefore: () => Promise.resolve() };
  const stores = { mongo: { documents }, redis: { counters: { add: () => Promise.resolve(1) } } };
  const app = buildApp({
    config: readConfig(settings),
    // The cast: these requests use nothing else of the stores.
    stores: stores as unknown as AppDependencies["stores"],
    log: createLogger("info", "api", sink),
    clock: () => new Date(),
  });
  const answer = app.callback();
  const server = new HttpServer((request: IncomingMessage, response) => {
    hosts.push(request.headers.host);
    void answer(request, response);
  }, 60_000);
  servers.push(server);
  const port = await server.listen(0, "127.0.0.1");
  /** Sends a request with exactly this target and these headers. */
  const send = async (target: string, fields: string[] = ["Host: here"]) => {
    const socket = connect(port, "127.0.0.1");
    socket.write([`GET ${target} HTTP/1.1`, ...fields, "Connection: close", "", ""].join("\r\n"), "latin1");
    const sent = await text(socket);
    const at = sent.indexOf("\r\n\r\n");
    return { status: Number(sent.slice(9, 12)), head: sent.slice(0, at), body: sent.slice(at + 4) };
  };
  /** The path of the request in the log. */
  const loggedPath = async (target: string): Promise<string | undefined> => {
    lines.splice(0);
    await send(target);
    await waitUntil(() => Promise.resolve(lines.join("").includes('"path"')), "the line of the request");
    return (JSON.parse(lines.find((line) => line.includes('"path"')) ?? "{}") as Line).path;
  };
  const issuer = async (...fields: string[]) => {
    const { status, body } = await send("/.well-known/oauth-authorization-server", fields);
    return status === 200 ? (JSON.parse(body) as { issuer: string }).issuer : status;
  };
  return { send, loggedPath, issuer, hosts };
}

const BAD_REQUEST = '{"errors":[{"error":"bad-request","type":"ch:service"}]}';

describe("a query", () => {
  const PATHS = ["/oauth/verify", "/oauth2/authorise", "/reconcile", "/enumerations", "/company/00000001"];

  it.each(PATHS)("of more than 200 parameters gets 400: %s", async (path) => {
    const { send } = await openApi();
    const [allowed, refused] = [
      await send(`${path}?${"a&".repeat(199)}a`),
      await send(`${path}?${"a&".repeat(200)}a`),
    ];
    expect(allowed.body).not.toContain("bad-request");
    expect(refused.status).toBe(400);
    expect(JSON.parse(refused.body)).toEqual(JSON.parse(BAD_REQUEST));
  });

  it("of more than 200 parameters is not parsed for the error page either", async () => {
    const { send } = await openApi({ PAGES: "open" });
    const { status, head, body } = await send(`/pages/search?${"q=quillory&".repeat(201)}`);
    expect([status, /^Content-Type: text\/html/m.test(head), body.includes("quillory")]).toEqual([
      400,
      true,
      false,
    ]);
  });
});

describe("the Host header", () => {
  it.each([
    ["two different ones", ["Host: here", "Host: there"]],
    ["one given twice", ["Host: here", "Host: here"]],
    ["markup", ['Host: evil"><script>']],
    ["a user", ["Host: user@here"]],
    ["a list", ["Host: here, there"]],
    ["a path", ["Host: here/there"]],
    ["a port that is not a number", ["Host: here:x"]],
    ["missing", []],
  ])("gets 400: %s", async (_what, fields) => {
    const { send } = await openApi();
    expect((await send("/healthz", fields)).status).toBe(400);
    expect((await send("http://here/healthz", fields)).status).toBe(400);
  });

  it.each(["here", "HERE.example:8080", "[::1]:80", "127.0.0.1", "register_api", "here.", ""])(
    "may be `%s`",
    async (host) => {
      const { send } = await openApi();
      expect((await send("/healthz", [`Host: ${host}`])).status).toBe(200);
    },
  );

  it("is replaced by the host of an absolute address", async () => {
    const { send, hosts, issuer } = await openApi();
    await send("http://stream.example:8080/healthz", ["Host: here"]);
    await send("/healthz#there", ["Host: here"]);
    expect(hosts).toEqual(["stream.example:8080", "here"]);
    expect(await issuer("Host: here")).toBe("http://here");
  });
});

describe("the X-Forwarded headers", () => {
  it("count only if the settings trust a proxy", async () => {
    const { issuer } = await openApi();
    const forwarded = ["X-Forwarded-Proto: https", "X-Forwarded-Host: there"];
    expect(await issuer("Host: here", ...forwarded)).toBe("http://here");
    const { issuer: behind } = await openApi({ TRUSTED_PROXIES: "1" });
    expect(await behind("Host: here", ...forwarded)).toBe("https://there");
  });

  it("with an unknown protocol are ignored, and with an invalid host get 400", async () => {
    const { issuer } = await openApi({ TRUSTED_PROXIES: "1" });
    expect(await issuer("Host: here", "X-Forwarded-Proto: javascript")).toBe("http://here");
    expect(await issuer("Host: here", 'X-Forwarded-Host: evil"><script>')).toBe(400);
  });
});

describe("the path in the log", () => {
  it.each([
    "/reconcile/key/KEY/nothing",
    "/reconcile/KEY/",
    "/reconcile/KEY",
    "/reconcile%2Fkey%2FKEY",
    "/reconcile%252Fkey%252FKEY",
    "/reconcile/%6bey/KEY",
    "/reconcile/./key/KEY",
    "/reconcile/%zz/KEY",
    "//reconcile//keys/KEY",
    "/Recon%63ile/key%2FKEY",
    "/proxied/reconcile/key/KEY",
    "/company/reconcile%2Fkey%2FKEY",
    "/reconcile/properties/key/KEY",
    "/%0a/reconcile/key/KEY",
  ])("leaves out a key below /reconcile: %s", async (target) => {
    const { loggedPath } = await openApi();
    const path = await loggedPath(target);
    expect(path).toMatch(/reconcile/i);
    expect(path).not.toContain("KEY");
  });

  it("is otherwise that of the request, without the key that a valid address contains", async () => {
    const { loggedPath } = await openApi();
    for (const path of ["/reconcile", "/company/00000001", "/reconciled/x", "/a%2Fb"])
      expect(await loggedPath(path)).toBe(path);
    expect(await loggedPath("/reconcile/key/KEY")).toBe("/reconcile");
  });
});
