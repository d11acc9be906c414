import { EventEmitter } from "node:events";
import { ErrorCode } from "bullmq";
import { expect, it } from "@jest/globals";
import type { Logger } from "../../../api/shared/runtime/logger.ts";
import { logFaults } from "../../../ingest/worker.ts";

/** The lines that a worker's events make, each as its level, its batch or reason, and its words. */
function openLog() {
  const worker = new EventEmitter();
  const lines: string[][] = [];
  const at =
    (level: string) =>
    ({ jobId, reason }: { jobId?: string; reason?: string }, words: string) =>
      void lines.push([level, jobId ?? reason ?? "", words]);
  logFaults(worker, { warn: at("warn"), error: at("error") } as unknown as Logger);
  return { worker, lines };
}

it("the log names each batch that lost its lock once, in a warning that says what to do", () => {
  const { worker, lines } = openLog();
  worker.emit("lockRenewalFailed", ["load:3"]);
  worker.emit("error", new Error("could not renew lock for job load:3"));
  const mismatch = "Lock mismatch for job load:3. Cmd moveToFinished from active";
  worker.emit("error", Object.assign(new Error(mismatch), { code: ErrorCode.JobLockMismatch }));
  const missing = "Missing lock for job load:4. moveToFinished";
  worker.emit("error", Object.assign(new Error(missing), { code: ErrorCode.JobLockNotExist }));
  expect(lines).toEqual([
    [
      "warn",
      "load:3",
      expect.stringMatching(/slow.* again, which is safe.*processor time, or raise LOCK_MS/),
    ],
    ["warn", "load:4", expect.stringContaining("lost its lock")],
  ]);
});

it("the log says that a batch was taken over, and that its worker died or was slow", () => {
  const { worker, lines } = openLog();
  worker.emit("stalled", "load:3");
  expect(lines).toEqual([["warn", "load:3", expect.stringMatching(/died, or was slower than LOCK_MS/)]]);
});

it("the log names each reason why the queue is unavailable once", () => {
  const { worker, lines } = openLog();
  for (const reason of ["connect ECONNREFUSED", "connect ECONNREFUSED", "READONLY"])
    worker.emit("error", new Error(reason));
  expect(lines).toEqual([
    ["error", "connect ECONNREFUSED", "queue unavailable"],
    ["error", "READONLY", "queue unavailable"],
  ]);
});
