/** Reads an event stream of another server: its lines as they arrive, and what its refusals mean. */
import { Readable } from "node:stream";
import { messageOf } from "../../api/shared/runtime/errors.ts";
import { IN_THE_FUTURE, NEXT_TIMEPOINT } from "../../api/streams/streams.ts";
import { MAX_LINE_BYTES } from "../readers/read-rows.ts";

interface StreamReading {
  url: URL;
  /** Stream key of the other server. */
  key: string;
  /** Timepoint of the first event; absent: the next event that happens. */
  timepoint: number | undefined;
  signal: AbortSignal;
  /** The most bytes that are read ahead, and the most lines that are yielded together. */
  ahead: { bytes: number; rows: number };
  /** Called once connected, with the next timepoint if the server says it; ours do. May throw StreamError. */
  onStart?: (timepoint: number | undefined) => void;
}

/** The connection could not be opened, or was lost. */
export class StreamError extends Error {
  constructor(
    message: string,
    /**
     * `passing`: try again; `crowded`: try again, but not soon; `refused`: try again if the stream could be read
     * before; `gone`: the server no longer has events from this position on; `ahead`: it has not reached this position
     * yet.
     */
    readonly effect: "passing" | "crowded" | "refused" | "gone" | "ahead",
  ) {
    super(message);
  }
}

// A server sends an empty line when nothing happens (ours twice a minute). After this long without one the connection
// is dead.
const SILENT_MS = 120_000;
// Limit: characters of one line. Twice the limit of a file, since the other server may have loaded the longest line.
// Real lines have about 100,000.
const MAX_LINE = 2 * MAX_LINE_BYTES;
// Limit: characters of a refusal that are read.
const MAX_REFUSAL = 10_000;

/**
 * Connects, and yields all whole lines that have arrived since the last ones were taken; empty lines are heartbeats.
 * Reads little more than `ahead` before lines are taken. Ends when the server ends the stream. Leaves out a line that
 * the end of the connection has cut. Throws StreamError.
 */
export async function* readStream(reading: StreamReading): AsyncGenerator<string[]> {
  const { url, ahead } = reading;
  const buffer = { objectMode: false, highWaterMark: ahead.bytes, encoding: "utf8" } as const;
  let rest = "";
  // Each text is all that has arrived since the last one.
  for await (const text of Readable.from(readChunks(reading), buffer) as AsyncIterable<string>) {
    const lines = (rest + text).split("\n");
    rest = lines.pop() ?? "";
    if (rest.length > MAX_LINE)
      throw new StreamError(`${url.href} sends a line that does not end`, "refused");
    for (let at = 0; at < lines.length; at += ahead.rows)
      yield lines.slice(at, at + ahead.rows).map((line) => toLine(line, url));
  }
}

function toLine(text: string, { href }: URL): string {
  const line = text.trimEnd();
  if (line === "" || line.startsWith("{")) return line;
  // No event stream has such a line, so the address is that of something else.
  throw new StreamError(
    `${href} sends no JSON lines: check that --from is the address of event streams`,
    "refused",
  );
}

async function* readChunks(reading: StreamReading): AsyncGenerator<Uint8Array> {
  const { url } = reading;
  const silence = new AbortController();
  const timer = setTimeout(() => silence.abort(), SILENT_MS);
  let outcome = "could not be opened";
  try {
    const signal = AbortSignal.any([reading.signal, silence.signal]);
    const chunks = await connect({ ...reading, signal });
    outcome = "was lost";
    for await (const chunk of chunks) {
      timer.refresh();
      yield chunk;
    }
  } catch (error) {
    if (error instanceof StreamError) throw error;
    // An error of `fetch` has the reason as its cause.
    const cause = (error as { cause?: unknown }).cause ?? error;
    const isSilent = silence.signal.aborted;
    const why = isSilent ? `nothing was received for ${SILENT_MS / 1_000} s` : messageOf(cause);
    throw new StreamError(`the connection to ${url.href} ${outcome}: ${why}`, "passing");
  } finally {
    clearTimeout(timer);
    // Closes a connection that was not read to its end, or not at all.
    silence.abort();
  }
}

async function connect({ url, key, timepoint, signal, onStart }: StreamReading) {
  const asked = new URL(url);
  if (timepoint !== undefined) asked.searchParams.set("timepoint", String(timepoint));
  const authorization = `Basic ${Buffer.from(`${key}:`).toString("base64")}`;
  const { status, body, headers } = await fetch(asked, { headers: { authorization }, signal });
  const next = headers.get(NEXT_TIMEPOINT);
  if (status === 200) onStart?.(next !== null && /^\d{1,16}$/.test(next) ? Number(next) : undefined);
  if (status === 200 && body) return body;
  const words = body ? await readBeginning(body).catch(() => "") : "";
  throw refusalOf(status, words, url.href);
}

async function readBeginning(body: NonNullable<Response["body"]>): Promise<string> {
  let text = "";
  for await (const part of body.pipeThrough(new TextDecoderStream())) {
    text += part;
    if (text.length > MAX_REFUSAL) break;
  }
  return text;
}

/** The error for an answer of this status. Any status but 416 may come from a proxy while the server restarts. */
function refusalOf(status: number, words: string, address: string): StreamError {
  const answer = `${address} answers ${status}`;
  if (status === 416) return new StreamError(answer, words.includes(IN_THE_FUTURE) ? "ahead" : "gone");
  if (status === 429)
    return new StreamError(
      `${answer}: too many connections of this account; name no more streams than it may read at a time`,
      "crowded",
    );
  if (status === 401 || status === 403)
    return new StreamError(`${answer}: it does not accept the key, which must be a stream key`, "refused");
  if (status === 404)
    return new StreamError(`${answer}: check that --from is the address of event streams`, "refused");
  return new StreamError(answer, status >= 500 || status === 408 ? "passing" : "refused");
}
