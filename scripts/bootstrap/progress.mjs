// Owns what the person sees while a command prepares itself: one live line on a terminal, a line every few seconds elsewhere.

const out = process.stderr;
const isLive = Boolean(out.isTTY);
const redrawMs = isLive ? 200 : 5_000;

const running = new Set();
let timer;
let pauses = 0;

// A closed terminal must not kill the orderly stop with EPIPE or EIO.
for (const stream of [process.stdout, process.stderr]) stream.on("error", () => {});

/** An error whose message is written for the person at the keyboard: shown as it is, without a stack. */
export class SetupError extends Error {}

/** Prints one line, above the live one. */
export function say(line) {
  erase();
  out.write(`${line}\n`);
  if (isLive) draw();
}

/** Leaves the terminal to work that may ask the person something: what is drawn meanwhile would wipe the question off. */
export async function withoutDrawing(work) {
  erase();
  pauses += 1;
  try {
    return await work();
  } finally {
    pauses -= 1;
  }
}

/** Follows one piece of work until it is done; its line is redrawn meanwhile. A quiet one leaves no line unless it fails, and
 * shows one on a terminal alone. */
export async function follow(title, work, { isQuiet = false } = {}) {
  const task = new Task(title, isQuiet);
  running.add(task);
  timer ??= setInterval(draw, redrawMs).unref();
  try {
    const result = await work(task);
    const done = `  ✓ ${title}${task.note ? `: ${task.note}` : ""} (${formatSeconds(task.elapsedMs())})`;
    finish(task, isQuiet ? undefined : done);
    return result;
  } catch (error) {
    finish(task, `  ✗ ${title} (${formatSeconds(task.elapsedMs())})`);
    throw error;
  }
}

/** One line of progress: its stage, and how far it is, if known. */
class Task {
  constructor(title, isQuiet) {
    this.title = title;
    this.isQuiet = isQuiet;
    this.note = "";
    this.startedMs = Date.now();
    this.done = 0;
    this.total = 0;
    this.stageStartedMs = this.startedMs;
  }

  /** What is being done now. */
  stage(note) {
    this.note = note;
    this.done = this.total = 0;
    this.stageStartedMs = Date.now();
  }

  /** Bytes so far, and in all. */
  advance(done, total) {
    this.done = done;
    this.total = total;
  }

  elapsedMs() {
    return Date.now() - this.startedMs;
  }

  toString() {
    const stage = this.note ? `: ${this.note}` : "";
    if (!this.total) return `${this.title}${stage}, ${formatSeconds(this.elapsedMs())}`;
    const share = Math.min(1, this.done / this.total);
    const rate = this.done / Math.max(1, Date.now() - this.stageStartedMs) / 1_000;
    const megabytes = `${Math.round(this.done / 1e6)}/${Math.round(this.total / 1e6)} MB`;
    return `${this.title}${stage} ${bar(share)} ${Math.floor(share * 100)} % ${megabytes} ${rate.toFixed(1)} MB/s`;
  }
}

function finish(task, line) {
  running.delete(task);
  if (running.size === 0) {
    clearInterval(timer);
    timer = undefined;
  }
  if (line !== undefined) return say(line);
  erase();
  if (isLive) draw();
}

function erase() {
  if (isLive && pauses === 0) out.write("\r\x1b[K");
}

function draw() {
  if (running.size === 0 || pauses > 0) return;
  if (!isLive) {
    for (const task of running) if (!task.isQuiet) out.write(`  … ${task}\n`);
    return;
  }
  const line = `  … ${[...running].join("  |  ")}`;
  out.write(`\r\x1b[K${line.slice(0, (out.columns ?? 80) - 1)}`);
}

function bar(share) {
  const width = 20;
  const filled = Math.round(share * width);
  return `[${"#".repeat(filled)}${".".repeat(width - filled)}]`;
}

function formatSeconds(ms) {
  return ms < 10_000 ? `${(ms / 1000).toFixed(1)} s` : `${Math.round(ms / 1000)} s`;
}
