// Progress of the preparations: one live line on a terminal, otherwise a line every five seconds.

const out = process.stderr;
const isLive = Boolean(out.isTTY);
const redrawMs = isLive ? 200 : 5_000;

const running = new Set();
let timer;
let pauses = 0;

// A closed terminal must not interrupt the orderly stop with EPIPE or EIO.
for (const stream of [process.stdout, process.stderr]) stream.on("error", () => {});

/** An error whose message is for the user: it is shown without a stack. */
export class SetupError extends Error {}

/** Prints one line, above the live one. */
export function say(line) {
  erase();
  out.write(`${line}\n`);
  if (isLive) draw();
}

/** Does work that may ask the user something. Progress lines stop meanwhile, since they would erase the question. */
export async function pauseProgress(work) {
  erase();
  pauses += 1;
  try {
    return await work();
  } finally {
    pauses -= 1;
  }
}

/** Does the work and shows its progress. With `isQuiet` there is a live line on a terminal, and no line at the end
 * unless the work fails. */
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

/** Progress of one piece of work: its stage and, if known, how much of it is done. */
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

  /** Begins a new stage. */
  stage(note) {
    this.note = note;
    this.done = this.total = 0;
    this.stageStartedMs = Date.now();
  }

  /** Sets the bytes that are done, and all bytes. */
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
