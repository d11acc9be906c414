import type { Client } from "@elastic/elasticsearch";
import { describe, expect, it } from "@jest/globals";
import { openBuilds } from "../../../api/shared/stores/elasticsearch/builds.ts";
import { nameIndex, stampOf, versionOf } from "../../../api/shared/stores/elasticsearch/names.ts";

const MOMENT = new Date("2026-03-01T04:12:33.456Z");
const nameAfter = (...taken: string[]) => nameIndex("register-companies", 3, MOMENT, taken);

describe("the name of a search index", () => {
  it("has version and minute", () => {
    expect(nameAfter()).toBe("register-companies-v3-20260301t0412");
    expect(nameAfter("register-companies-v2-20260228t2359")).toBe("register-companies-v3-20260301t0412");
  });

  it("is more exact if there is another one of the same minute, and sorts after it", () => {
    const second = nameAfter("register-companies-v3-20260301t0412");
    expect(second).toBe("register-companies-v3-20260301t041233");
    const third = nameAfter("register-companies-v3-20260301t0412", second);
    expect(third).toBe("register-companies-v3-20260301t041233456");
  });

  it("does not go back to the minute once a later one of that minute exists", () => {
    expect(nameAfter("register-companies-v3-20260301t041220")).toBe("register-companies-v3-20260301t041233");
  });

  it("counts those of other versions as taken", () => {
    expect(nameAfter("register-companies-v10-20260301t0412")).toBe("register-companies-v3-20260301t041233");
  });

  it("is never an existing name, even if the clock was set back", () => {
    expect(nameAfter("register-companies-v3-20270101t0000")).toBe("register-companies-v3-20260301t041233456");
  });

  it("can be parsed again", () => {
    expect(versionOf("register-companies-v12-20260301t041233")).toBe(12);
    expect(versionOf("companies")).toBeUndefined();
    expect(stampOf("register-companies-v12-20260301t041233")).toBe("20260301t041233");
    expect(stampOf("companies-2026")).toBe("");
  });
});

it("the indices of an alias are listed by their time, whatever their versions", async () => {
  const names = ["companies-v10-20260301t0412", "companies-v9-20260228t0412", "companies-v9-20260302t0412"];
  const found = Object.fromEntries(names.map((name) => [name, {}]));
  // The cast: the list uses nothing else of a client.
  const client = { indices: { get: () => Promise.resolve(found) } } as unknown as Client;
  const listed = await openBuilds(client, "").list("companies");
  expect(listed.map(({ name }) => name)).toEqual([names[1], names[0], names[2]]);
});
