import { describe, expect, it } from "@jest/globals";
import { Outstanding } from "../../../ingest/queue/outstanding.ts";

const silent = () => Promise.resolve();

describe("the wait for batches", () => {
  it("ends when fewer are under way", async () => {
    const outstanding = new Outstanding(silent);
    outstanding.begin("a");
    outstanding.begin("b");
    const waiting = outstanding.waitBelow(2);
    expect(outstanding.finish("a")).toBe(true);
    await waiting;
  });

  it("does not count batches of others", () => {
    const outstanding = new Outstanding(silent);
    outstanding.begin("a");
    expect(outstanding.finish("other")).toBe(false);
    expect(outstanding.finish("a")).toBe(true);
    expect(outstanding.finish("a")).toBe(false);
  });

  it("rejects with the first failure", async () => {
    const outstanding = new Outstanding(silent);
    outstanding.begin("a");
    outstanding.begin("b");
    outstanding.fail("b", "the first reason");
    outstanding.fail("a", "the second");
    await expect(outstanding.waitBelow(1)).rejects.toThrow("the first reason");
  });

  it("settles when the last one is done, failed or not", async () => {
    const outstanding = new Outstanding(silent);
    outstanding.begin("a");
    outstanding.begin("b");
    const settled = outstanding.settle();
    outstanding.fail("a", "a reason");
    outstanding.finish("b");
    await settled;
  });

  it("looks up by itself what no event tells", async () => {
    const outstanding: Outstanding = new Outstanding((ids) => {
      for (const id of ids) outstanding.finish(id);
      return Promise.resolve();
    });
    outstanding.begin("a");
    await outstanding.waitBelow(1);
  });

  it("ends with what the look throws: a stop, or a Redis that is gone", async () => {
    const outstanding = new Outstanding(() => Promise.reject(new Error("stopped")));
    outstanding.begin("a");
    await expect(outstanding.waitBelow(1)).rejects.toThrow("stopped");
    await expect(outstanding.settle()).rejects.toThrow("stopped");
  });
});
