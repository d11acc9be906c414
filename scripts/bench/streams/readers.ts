/** Owns many readers of one event stream: half of them as fast as it comes, half a byte a second. */
import { get, type IncomingMessage } from "node:http";

// Which every second is read of those who are slow.
const SLOW_MS = 1_000;

/** Readers that are connected. */
export interface Readers {
  /** Bytes that the slowest of the fast ones has read. */
  leastRead: () => number;
  close: () => void;
}

/** Connects them. Rejects when one is not let in. */
export async function openReaders(address: string, key: string, count: number): Promise<Readers> {
  const bytes = new Map<number, number>();
  const answers: IncomingMessage[] = [];
  for (let at = 0; at < count; at += 1) {
    const answer = await connect(address, key);
    answers.push(answer);
    if (at % 2 === 1) continue;
    bytes.set(at, 0);
    answer.on("data", (chunk: Buffer) => bytes.set(at, (bytes.get(at) ?? 0) + chunk.length));
  }
  const slow = answers.filter((_answer, at) => at % 2 === 1);
  const timer = setInterval(() => {
    for (const answer of slow) answer.read(1);
  }, SLOW_MS);
  return {
    leastRead: () => Math.min(...bytes.values()),
    close: () => {
      clearInterval(timer);
      for (const answer of answers) answer.destroy();
    },
  };
}

function connect(address: string, key: string): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const request = get(address, { auth: `${key}:`, agent: false }, (answer) => {
      if (answer.statusCode === 200) resolve(answer);
      else reject(new Error(`a reader was answered with ${answer.statusCode}`));
    });
    request.once("error", reject);
  });
}
