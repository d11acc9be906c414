/** Serves the event streams of a register for tests, and reads events from a connection. */
import { fetchKeysByHash } from "../../api/shared/access/api-keys.ts";
import { hashSecret } from "../../api/shared/access/secrets.ts";
import { createLogger } from "../../api/shared/runtime/logger.ts";
import { fetchBounds } from "../../api/shared/stores/collections/events.ts";
import { buildStreams, type StreamServer, type StreamsDependencies } from "../../api/streams/app.ts";
import { addTestKey } from "./keys.ts";
import { basic, type TestRegister } from "./register.ts";
import { serve } from "./serve.ts";

export const STREAM_KEY = "stream-key-of-this-run";

const LOOK_MS = 50;
// How long surplus events are waited for: many polls of the server.
const SURPLUS_MS = 2_500;
const LATEST_MS = 30_000;

/** An event as it is sent. */
export interface SentEvent {
  resource_kind: string;
  resource_uri: string;
  resource_id: string;
  data: Record<string, unknown>;
  event: { timepoint: number; published_at: string; type: "changed" | "deleted" };
}

export interface TestStreams extends StreamServer {
  base: string;
  /** Requests a stream; returns the answer, of which nothing has been read. */
  open: (path: string, signal?: AbortSignal) => Promise<Response>;
  /** Reads `count` events, then waits for surplus ones: for many polls of the server, or two heartbeats. */
  read: (path: string, count: number) => Promise<SentEvent[]>;
  /** The timepoint of the next event. */
  timepointNow: () => Promise<number>;
  close: () => Promise<void>;
}

/** Serves the streams of a register, with one key; by default on any free port. */
export async function openStreams(
  { config, stores }: TestRegister,
  changes: Partial<StreamsDependencies> = {},
  port = 0,
): Promise<TestStreams> {
  const { documents } = stores.mongo;
  if (!(await fetchKeysByHash(documents, [hashSecret(STREAM_KEY)])).size)
    await addTestKey(documents, STREAM_KEY, { name: "readers", kind: "stream" });
  const server = buildStreams({
    config,
    stores,
    log: createLogger("silent", "api"),
    clock: () => new Date(),
    lookMs: LOOK_MS,
    ...changes,
  });
  const answer = server.app.callback();
  const { base, close } = await serve((request, response) => void answer(request, response), port);
  const open = (path: string, signal?: AbortSignal) =>
    fetch(base + path, { headers: basic(STREAM_KEY), ...(signal && { signal }) });
  return {
    ...server,
    base,
    open,
    read: async (path, count) => {
      const reading = new AbortController();
      const { body, status } = await open(path, reading.signal);
      if (status !== 200) throw new Error(`${path} is answered with ${status}`);
      const lines: string[] = [];
      let beats = 0;
      let rest = "";
      const endIn = (ms: number) => setTimeout(() => reading.abort(), ms);
      let timer = endIn(count === 0 ? SURPLUS_MS : LATEST_MS);
      try {
        for await (const chunk of body?.pipeThrough(new TextDecoderStream()) ?? []) {
          const parts = (rest + chunk).split("\n");
          rest = parts.pop() ?? "";
          const before = lines.length;
          for (const line of parts) {
            beats = line === "" ? beats + 1 : 0;
            if (line !== "") lines.push(line);
          }
          if (lines.length < count) continue;
          // Between two heartbeats the server has looked for events at least once.
          if (beats >= 2) break;
          if (lines.length === before) continue;
          clearTimeout(timer);
          timer = endIn(SURPLUS_MS);
        }
      } catch (error) {
        if (!reading.signal.aborted) throw error;
      } finally {
        clearTimeout(timer);
      }
      return lines.map((line) => JSON.parse(line) as SentEvent);
    },
    timepointNow: async () => (await fetchBounds(documents)).next,
    close: async () => {
      server.end();
      await close();
    },
  };
}
