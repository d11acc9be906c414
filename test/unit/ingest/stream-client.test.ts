/** How much of another server's event stream is buffered, from servers that send too much. */
import { expect, it, jest } from "@jest/globals";
import type { ServerResponse } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { IN_THE_FUTURE } from "../../../api/streams/streams.ts";
import { readStream, StreamError } from "../../../ingest/follow/stream-client.ts";
import { serve, waitUntil } from "../../support/followed-servers.ts";

/** Opens the stream of a server, with other options than the usual ones. */
function openStream(base: string, options: Partial<Parameters<typeof readStream>[0]> = {}) {
  return readStream({
    ...{ url: new URL(base), key: "a-key", timepoint: undefined, signal: AbortSignal.timeout(60_000) },
    ahead: { rows: 20, bytes: 200_000 },
    ...options,
  });
}

/** Reads from a server that sends these pieces at once; returns the groups of lines, taken every 100 ms. */
async function readFrom(pieces: string[], ahead: { rows: number; bytes: number }): Promise<string[][]> {
  const { base, close } = await serve((_request, response) => {
    for (const piece of pieces) response.write(piece);
    response.end();
  });
  const groups: string[][] = [];
  try {
    for await (const lines of openStream(base, { ahead })) {
      groups.push(lines);
      await sleep(100);
    }
    return groups;
  } finally {
    await close();
  }
}

/** Reads the stream of a server that answers like this. */
async function withStream(
  answer: (response: ServerResponse) => void,
  read: (stream: AsyncGenerator<string[]>) => Promise<void>,
): Promise<void> {
  const { base, close } = await serve((_request, response) => answer(response));
  const stream = openStream(base);
  try {
    await read(stream);
  } finally {
    await stream.return(undefined);
    await close();
  }
}

it("what is read ahead of a stream is limited in bytes, even if the lines are long", async () => {
  const line = `{"x":"${"é".repeat(50_000)}"}`;
  const groups = await readFrom(Array<string>(80).fill(`${line}\n`), { rows: 2_000, bytes: 200_000 });
  expect(groups.flat()).toHaveLength(80);
  expect(groups.flat().every((found) => found === line)).toBe(true);
  // One chunk of the connection may exceed the limit, and so may the rest of a line before it.
  for (const lines of groups) expect(Buffer.byteLength(lines.join("\n"))).toBeLessThan(600_000);
});

it("a group of lines is limited in number, even if the lines are short", async () => {
  const groups = await readFrom(["{}\r\n\n".repeat(50)], { rows: 20, bytes: 200_000 });
  expect(groups.flat()).toEqual(Array.from({ length: 100 }, (_, at) => (at % 2 === 0 ? "{}" : "")));
  for (const lines of groups) expect(lines.length).toBeLessThanOrEqual(20);
});

it("reading a stream ends at a line that is far longer than those of files may be", async () => {
  const reading = readFrom(["{}\n", "{", "x".repeat(3_000_000)], { rows: 20, bytes: 200_000 });
  await expect(reading).rejects.toMatchObject({
    effect: "refused",
    message: expect.stringMatching(/sends a line that does not end/) as unknown,
  });
});

it("a connection counts as dead once nothing has been received for two minutes since the last lines", async () => {
  const waits: { refresh: jest.Mock; end: () => void }[] = [];
  const original = globalThis.setTimeout;
  const timing = jest.spyOn(globalThis, "setTimeout").mockImplementation(((end: () => void, ms?: number) => {
    if (ms !== 120_000) return original(end, ms);
    waits.push({ refresh: jest.fn(), end });
    return waits.at(-1);
  }) as typeof setTimeout);
  await withStream(
    (response) => void response.writeHead(200).write("{}\n"),
    async (stream) => {
      expect((await stream.next()).value).toEqual(["{}"]);
      expect(waits).toHaveLength(1);
      expect(waits[0]?.refresh).toHaveBeenCalled();
      waits[0]?.end();
      const message = expect.stringMatching(/ was lost: nothing was received for 120 s$/) as unknown;
      await expect(stream.next()).rejects.toMatchObject({ effect: "passing", message });
    },
  ).finally(() => timing.mockRestore());
});

it.each([
  [400, "", "refused"],
  [401, "", "refused"],
  [403, "", "refused"],
  [404, "", "refused"],
  [408, "", "passing"],
  [416, "too old", "gone"],
  [416, IN_THE_FUTURE, "ahead"],
  [429, "", "crowded"],
  [500, "", "passing"],
  [503, "", "passing"],
])("the answer %i with the words %j means: %s", (status, words, effect) =>
  withStream(
    (response) => response.writeHead(status).end(words),
    (stream) => expect(stream.next()).rejects.toMatchObject({ effect }),
  ),
);

it("the beginning of a refusal is enough, since its rest may never come", () =>
  withStream(
    (response) => void response.writeHead(416).write("x".repeat(20_000)),
    (stream) => expect(stream.next()).rejects.toMatchObject({ effect: "gone" }),
  ));

it("a connection that the server closes without an answer does not count as a silent one", () =>
  withStream(
    (response) => response.destroy(),
    (stream) => {
      const message = expect.stringMatching(/ could not be opened: (?!nothing was received)./) as unknown;
      return expect(stream.next()).rejects.toMatchObject({ effect: "passing", message });
    },
  ));

it("a connection that is refused because of its timepoint is closed", async () => {
  // Keeps the answer, since the garbage collection would close it.
  const fetched: unknown[] = [];
  const original = globalThis.fetch;
  const fetching = jest.spyOn(globalThis, "fetch").mockImplementation(async (...call) => {
    const answer = await original(...call);
    fetched.push(answer);
    return answer;
  });
  let isClosed = false;
  const { base, close } = await serve((_request, response) => {
    response.once("close", () => (isClosed = true));
    response.writeHead(200, { "X-Next-Timepoint": "7" }).write("{}\n");
  });
  const onStart = () => {
    throw new StreamError("begins too low", "refused");
  };
  await expect(openStream(base, { onStart }).next()).rejects.toThrow("begins too low");
  await waitUntil(() => isClosed);
  fetching.mockRestore();
  await close();
});

it("the error says whether a connection could not be opened or was lost later", async () => {
  const { base, close } = await serve((_request, response) => {
    response.writeHead(200).write("\n", () => response.destroy());
  });
  const readAll = async () => {
    for await (const lines of openStream(base)) expect(lines).toEqual([""]);
  };
  await expect(readAll()).rejects.toThrow(`the connection to ${base}/ was lost: `);
  await close();
  await expect(readAll()).rejects.toThrow(
    new RegExp(`^the connection to ${base}/ could not be opened: .*ECONNREFUSED`),
  );
});
