import { expect, it } from "@jest/globals";
import { generateToken, hashPassword, isPassword } from "../../../../api/shared/access/secrets.ts";

it("a password matches its hash, in whatever Unicode form it was typed", async () => {
  const hash = await hashPassword("caf\u00e9 au lait");
  expect(await isPassword("cafe\u0301 au lait", hash)).toBe(true);
  expect(await isPassword("cafe au lait", hash)).toBe(false);
  expect(hash).not.toContain("lait");
});

it("two hashes of one password differ", async () => {
  expect(await hashPassword("same")).not.toBe(await hashPassword("same"));
});

it("the password of an unknown person is never right", async () => {
  expect(await isPassword("", null)).toBe(false);
});

it("the check for an unknown person takes as long as for a known one", async () => {
  const hash = await hashPassword("some");
  const time = async (stored: string | null) => {
    const startedAt = performance.now();
    await isPassword("other", stored);
    return performance.now() - startedAt;
  };
  // The shortest of several times, because a busy machine makes some longer.
  const [nobody, somebody]: [number[], number[]] = [[], []];
  for (let at = 0; at < 3; at += 1) {
    nobody.push(await time(null));
    somebody.push(await time(hash));
  }
  expect(Math.min(...nobody)).toBeGreaterThan(Math.min(...somebody) / 2);
});

it("tokens are long and never the same", () => {
  const tokens = new Set(Array.from({ length: 1_000 }, generateToken));
  expect(tokens.size).toBe(1_000);
  expect([...tokens].every((token) => /^[\w-]{43}$/.test(token))).toBe(true);
});
