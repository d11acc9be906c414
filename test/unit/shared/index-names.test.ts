import { describe, expect, it } from "@jest/globals";
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
