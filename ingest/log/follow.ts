/** Owns the following of the change log: changes reach a follower in order, and none is passed that is still being written. */
import { closeUpTo, fetchAfter, type Change, type LogStores } from "./changes.ts";
import { moveFollower, positionAfter, type Follower } from "./followers.ts";

// A batch enters within milliseconds of drawing its position, and is written within seconds. One that takes longer, or has
// died, is passed: should it go on, it enters again.
const PATIENCE = { gapMs: 5_000, writingMs: 60_000 };

/** Brings changes to where a follower wants them. */
export type Take = (changes: Change[]) => Promise<unknown>;

/** Follows the log for one follower, as long as this process does. */
export class Following {
  private heldAt = "";
  private heldSince = 0;

  constructor(
    private readonly stores: LogStores,
    private readonly fetchFollower: () => Promise<Follower | null>,
    private readonly take: Take,
    private readonly patience = PATIENCE,
  ) {}

  /**
   * Takes what there is to take; returns the position reached then. What is empty or being written for too long is closed,
   * and taken the next time.
   */
  async run(isStopping: () => boolean = () => false): Promise<string> {
    for (;;) {
      const follower = await this.fetchFollower();
      if (!follower) return "";
      const changes = await fetchAfter(this.stores, follower.position);
      const done = doneAfter(follower.position, changes);
      const last = done.at(-1);
      if (!last && changes[0]) await this.hold(follower.position, changes[0]);
      if (!last || isStopping()) return follower.position;
      await this.take(done);
      // Where another one has moved it what was taken may be taken again.
      await moveFollower(this.stores.mongo.documents, follower, last._id);
    }
  }

  private async hold(position: string, next: Change): Promise<void> {
    const { gapMs, writingMs } = this.patience;
    if (this.heldAt !== position) [this.heldAt, this.heldSince] = [position, performance.now()];
    const patienceMs = next._id === positionAfter(position) ? writingMs : gapMs;
    if (performance.now() - this.heldSince >= patienceMs)
      await closeUpTo(this.stores.mongo.documents, position, next);
  }
}

/** Those behind a position that are written, up to the first gap. */
function doneAfter(position: string, changes: readonly Change[]): Change[] {
  const first = Number(position) + 1;
  const writing = new Set(changes.flatMap(({ state, job }) => (state === "writing" ? job : [])));
  // Not one that was broken off either, while its batch runs again: which of the two runs has written what shows afterwards.
  const end = changes.findIndex(({ _id, job }, at) => writing.has(job) || Number(_id) !== first + at);
  return changes.slice(0, end === -1 ? undefined : end);
}
