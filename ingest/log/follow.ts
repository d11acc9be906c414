/** Owns the following of the change log: changes reach a follower in order, and none is passed that is still being written. */
import type { DocumentStore } from "../../api/core/stores/mongo.ts";
import { closeAfter, fetchAfter, type Change } from "./changes.ts";
import { moveFollower, type Follower } from "./followers.ts";

// A batch enters within milliseconds of drawing its position, and is written within seconds. One that takes longer, or has
// died, is passed: should it go on, it enters again.
const GAP_MS = 5_000;
const WRITING_MS = 60_000;

/** Brings changes to where a follower wants them. */
export type Take = (changes: Change[]) => Promise<void>;

/** Follows the log for one follower, as long as this process does. */
export class Following {
  private heldAt = "";
  private heldSince = 0;

  constructor(
    private readonly documents: DocumentStore,
    private readonly fetchFollower: () => Promise<Follower | null>,
    private readonly take: Take,
  ) {}

  /**
   * Takes what there is to take; returns the position reached then. What is empty or being written for too long is closed,
   * and taken the next time.
   */
  async run(isStopping: () => boolean = () => false): Promise<string> {
    for (;;) {
      const follower = await this.fetchFollower();
      if (!follower) return "";
      const { changes, isMore } = await fetchAfter(this.documents, follower.position);
      const open = changes.findIndex(({ state }) => state === "writing");
      const done = open === -1 ? changes : changes.slice(0, open);
      const last = done.at(-1);
      if (!last || isStopping()) {
        if (open === 0 || isMore) await this.hold(follower.position, open === 0 ? WRITING_MS : GAP_MS);
        return follower.position;
      }
      await this.take(done);
      // Where another one has moved it what was taken may be taken again.
      await moveFollower(this.documents, follower, last._id);
    }
  }

  private async hold(position: string, patienceMs: number): Promise<void> {
    if (this.heldAt !== position) [this.heldAt, this.heldSince] = [position, performance.now()];
    if (performance.now() - this.heldSince > patienceMs) await closeAfter(this.documents, position);
  }
}
