import { describe, expect, it, jest } from "@jest/globals";
import { setTimeout as sleep } from "node:timers/promises";
import { ClientDisconnectedError, openBudget } from "../../../api/shared/runtime/deadlines.ts";
import { BusyError } from "../../../api/shared/runtime/errors.ts";
import { Admission } from "../../../api/http/limits/admission.ts";

const LIMITS = { what: "searches", atOnce: 4, waiting: 4, retryAfterSeconds: 1 };

/** Work that ends when the test calls `endFirst`, the earliest first. */
function openWork() {
  const begun: string[] = [];
  const ends: (() => void)[] = [];
  const work = (name: string) => () =>
    new Promise<string>((resolve) => {
      begun.push(name);
      ends.push(() => resolve(name));
    });
  return { begun, work, endFirst: () => ends.shift()?.() };
}

const settle = () => sleep(1);

describe("admission", () => {
  it("gives one caller at most half of the places, so that another caller's work begins at once", async () => {
    const admission = new Admission(LIMITS);
    const { begun, work } = openWork();
    for (const name of ["a1", "a2", "a3", "a4"]) void admission.run("a", undefined, work(name));
    for (const name of ["b1", "b2"]) void admission.run("b", undefined, work(name));
    await settle();
    expect(begun).toEqual(["a1", "a2", "b1", "b2"]);
    expect(admission.count()).toEqual({ underWay: 4, waiting: 2 });
  });

  it("gives the next free place to the caller with the least work in progress", async () => {
    const admission = new Admission({ ...LIMITS, waiting: 8 });
    const { begun, work, endFirst } = openWork();
    for (const name of ["a1", "a2", "a3"]) void admission.run("a", undefined, work(name));
    for (const name of ["b1", "b2", "b3"]) void admission.run("b", undefined, work(name));
    void admission.run("c", undefined, work("c1"));
    await settle();
    endFirst();
    await settle();
    expect(begun.at(-1)).toBe("c1");
  });

  it("lets an idle caller wait with one piece of work, even if other callers fill all places and the queue", async () => {
    const admission = new Admission(LIMITS);
    const { begun, work, endFirst } = openWork();
    for (const caller of ["a", "a", "a", "a", "b", "b", "b", "b"])
      void admission.run(caller, undefined, work(caller));
    void admission.run("c", undefined, work("c1"));
    await expect(admission.run("c", undefined, work("c2"))).rejects.toThrow(BusyError);
    endFirst();
    await settle();
    expect(begun.at(-1)).toBe("c1");
  });

  it("takes turns between callers with equally much work: first the one whose work ended longest ago", async () => {
    const admission = new Admission({ ...LIMITS, atOnce: 1, waiting: Infinity });
    const { begun, work, endFirst } = openWork();
    const enter = (name: string) => void admission.run(name, undefined, work(name)).then(enter);
    for (const name of ["a", "a", "b"]) enter(name);
    for (let turn = 0; turn < 6; turn += 1) {
      await settle();
      endFirst();
    }
    await settle();
    expect(begun).toEqual(["a", "b", "a", "b", "a", "b", "a"]);
  });

  it("frees the place of work that succeeded and of work that failed", async () => {
    const admission = new Admission({ ...LIMITS, atOnce: 1, waiting: 0 });
    const fails = () => Promise.reject(new Error("broken"));
    await expect(admission.run("a", undefined, fails)).rejects.toThrow("broken");
    await expect(admission.run("a", undefined, () => Promise.resolve("done"))).resolves.toBe("done");
    expect(admission.count()).toEqual({ underWay: 0, waiting: 0 });
  });

  it("refuses at once the work for which the queue has no room, of one caller and of all together", async () => {
    const admission = new Admission(LIMITS);
    const { work } = openWork();
    for (let call = 0; call < 4; call += 1) void admission.run("a", undefined, work("a"));
    await expect(admission.run("a", undefined, work("a"))).rejects.toThrow("this application has too many");
    for (let call = 0; call < 4; call += 1) void admission.run("b", undefined, work("b"));
    void admission.run("c", undefined, work("c"));
    await expect(admission.run("c", undefined, work("c"))).rejects.toThrow(BusyError);
  });

  it("says whose limit is reached where no work may wait", async () => {
    const admission = new Admission({ ...LIMITS, atOnce: 2, waiting: 0 });
    const { work } = openWork();
    void admission.run("a", undefined, work("a"));
    await expect(admission.run("a", undefined, work("a"))).rejects.toThrow("this application has too many");
    void admission.run("b", undefined, work("b"));
    await expect(admission.run("c", undefined, work("c"))).rejects.toThrow("too many searches are running");
  });

  it("keeps nothing of a caller whose work has ended or was refused", async () => {
    const admission = new Admission({ ...LIMITS, atOnce: 1, waiting: 0 });
    // The cast: what it keeps is private.
    const { callers } = admission as unknown as { callers: Map<string, unknown> };
    const { work, endFirst } = openWork();
    const done = admission.run("a", undefined, work("a"));
    await expect(admission.run("b", undefined, work("b"))).rejects.toThrow(BusyError);
    expect([...callers.keys()]).toEqual(["a"]);
    endFirst();
    await done;
    expect(callers.size).toBe(0);
  });

  it("refuses work that has waited for half of its time budget", async () => {
    const admission = new Admission({ ...LIMITS, atOnce: 1 });
    const { work } = openWork();
    void admission.run("a", undefined, work("a"));
    jest.useFakeTimers();
    try {
      const refused: unknown[] = [];
      void admission.run("b", openBudget(200), work("b")).catch((error: unknown) => refused.push(error));
      await jest.advanceTimersByTimeAsync(99);
      expect([refused, admission.count()]).toEqual([[], { underWay: 1, waiting: 1 }]);
      await jest.advanceTimersByTimeAsync(1);
      expect(refused).toEqual([expect.any(BusyError)]);
      expect(admission.count()).toEqual({ underWay: 1, waiting: 0 });
    } finally {
      jest.useRealTimers();
    }
  });

  it("refuses waiting work whose caller has disconnected", async () => {
    const admission = new Admission({ ...LIMITS, atOnce: 1 });
    const { work, begun, endFirst } = openWork();
    void admission.run("a", undefined, work("a"));
    const budget = openBudget(10_000);
    const refused = admission.run("b", budget, work("b"));
    budget.abandon();
    await expect(refused).rejects.toThrow(ClientDisconnectedError);
    endFirst();
    await settle();
    expect(begun).toEqual(["a"]);
    expect(admission.count()).toEqual({ underWay: 0, waiting: 0 });
  });
});
