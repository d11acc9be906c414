/** What a proxy, a browser or a spreadsheet in front of the API relies on. No store is asked. */
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { request } from "node:http";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { buildApp, type AppDependencies } from "../../../api/app.ts";
import { DeniedError, NotReadyError, UnavailableError } from "../../../api/shared/runtime/errors.ts";
import { createLogger } from "../../../api/shared/runtime/logger.ts";
import { readConfig } from "../../../api/shared/settings/config.ts";
import { listen, type Listening } from "../../support/serve.ts";

const state = { isEnding: false, fault: null as Error | null };
let server: Listening;
beforeAll(async () => {
  const ask = () => (state.fault ? Promise.reject(state.fault) : Promise.resolve());
  const stores = {
    mongo: { ping: ask },
    elasticsearch: {
      ping: ask,
      fetchLiveIndices: () => ask().then(() => []),
      fetchAliasedIndices: () => ask(),
    },
    redis: { counters: { add: () => Promise.resolve(1) } },
  } as unknown as AppDependencies["stores"];
  const app = buildApp({
    config: readConfig({}),
    stores,
    log: createLogger("silent", "api"),
    clock: () => new Date(),
    isEnding: () => state.isEnding,
  });
  server = await listen(app);
});
afterAll(() => server.close());

/** An answer as it was sent, not decompressed. */
function fetchBytes(path: string, headers: Record<string, string> = {}, method = "GET", body?: string) {
  return new Promise<{ status: number; headers: NodeJS.Dict<string | string[]>; bytes: Buffer }>(
    (resolve, reject) => {
      request(server.base + path, { headers, method }, (response) => {
        const chunks: Buffer[] = [];
        response.on("data", (chunk: Buffer) => chunks.push(chunk));
        response.on("end", () =>
          resolve({
            status: response.statusCode ?? 0,
            headers: response.headers,
            bytes: Buffer.concat(chunks),
          }),
        );
      })
        .once("error", reject)
        .end(body);
    },
  );
}

describe("pages that never change", () => {
  it.each([
    ["gzip", gunzipSync],
    ["br", brotliDecompressSync],
  ])("are sent as %s to clients that accept it, with an ETag of their own", async (coding, decompress) => {
    const plain = await fetchBytes("/openapi.json");
    const small = await fetchBytes("/openapi.json", { "Accept-Encoding": coding });
    expect(small.headers).toMatchObject({ "content-encoding": coding, vary: "Accept-Encoding" });
    expect(decompress(small.bytes).equals(plain.bytes)).toBe(true);
    expect(small.bytes.length * 4).toBeLessThan(plain.bytes.length);
    expect(small.headers.etag).not.toBe(plain.headers.etag);
    const again = { "Accept-Encoding": coding, "If-None-Match": String(small.headers.etag) };
    expect(await fetchBytes("/openapi.json", again)).toMatchObject({ status: 304, bytes: Buffer.alloc(0) });
  });
});

it("every answer forbids clients to guess another type than it states", async () => {
  for (const path of ["/healthz", "/docs", "/openapi.json", "/nothing", "/company/%E0%A4%A"])
    expect((await fetchBytes(path)).headers).toMatchObject({ "x-content-type-options": "nosniff" });
});

describe("an address", () => {
  it("whose path is escaped as a whole does not reach the route of that path", async () => {
    for (const path of ["/%2Freadyz%3F=", "/%2Fhealthz%3F=&x=1", "/%2Fcompany%2F00000001%3F="])
      expect((await fetchBytes(path)).status).toBe(401);
  });

  it("with an invalid escape gets 400", async () => {
    for (const path of ["/company/%E0%A4%A", "/%2Fadvanced-search%2Fcompanies%E0%A4%A%3F=", "/%"])
      expect((await fetchBytes(path)).status).toBe(400);
  });
});

it.each([
  ["POST", "/healthz", "HEAD, GET"],
  ["DELETE", "/openapi.json", "HEAD, GET"],
  ["PROPFIND", "/docs", "HEAD, GET"],
  ["GET", "/oauth2/token", "POST"],
  ["GET", "/oauth/revoke", "POST"],
  ["PUT", "/oauth2/applications", "HEAD, GET, POST"],
  ["POST", "/oauth/verify", "HEAD, GET"],
  ["PUT", "/oauth2/authorise", "HEAD, GET, POST"],
])("%s of %s, which needs no key, gets 405", async (method, path, allow) => {
  const authorization = `Basic ${Buffer.from("client:secret").toString("base64")}`;
  const { status, headers, bytes } = await fetchBytes(path, { authorization }, method);
  expect([status, headers.allow]).toEqual([405, allow]);
  expect(JSON.parse(bytes.toString())).toEqual({
    errors: [{ type: "ch:service", error: "invalid-http-method" }],
  });
});

describe("a body", () => {
  const JSON_TYPE = { "Content-Type": "application/json" };

  it("of a GET is not read, so it cannot be invalid or too large", async () => {
    for (const body of ["null", "{", "x".repeat(200_000)]) {
      const headers = { ...JSON_TYPE, "Content-Length": String(body.length) };
      expect((await fetchBytes("/company/00000001", headers, "GET", body)).status).toBe(401);
    }
  });

  it.each(["gzip", "deflate", "br"])(
    "that is not encoded as its header says gets 400: %s",
    async (coding) => {
      const headers = { ...JSON_TYPE, "Content-Encoding": coding };
      const { status, bytes } = await fetchBytes("/reconcile", headers, "POST", "hello");
      expect([status, JSON.parse(bytes.toString())]).toEqual([
        400,
        { errors: [{ type: "ch:service", error: "bad-request" }] },
      ]);
    },
  );

  it("in an unknown encoding gets 415, and one that is too large 413", async () => {
    const unknown = { ...JSON_TYPE, "Content-Encoding": "zip" };
    expect((await fetchBytes("/reconcile", unknown, "POST", "{}")).status).toBe(415);
    expect((await fetchBytes("/reconcile", JSON_TYPE, "POST", " ".repeat(200_000))).status).toBe(413);
  });
});

describe("readiness", () => {
  it("names the store at fault, but shows neither its error message nor its address", async () => {
    for (const [fault, sentence] of [
      [new UnavailableError("mongodb", new Error("connect ECONNREFUSED 10.0.0.7:27017")), "is not available"],
      [
        new DeniedError("mongodb", new Error("user register of 10.0.0.7 is not authorized")),
        "refuses access",
      ],
      [new NotReadyError("elasticsearch", "its indices have not been created"), "have not been created"],
    ] as const) {
      state.fault = fault;
      const { status, bytes } = await fetchBytes("/readyz");
      expect(status).toBe(503);
      expect(bytes.toString()).toContain(sentence);
      expect(bytes.toString()).not.toContain("10.0.0.7");
    }
    state.fault = null;
  });

  it("is 503 once the process is ending", async () => {
    state.isEnding = true;
    const { status, bytes } = await fetchBytes("/readyz");
    state.isEnding = false;
    expect([status, bytes.toString()]).toEqual([503, expect.stringContaining("is ending")]);
    expect((await fetchBytes("/healthz")).status).toBe(200);
  });
});
