/** Owns the progress line of work that goes through the documents of an index. */
import type { CommandContext } from "../../api/core/define-command.ts";
import { formatProgress } from "../progress.ts";
import { StatusLine } from "./status-line.ts";

/** A line that is being shown. */
export interface DocumentProgress {
  /** `total`: about how many there are, where that is known better by now. */
  onProgress: (done: number, total?: number) => void;
  /** Takes the line away. */
  end: () => void;
}

/** Shows how far the work is. `what`: its name, for people; `total`: about how many documents there are, 0 not known. */
export function showDocumentProgress(context: CommandContext, what: string, total = 0): DocumentProgress {
  const startedAt = performance.now();
  const seen = { done: 0, total };
  const line = new StatusLine(context, () => {
    const share = seen.total > 0 ? Math.min(seen.done / seen.total, 1) : undefined;
    const elapsedMs = performance.now() - startedAt;
    return `${what}: ${formatProgress({ rows: seen.done, unit: "documents", share, elapsedMs })}`;
  });
  return {
    onProgress: (done, now = seen.total) => void Object.assign(seen, { done, total: now }),
    end: () => line.clear(),
  };
}
