import { expect, it } from "@jest/globals";
import type { ApiKey } from "../../../api/core/api-keys.ts";
import { rateLimit } from "../../../api/http/rate-limit.ts";

/** One call with a key of this limit; what was counted of it, and its refusal. */
async function call(limit?: number) {
  const counted: string[] = [];
  const count = (key: string) => Promise.resolve(counted.push(key));
  const key: ApiKey = {
    _id: "hash",
    name: "limited",
    created_at: "2026-03-01",
    ...(limit !== undefined && { limit }),
  };
  const context = { state: { key }, set: () => undefined };
  // The cast: nothing else of a request is looked at.
  const answered = rateLimit({ count }, () => 0)(context as never, () => Promise.resolve()) as Promise<void>;
  const refusal = await answered.then(
    () => null,
    (error: { status: number }) => error.status,
  );
  return { counted, refusal };
}

it("a key without a limit is let through uncounted", async () => {
  expect(await call()).toEqual({ counted: [], refusal: null });
});

it("a key is let through as often as its limit says", async () => {
  expect(await call(1)).toEqual({ counted: ["hash"], refusal: null });
});

// Only a hand that changes the database writes it, to shut a key out.
it("a limit of no calls lets none through", async () => {
  expect(await call(0)).toEqual({ counted: ["hash"], refusal: 429 });
});
