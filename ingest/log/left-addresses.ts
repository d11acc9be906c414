/** What a change says of addresses that records of streams had before it and have no longer. */
import { isTombstone } from "../../api/shared/values/tombstone.ts";
import type { RecordDefinition } from "../../api/shared/definitions/define-record.ts";
import type { ResourceAddress } from "../../api/shared/definitions/incoming-resource.ts";
import type { Replaced } from "../statements/write.ts";

/** Addresses by collection. */
export type Addresses = Record<string, ResourceAddress[]>;

/** The addresses that records leave. One that is gone keeps its address itself. */
export function addressesLeft(
  { incoming }: RecordDefinition,
  replaced: readonly Replaced[],
): ResourceAddress[] {
  return replaced.flatMap(({ before, now }) => {
    const address = isTombstone(now) ? undefined : incoming?.addressOf?.(before.data);
    return address && !isTombstone(now) && address.uri !== incoming?.addressOf?.(now.data).uri ? address : [];
  });
}
