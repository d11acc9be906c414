/** Owns the producer's side of the queue: batches are added, and what becomes of each is heard or looked up. */
import { Queue, QueueEvents, type Job } from "bullmq";
import { CommandError, UnavailableError } from "../../api/core/errors.ts";
import type { RedisStore } from "../../api/core/stores/redis.ts";
import { within } from "../../api/core/within.ts";
import { Outstanding } from "./outstanding.ts";
import { openPatience } from "../patient-stores.ts";
import { BATCH_QUEUE, BATCH_RETRIES, type BatchCounts, type BatchJob } from "./queue.ts";

// A connection that lives closes within some milliseconds.
const CLOSE_MS = 1_000;

// BullMQ's only word for a batch whose workers died more often than they may.
const WORKERS_DIED = "job stalled more than allowable limit";

/** The producer's side of the queue. */
export interface BatchProducer {
  /** Adds a batch, after waiting until fewer than `depth` are under way. Rejects when a batch has failed for good. */
  add: (job: BatchJob) => Promise<void>;
  /** Waits until every batch added has been written. Rejects when one has failed for good. */
  drain: () => Promise<void>;
  /** Waits until no batch is under way any more, whatever became of it. */
  settle: () => Promise<void>;
  /** Worker processes that listen. */
  countWorkers: () => Promise<number>;
  /** Takes what is done or failed of a load out of the queue: before it is gone on with, and after. */
  clearEnded: (load: string) => Promise<void>;
  close: () => Promise<void>;
}

export interface ProducerOptions {
  prefix: string;
  /** Most batches under way. */
  depth: number;
  /** How long Redis may be away while the load waits, in milliseconds. */
  patienceMs: number;
  /** What is kept of a batch that is done; null when it is not. */
  fetchDone: (jobId: string) => Promise<BatchCounts | null>;
  /** Told the first fault of each outage of Redis. */
  onAway: (fault: UnavailableError) => void;
  /** Told the counts of each batch as it is done. */
  onWritten: (counts: BatchCounts) => void;
  /** True once the person has asked to stop: every wait ends. */
  isStopping: () => boolean;
}

/** Opens the producer's side. Throws UnavailableError or DeniedError, with nothing left open. */
export async function openProducer(
  { connection, guard }: Pick<RedisStore, "connection" | "guard">,
  options: ProducerOptions,
): Promise<BatchProducer> {
  const { prefix } = options;
  // A Redis that goes away is told by the next command that fails; events come again when it is back.
  const ignoreFault = () => undefined;
  const queue = new Queue<BatchJob>(BATCH_QUEUE, { connection, prefix }).on("error", ignoreFault);
  // Asked first on the connection that is there anyway: BullMQ does not close one of its own that was refused.
  await guard(() => queue.waitUntilReady()).catch((error: unknown) => closeFailed([queue], error));
  // Reading events blocks its connection, so BullMQ makes one of its own from this one, which never connects.
  const model = connection.duplicate({ maxRetriesPerRequest: null, lazyConnect: true });
  const events = new QueueEvents(BATCH_QUEUE, { connection: model, prefix }).on("error", ignoreFault);
  await guard(() => events.waitUntilReady()).catch((error: unknown) => closeFailed([events, queue], error));
  return new QueueProducer({ queue, events, guard }, options);
}

/** Closes what waits to connect; its own `close` would wait with it. Throws the fault again. */
async function closeFailed(
  sides: readonly (Queue<BatchJob> | QueueEvents)[],
  fault: unknown,
): Promise<never> {
  await Promise.all(sides.map((side) => within(CLOSE_MS, side.getBackend().close()).catch(() => undefined)));
  throw fault;
}

/** What a producer speaks to Redis by. */
interface QueueSides {
  queue: Queue<BatchJob>;
  events: QueueEvents;
  /** Bounds and translates every question to Redis. */
  guard: RedisStore["guard"];
}

class QueueProducer implements BatchProducer {
  private readonly outstanding = new Outstanding((ids) => this.lookUp(ids));
  private readonly removals: Promise<unknown>[] = [];
  /** Batches under way, should Redis lose them: few, since `depth` bounds them. */
  private readonly jobs = new Map<string, BatchJob>();
  private readonly patiently: ReturnType<typeof openPatience>;

  constructor(
    private readonly sides: QueueSides,
    private readonly options: ProducerOptions,
  ) {
    this.patiently = openPatience(options);
    const { events } = sides;
    events.on("completed", ({ jobId, returnvalue }) => this.finish(jobId, returnvalue));
    events.on("failed", ({ jobId, failedReason }) => this.fail(jobId, failedReason));
  }

  async add(job: BatchJob): Promise<void> {
    await this.outstanding.waitBelow(this.options.depth);
    const jobId = `${job.load}-${job.revision}`;
    // Counted first: a quick worker may be done before the queue has answered.
    this.outstanding.begin(jobId);
    this.jobs.set(jobId, job);
    await this.patiently(() => this.enqueue(jobId, job));
  }

  /** Adding a job that is there already leaves it as it is. */
  private async enqueue(jobId: string, job: BatchJob): Promise<void> {
    await this.sides.guard(() => this.sides.queue.add(job.source, job, { ...BATCH_RETRIES, jobId }));
  }

  drain(): Promise<void> {
    return this.outstanding.waitBelow(1);
  }

  settle(): Promise<void> {
    return this.outstanding.settle();
  }

  countWorkers(): Promise<number> {
    return this.sides.guard(() => this.sides.queue.getWorkersCount());
  }

  async clearEnded(load: string): Promise<void> {
    const ended = await this.sides.guard(() => this.sides.queue.getJobs(["failed", "completed"]));
    // A job that was removed between its listing and its reading is listed as nothing.
    const ours = ended.filter((job: Job<BatchJob> | undefined) => job?.data.load === load);
    for (const job of ours) await this.sides.guard(() => job.remove());
  }

  async close(): Promise<void> {
    const { queue, events } = this.sides;
    await within(CLOSE_MS, Promise.all(this.removals)).catch(() => undefined);
    // BullMQ waits for the end of its connection, which it never hears of one that was just waiting to connect again.
    await within(CLOSE_MS, events.close()).catch(() => undefined);
    await queue.close();
  }

  private finish(jobId: string, counts: unknown): void {
    if (!this.outstanding.finish(jobId)) return;
    this.jobs.delete(jobId);
    this.options.onWritten(counts as BatchCounts);
    this.removals.push(this.sides.queue.remove(jobId).catch(() => 0));
  }

  private fail(jobId: string, reason: string): void {
    const job = this.jobs.get(jobId);
    this.outstanding.fail(jobId, job && reason === WORKERS_DIED ? describeDeaths(job) : reason);
  }

  /** A batch that Redis has lost: it is done, or enqueued once more. */
  private async restore(id: string): Promise<void> {
    const job = this.jobs.get(id);
    if (!job) return this.outstanding.fail(id, "a batch is gone from the queue: Redis has lost its data");
    const counts = await this.options.fetchDone(id);
    if (counts) this.finish(id, counts);
    else await this.enqueue(id, job);
  }

  /** Finds out what events should have told: they are lost when Redis has been away. */
  private async lookUp(ids: readonly string[]): Promise<void> {
    if (this.options.isStopping()) throw new CommandError("stopped; the batches under way are still written");
    for (const id of ids) await this.patiently(() => this.lookUpOne(id));
  }

  private async lookUpOne(id: string): Promise<void> {
    // The state alone as long as nothing is to be told: a batch comes with all its rows. It decides, too: one that is
    // done after a second try still carries the reason of the first.
    const state = await this.sides.guard(() => this.sides.queue.getJobState(id));
    if (state === "unknown") return this.restore(id);
    if (state !== "completed" && state !== "failed") return;
    const job = await this.sides.guard(() => this.sides.queue.getJob(id));
    if (!job) return;
    if (state === "completed") this.finish(id, job.returnvalue);
    else this.fail(id, job.failedReason);
  }
}

function describeDeaths({ file, rows, unreadable }: BatchJob): string {
  const line = Math.min(...[...rows, ...unreadable].map((row) => row.line));
  return (
    `${file}, from line ${line}: more than ${BATCH_RETRIES.attempts} workers died over these rows, one after the ` +
    "other: look into their logs, and at how much memory they have, for the reason"
  );
}
