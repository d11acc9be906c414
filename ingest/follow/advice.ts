/** Messages about a stream that cannot be followed: why, and what to do. Pure. */
import { sources } from "../sources/index.ts";
import type { RecordDefinition } from "../../api/shared/definitions/define-record.ts";
import type { FollowedStream } from "./positions.ts";
import type { StreamError } from "./stream-client.ts";

interface Failed {
  followed: FollowedStream;
  record: RecordDefinition;
}

/** The fault that a person has to repair; undefined if it passes by itself. */
export function faultOf(failed: Failed, { effect, message }: StreamError): string | undefined {
  switch (effect) {
    case "passing":
    case "crowded":
      return undefined;
    case "refused":
      return message;
    case "gone":
      return `${message}: ${adviseOnGone(failed)}`;
    case "ahead":
      return `${message}: ${adviseOnAhead(failed)}`;
  }
}

/** Advice if the server no longer has the events after the position. */
function adviseOnGone({ record, followed }: Failed): string {
  const titles = sources.flatMap(({ title, completeness }) =>
    completeness?.records.includes(record) ? title : [],
  );
  const snapshot =
    titles.length > 0
      ? `a snapshot (${titles.join(" or ")})`
      : "a copy of these records (JSON lines as the API answers them, with --as-of; there is no bulk file)";
  return (
    `it no longer has the events from ${nextOf(followed)} on. Follow with --timepoint 0 if it is a Company Register, ` +
    `else with --from-now, then load ${snapshot} made after the first event`
  );
}

/** Advice if the server has not reached the position yet: a person has given it, or it is of another server. */
function adviseOnAhead({ followed }: Failed): string {
  const ahead = `timepoint ${nextOf(followed)} is in its future`;
  if (followed.heard_at === undefined) return `${ahead}. Follow with a lower --timepoint, or with --from-now`;
  return (
    `${ahead}, although events up to there were read: it is another server than before, or was restored from an older ` +
    "backup, so its events would count as old. Follow it with an empty database"
  );
}

function nextOf({ timepoint = -1 }: FollowedStream): number {
  return timepoint + 1;
}
