/**
 * Readers of the event streams that run beside loads. Each cuts its connection many times and reads on. Tests compare
 * what a reader has seen with the register in the end.
 */
import { randomBytes } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { createLogger } from "../../../api/shared/runtime/logger.ts";
import { readConfig } from "../../../api/shared/settings/config.ts";
import { contentHash } from "../../../api/shared/values/identifiers.ts";
import { fetchBounds } from "../../../api/shared/stores/collections/events.ts";
import type { Stores } from "../../../api/shared/stores/index.ts";
import { buildStreams } from "../../../api/streams/app.ts";
import { streams } from "../../../api/streams/streams.ts";
import { addTestKey } from "../keys.ts";
import { basic } from "../register.ts";
import { serve } from "../serve.ts";
import type { SentEvent } from "../streams.ts";

// Enough for several polls by the followers and by the server.
const QUIET_MS = 8_000;

/** What a reader has seen of one record. */
interface Seen {
  type: SentEvent["event"]["type"];
  /** Hash of the resource. */
  hash: string;
  /** Number of its events. */
  count: number;
}

/** A reader of one stream that cuts its connection again and again. */
export class CutReader {
  readonly seen = new Map<string, Seen>();
  /** Events whose timepoint was not higher than that of the event before. */
  outOfOrder = 0;
  cuts = 0;
  private next: number;
  private isOver = false;
  private readonly ended: Promise<void>;

  /** Cuts the connection after `eventsAtOnce` events. */
  constructor(
    private readonly address: string,
    private readonly key: string,
    from: number,
    private readonly eventsAtOnce: number,
  ) {
    this.next = from;
    this.ended = this.run();
  }

  /** Reads on until no event has come for some seconds. */
  async finish(): Promise<void> {
    for (let before = -1; before !== this.next;) {
      before = this.next;
      await sleep(QUIET_MS);
    }
    this.isOver = true;
    await this.ended;
  }

  private async run(): Promise<void> {
    while (!this.isOver) {
      await this.readSome().catch(() => undefined);
      this.cuts += 1;
    }
  }

  private async readSome(): Promise<void> {
    const cut = new AbortController();
    const timer = setInterval(() => this.isOver && cut.abort(), 100);
    let left = this.eventsAtOnce;
    let rest = "";
    try {
      const answer = await fetch(`${this.address}?timepoint=${this.next}`, {
        headers: basic(this.key),
        signal: cut.signal,
      });
      for await (const chunk of answer.body?.pipeThrough(new TextDecoderStream()) ?? []) {
        const lines = (rest + chunk).split("\n");
        rest = lines.pop() ?? "";
        for (const line of lines) if (line !== "" && left-- > 0) this.note(JSON.parse(line) as SentEvent);
        if (left <= 0) return;
      }
    } finally {
      clearInterval(timer);
      cut.abort();
    }
  }

  private note({ resource_uri, data, event: { timepoint, type } }: SentEvent): void {
    if (timepoint < this.next) this.outOfOrder += 1;
    this.next = timepoint + 1;
    const count = (this.seen.get(resource_uri)?.count ?? 0) + 1;
    this.seen.set(resource_uri, { type, hash: hashOf(data), count });
  }
}

/** Serves these streams of a register to a reader each; `close` waits for the readers and ends the server. */
export async function openCutReaders(stores: Stores, names: readonly string[], eventsAtOnce: number) {
  const key = randomBytes(8).toString("hex");
  await addTestKey(stores.mongo.documents, key, { name: "readers", kind: "stream" });
  const server = buildStreams({
    ...{ config: readConfig({ STREAM_CONNECTIONS: "100" }), stores },
    ...{ clock: () => new Date(), log: createLogger("silent", "api") },
  });
  const answer = server.app.callback();
  const { base, close: closeServer } = await serve((request, response) => void answer(request, response));
  const { next } = await fetchBounds(stores.mongo.documents);
  const readers = new Map(
    names.map((name) => [name, new CutReader(`${base}/${name}`, key, next, eventsAtOnce)]),
  );
  const close = async () => {
    await Promise.all([...readers.values()].map((reader) => reader.finish()));
    server.end();
    await closeServer();
  };
  return { readers, close };
}

/** Links are left out by default: they change with records of other kinds, without an event of this one. */
function hashOf(resource: object, withLinks = false): string {
  // As it is sent: without undefined members.
  const sent = JSON.parse(JSON.stringify(resource)) as Record<string, unknown>;
  if (!withLinks) delete sent.links;
  return contentHash(sent);
}

/** Hashes of the resources that a stream would send for the records stored now, by address. */
export async function hashResources(
  { mongo }: Stores,
  name: string,
  { withLinks = false } = {},
): Promise<Map<string, string>> {
  const stream = streams.find((one) => one.name === name)!; // the name of a test
  const today = new Date().toISOString().slice(0, 10);
  const hashes = new Map<string, string>();
  for await (const chunk of mongo.scanner.scan(stream.record, { sortBy: "_id" })) {
    const shown = await stream.present(mongo.records, chunk, { today });
    for (const [at, { data }] of chunk.entries()) {
      const uri = stream.record.incoming?.addressOf?.(data).uri ?? "";
      hashes.set(uri, hashOf(shown[at] ?? {}, withLinks));
    }
  }
  return hashes;
}
