import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { keysCreateCommand } from "../../scripts/commands/keys.ts";
import { basic, openRegister, type TestRegister } from "../support/register.ts";

let register: TestRegister;

beforeAll(async () => {
  register = await openRegister({ withWorker: false });
});
afterAll(() => register.close());

const create = (options: Record<string, string>) => register.run(keysCreateCommand, [], options);
const statusWith = async (key: string) => (await register.get("/search/companies?q=a", basic(key))).status;

describe("keys create", () => {
  it("makes a key that opens the API", async () => {
    const { exitCode, printed } = await create({ name: "billing" });
    expect(exitCode).toBe(0);
    expect(await statusWith(printed[0] ?? "")).toBe(200);
  });

  it("takes the key it is given", async () => {
    expect((await create({ name: "demo", key: "demo-key" })).printed).toEqual(["demo-key"]);
    expect(await statusWith("demo-key")).toBe(200);
  });

  it("keeps no key in the database, only its hash", async () => {
    await create({ name: "secretive", key: "key-to-be-hashed" });
    const kept = await register.stores.mongo.documents.list("api_keys", {}, 100);
    expect(kept.map(({ name }) => String(name))).toContain("secretive");
    expect(JSON.stringify(kept)).not.toContain("key-to-be-hashed");
  });

  it.each(["short", "with:colon", "with space in it"])("refuses %p, which could not be sent", async (key) => {
    const { error } = await create({ name: "bad", key });
    expect(error?.message).toMatch(/8 to 200 visible characters and no colon/);
  });
});
