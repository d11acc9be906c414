import { describe, expect, it } from "@jest/globals";
import { Repeats } from "../../../ingest/load/repeats.ts";

const keys = Array.from({ length: 50_000 }, (_, at) => `99${at}`);

describe("repeated keys", () => {
  it("are all found, with hardly any others", () => {
    const repeats = new Repeats();
    const again = keys.filter((_, at) => at % 10 === 0);
    for (const key of [...keys, ...again]) repeats.see(key);
    expect(again.filter((key) => !repeats.isRepeated(key))).toEqual([]);
    expect(keys.filter((key) => repeats.isRepeated(key)).length).toBeLessThan(again.length + 100);
  });

  it("of a small file take little memory", () => {
    const before = process.memoryUsage().arrayBuffers;
    const repeats = new Repeats();
    for (const key of keys.slice(0, 10)) repeats.see(key);
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(1_000_000);
    expect(repeats.isRepeated("991")).toBe(false);
  });
});
