/** Owns the reading of an event stream of another server: its lines as they come, and what its refusals mean. */
import { Readable } from "node:stream";
import { messageOf } from "../../api/shared/runtime/errors.ts";
import { NEXT_TIMEPOINT } from "../../api/streams/streams.ts";

interface StreamReading {
  url: URL;
  /** Stream key of the other server. */
  key: string;
  /** Timepoint of the first event; absent: what happens from now on. */
  timepoint: number | undefined;
  signal: AbortSignal;
  /** Most lines that are read ahead, and given together. */
  ahead: number;
  /** Called once connected, if the server says from which timepoint on it sends events; ours do. */
  onStart?: (timepoint: number) => void;
}

/** The connection could not be opened, or was lost. */
export class StreamError extends Error {
  constructor(
    message: string,
    /**
     * `passing`: try again; `crowded`: try again, but not soon; `refused`: try again if the stream could be read before; `gone`:
     * this position is not kept; `wrong`: never.
     */
    readonly effect: "passing" | "crowded" | "refused" | "gone" | "wrong",
  ) {
    super(message);
  }
}

// A server sends an empty line when nothing happens, ours twice a minute: after this long without one the connection is dead.
const SILENT_MS = 120_000;
// Limit: characters of one line; the largest resources have some 100,000.
const MAX_LINE = 16_777_216;

/**
 * Connects, and gives all whole lines that have come since the last ones were taken; empty ones are heartbeats. Nothing more
 * than `ahead` lines is read before they are taken. Ends when the server ends the stream. A line that was cut by the end of the
 * connection is left out. Throws StreamError.
 */
export async function* readStream(reading: StreamReading): AsyncGenerator<string[]> {
  const lines = Readable.from(readLines(reading), { highWaterMark: reading.ahead });
  let wake = () => undefined as void;
  for (const event of ["readable", "end", "error"]) lines.on(event, () => wake());
  try {
    while (!lines.readableEnded) {
      const taken: string[] = [];
      for (let line; taken.length < reading.ahead && (line = lines.read() as string | null) !== null;)
        taken.push(line);
      if (taken.length > 0) yield taken;
      else if (lines.errored) throw lines.errored;
      else if (!lines.readableEnded) await new Promise<void>((resolve) => (wake = resolve));
    }
  } finally {
    lines.destroy();
  }
}

async function* readLines(reading: StreamReading): AsyncGenerator<string> {
  const { url } = reading;
  const silence = new AbortController();
  const timer = setTimeout(() => silence.abort(), SILENT_MS);
  try {
    const signal = AbortSignal.any([reading.signal, silence.signal]);
    const body = await connect({ ...reading, signal });
    let rest = "";
    for await (const text of body.pipeThrough(new TextDecoderStream())) {
      timer.refresh();
      const parts = (rest + text).split("\n");
      rest = parts.pop() ?? "";
      if (rest.length > MAX_LINE)
        throw new StreamError(`${url.href} sends a line that does not end`, "wrong");
      for (const part of parts) {
        const line = part.trimEnd();
        // No stream has such a line: the address is that of something else.
        if (line !== "" && !line.startsWith("{"))
          throw new StreamError(
            `${url.href} sends no JSON lines: check that --from is the address of event streams`,
            "wrong",
          );
        yield line;
      }
    }
  } catch (error) {
    if (error instanceof StreamError) throw error;
    // The client's error has the reason of a lost connection as its cause.
    const cause = (error as { cause?: unknown }).cause ?? error;
    const isSilent = silence.signal.aborted;
    const why = isSilent ? `nothing was received for ${SILENT_MS / 1_000} s` : messageOf(cause);
    throw new StreamError(`the connection to ${url.href} was lost: ${why}`, "passing");
  } finally {
    clearTimeout(timer);
  }
}

async function connect({ url, key, timepoint, signal, onStart }: StreamReading) {
  const asked = new URL(url);
  if (timepoint !== undefined) asked.searchParams.set("timepoint", String(timepoint));
  const authorization = `Basic ${Buffer.from(`${key}:`).toString("base64")}`;
  const { status, body, headers } = await fetch(asked, { headers: { authorization }, signal });
  const next = headers.get(NEXT_TIMEPOINT);
  if (status === 200 && next !== null && /^\d{1,16}$/.test(next)) onStart?.(Number(next));
  if (status === 200 && body) return body;
  await body?.cancel().catch(() => undefined);
  throw refusalOf(status, url.href);
}

/** Any of these but 416 may come from a proxy while the server restarts. */
function refusalOf(status: number, address: string): StreamError {
  const answer = `${address} answers ${status}`;
  if (status === 416) return new StreamError(answer, "gone");
  if (status === 429) return new StreamError(`${answer}: too many connections with this key`, "crowded");
  if (status === 401 || status === 403)
    return new StreamError(`${answer}: it does not accept the key, which must be a stream key`, "refused");
  if (status === 404)
    return new StreamError(`${answer}: check that --from is the address of event streams`, "refused");
  return new StreamError(answer, status >= 500 || status === 408 ? "passing" : "refused");
}
