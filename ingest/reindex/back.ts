/** Owns the way back: the former index goes live at once, and is then brought up to date. */
import { CommandError } from "../../api/core/errors.ts";
import { findMismatches } from "../../index-mappings/name-rules.ts";
import { removeBuild } from "../log/followers.ts";
import { compareIndex, countDifferences } from "../verify/compare-index.ts";
import type { ReindexRun } from "./define-reindex.ts";
import { guardLock, moveOnce } from "./move.ts";
import { fetchStanding, requireStanding } from "./standing.ts";

/** Which index would go live, and which would be the former one. Throws CommandError when there is no way back. */
export async function planBack({ stores, index }: Pick<ReindexRun, "stores" | "index">) {
  const { live, former, build } = await requireStanding(stores, index);
  if (build) {
    throw new CommandError(
      `${build._id} is being built, or was broken off: end it first by ` +
        `\`npm run cli -- reindex ${index.name} --resume\` or --discard`,
    );
  }
  if (!former || !live) throw new CommandError(`${index.name} has no former index to go back to`);
  const [mismatch] = findMismatches([former]);
  if (mismatch) {
    const { found, expected } = mismatch;
    throw new CommandError(
      `${former.name} was built under version ${found} of the name rules, this release has version ${expected}: ` +
        "start the release that built it, and go back by that one",
    );
  }
  if (former.version !== undefined && former.version > index.version) {
    throw new CommandError(
      `${former.name} was built by a newer release, this one has version ${index.version}: go back by that one`,
    );
  }
  return { index: index.name, live: former.name, former: live.name };
}

/** Moves the alias back, then writes what has changed since; returns the plan, and how many documents that were. */
export async function goBack(run: ReindexRun) {
  const { stores, index, observer } = run;
  const plan = await planBack(run);
  const { moved } = await fetchStanding(stores, index);
  if (moved) await removeBuild(stores.mongo.documents, moved._id);
  await guardLock(run);
  await moveOnce(run, { index: index.name, from: plan.former, to: plan.live, isBuilt: false, remove: [] });
  observer.onNote(`${index.name}: ${plan.live} is live again`);
  const what = `bringing ${plan.live} up to date`;
  const { repaired } = await compareIndex(stores, index, { observer, what, isRepair: true });
  return { ...plan, repaired: countDifferences(repaired) };
}
