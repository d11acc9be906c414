/** Starts the API that is measured in its own process, as in production, and asks it. */
import { join } from "node:path";
import { generateKey, storeKey } from "../../api/shared/access/api-keys.ts";
import { storeApplication } from "../../api/shared/access/applications.ts";
import { CommandError } from "../../api/shared/runtime/errors.ts";
import type { Config } from "../../api/shared/settings/config.ts";
import type { Stores } from "../../api/shared/stores/index.ts";
import type { PartContext } from "./define-part.ts";
import { openWireClient, type WireClient } from "./http-client.ts";
import { startProcess, waitForLog, type Started } from "./processes.ts";
import { makeTemporaryFolder } from "./register/generate.ts";

const START_MS = 30_000;

/** A running API, and how to call it. */
export interface RunningApi {
  process: Started;
  /** Sends the key with each request. */
  client: WireClient;
  base: string;
  /** Value of the Authorization header with the key. */
  authorization: string;
}

/**
 * Starts the API on any free port, and opens a client that sends a key. `limit`: most calls of the client's application
 * in five minutes.
 */
export async function startApi(
  context: PartContext,
  { config, stores }: { config: Config; stores: Stores },
  { limit = "none" }: { limit?: number | "none" } = {},
): Promise<RunningApi> {
  // Logs as in production, into a file: log lines are part of the cost of a request.
  const settings = { ...config, HOST: "127.0.0.1", PORT: 0, LOG_LEVEL: "info" };
  const logFile = join(makeTemporaryFolder(context), "api.log");
  const started = startProcess({ entry: "api/main.js", config: settings, logFile });
  context.onEnd("the API", started.stop);
  const [, port] = await waitForLog(started, /"port":(\d+),"msg":"listening"/, START_MS);
  const base = `http://127.0.0.1:${port}`;
  return {
    process: started,
    base,
    ...(await openClient(context, stores, { base, name: "bench", limit })),
  };
}

/** Makes an application with a key, and opens a client that sends the key. `limit`: most calls in five minutes. */
export async function openClient(
  context: PartContext,
  { mongo: { documents } }: Stores,
  { base, name, limit = "none" }: { base: string; name: string; limit?: number | "none" },
): Promise<Pick<RunningApi, "client" | "authorization">> {
  const key = generateKey();
  const application = await storeApplication(documents, { name, limit }, new Date());
  await storeKey(documents, key, { application: application._id, kind: "rest" }, new Date());
  const authorization = `Basic ${Buffer.from(`${key}:`).toString("base64")}`;
  const client = openWireClient(base, { authorization });
  context.onEnd(`the connections of the client "${name}"`, client.close);
  return { client, authorization };
}

/** Sends a request to the API; returns milliseconds. Throws CommandError for a status other than 200 or 404. */
export async function askApi(client: WireClient, path: string): Promise<number> {
  const { status, body, ms } = await client.send({ method: "GET", path, headers: {} });
  // 404: many companies have no record of some kind, and some searches answer so if they find nothing.
  if (status === 200 || status === 404) return ms;
  throw new CommandError(`the API answered ${status} to ${path}: ${body.toString().slice(0, 300)}`);
}
