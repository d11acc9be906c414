/** Commands that change web clients, and commands that list and end the grants of a person or a client. */
import { beforeAll, describe, expect, it } from "@jest/globals";
import { fetchAudit } from "../../api/shared/access/audit.ts";
import { storeGrant } from "../../api/shared/access/grants.ts";
import { webClients } from "../../api/shared/access/web-clients.ts";
import type { CommandDefinition } from "../../ingest/commands/define-command.ts";
import { clientsCommands } from "../../scripts/commands/clients.ts";
import { grantsCommands } from "../../scripts/commands/grants.ts";
import { changedCommand, sayingNo } from "../support/changed-command.ts";
import { forAllTests } from "../support/for-all-tests.ts";
import { REDIRECT, addTestClient, addTestPerson, type TestClient } from "../support/oauth.ts";
import { openRegister } from "../support/register.ts";

const DAY_MS = 86_400_000;
const OTHER = "https://billing.example/back";

const register = forAllTests(() => openRegister({ withWorker: false }));

async function runJson(command: CommandDefinition, args: string[], options: Record<string, string> = {}) {
  const { printed, error } = await register.run(command, args, { ...options, json: "true" });
  if (error) throw error;
  return JSON.parse(printed[0] ?? "") as Record<string, unknown>;
}

const messageOf = async (command: CommandDefinition, args: string[], options: Record<string, string> = {}) =>
  (await register.run(command, args, options)).error?.message;

/** Sends a code that does not exist: the status is 400 if the secret is right, 401 if it is wrong. */
async function statusWith(client_id: string, client_secret: string): Promise<number> {
  const given = { grant_type: "authorization_code", code: "of nobody", client_id, client_secret };
  const body = new URLSearchParams(given);
  return (await fetch(`${register.base}/oauth2/token`, { method: "POST", body })).status;
}

async function mayReturnTo(client_id: string, redirect_uri: string): Promise<boolean> {
  const asked = new URLSearchParams({ client_id, redirect_uri, scope: "search.read" }).toString();
  return (await fetch(`${register.base}/oauth2/authorise?${asked}`)).status === 200;
}

describe("a web client", () => {
  let client: TestClient;
  beforeAll(async () => {
    client = await addTestClient(register.stores, { name: "Billing" });
  });

  it("gets other redirect addresses and keeps everything else", async () => {
    const { change } = clientsCommands;
    const tried = await register.run(change, [client.id], { redirect: OTHER, dryRun: "true" });
    expect(tried.printed).toEqual([`would change ${client.id}: ${OTHER}`]);
    expect(await mayReturnTo(client.id, OTHER)).toBe(false);
    const { printed } = await register.run(change, [client.id], { redirect: `${OTHER} ${OTHER}` });
    expect(printed).toEqual([`${client.id}: ${OTHER}`]);
    expect([await mayReturnTo(client.id, OTHER), await mayReturnTo(client.id, REDIRECT)]).toEqual([
      true,
      false,
    ]);
    expect(await statusWith(client.id, client.secret)).toBe(400);
    const [line] = await fetchAudit(register.stores.mongo.documents, 1);
    expect(line).toMatchObject({
      ...{ action: "client changed", subject: client.id },
      details: { from: expect.arrayContaining([REDIRECT]), to: [OTHER] },
    });
    expect(await runJson(change, [client.id], { redirect: OTHER })).toMatchObject({ changed: false });
  });

  it("is not changed if another command has changed it meanwhile", async () => {
    const { documents } = register.stores.mongo;
    const putIf: typeof documents.putIf = async (collection, ...given) => {
      await documents.amend(collection, [{ _id: client.id, redirect_uris: [REDIRECT] }]);
      return documents.putIf(collection, ...given);
    };
    const { mongo } = register.stores;
    const stores = { ...register.stores, mongo: { ...mongo, documents: { ...documents, putIf } } };
    const late = changedCommand(clientsCommands.change, () => ({ openStores: () => stores }));
    const words = `${client.id} was changed or removed meanwhile; run this again`;
    expect(await messageOf(late, [client.id], { redirect: "https://third.example/" })).toBe(words);
  });

  it("gets a new secret, which replaces the former one at once", async () => {
    const { secret } = clientsCommands;
    const tried = await register.run(secret, [client.id], { dryRun: "true" });
    expect(tried.printed).toEqual([`would replace the secret of ${client.id}`]);
    expect(await statusWith(client.id, client.secret)).toBe(400);
    const renewed = String((await runJson(secret, [client.id])).client_secret);
    expect([await statusWith(client.id, renewed), await statusWith(client.id, client.secret)]).toEqual([
      400, 401,
    ]);
    const [line] = await fetchAudit(register.stores.mongo.documents, 1);
    expect(line).toMatchObject({ action: "client secret renewed", subject: client.id });
    expect(JSON.stringify(line)).not.toContain(renewed);
    client = { ...client, secret: renewed };
  });

  it("keeps its former secret for some days on request, and no longer", async () => {
    const { printed } = await register.run(clientsCommands.secret, [client.id], { keepFormer: "2d" });
    const [renewed = ""] = printed;
    expect(await statusWith(client.id, client.secret)).toBe(400);
    const { documents } = register.stores.mongo;
    const { former_secret } = (await webClients.fetch(documents, client.id)) ?? {};
    expect(Date.parse(former_secret?.expires_at ?? "")).toBeGreaterThan(Date.now() + DAY_MS);
    const listedUntil = async () => (await register.run(clientsCommands.list, [])).printed.join("\n");
    const day = former_secret?.expires_at.slice(0, 10);
    expect(await listedUntil()).toContain(`, former secret until ${day}  `);
    const ended = { ...former_secret, expires_at: new Date().toISOString() };
    await documents.amend(webClients.collection, [{ _id: client.id, former_secret: ended }]);
    expect(await listedUntil()).not.toContain("former secret");
    expect([await statusWith(client.id, renewed), await statusWith(client.id, client.secret)]).toEqual([
      400, 401,
    ]);
  });

  it("is named in the error if it does not exist", async () => {
    const words = /^there is no client nobody; /;
    expect(await messageOf(clientsCommands.change, ["nobody"], { redirect: OTHER })).toMatch(words);
    expect(await messageOf(clientsCommands.secret, ["nobody"])).toMatch(words);
  });

  it("takes no invalid redirect address, and no invalid time for its former secret", async () => {
    expect(await messageOf(clientsCommands.change, [client.id], { redirect: "nowhere" })).toMatch(
      /^--redirect takes addresses .*, not "nowhere"$/,
    );
    // An empty value may come from a variable that is not set.
    for (const keepFormer of ["long", ""])
      expect(await messageOf(clientsCommands.secret, [client.id], { keepFormer })).toMatch(
        new RegExp(
          `^--keep-former must be a day in the future \\(2027-01-31\\) or a number of days \\(90d\\), not "${keepFormer}"$`,
        ),
      );
  });
});

describe("grants", () => {
  const ids: string[] = [];
  let clients: TestClient[];
  beforeAll(async () => {
    const { documents } = register.stores.mongo;
    clients = [
      await addTestClient(register.stores, { name: "Ledger" }),
      await addTestClient(register.stores, { name: "Payroll" }),
    ];
    const now = Date.now();
    const expires_at = new Date(now + DAY_MS).toISOString();
    for (const email of ["ann@example.org", "bea@example.org"]) {
      const { _id: person } = await addTestPerson(register.stores, email);
      for (const { application, id: client } of clients) {
        const facts = { application: application._id, client, person, scopes: ["search.read"], expires_at };
        const grant = await storeGrant(
          documents,
          { ...facts, used_at: "2026-11-27T00:00:00.000Z" },
          new Date(now + ids.length),
        );
        ids.push(grant._id);
      }
    }
  });

  const listed = async (options: Record<string, string> = {}) =>
    ((await runJson(grantsCommands.list, [], options)) as unknown as { id: string }[]).map(({ id }) => id);

  it("are listed by person and by client, latest first, with the application's name and the last use", async () => {
    expect(await listed()).toEqual(ids.toReversed());
    expect(await listed({ person: "ANN@example.org" })).toEqual([ids[1], ids[0]]);
    const client = clients[0]?.id ?? "";
    expect(await listed({ client })).toEqual([ids[2], ids[0]]);
    expect(await listed({ client, person: "bea@example.org" })).toEqual([ids[2]]);
    // The person's id is internal: commands name people by their addresses.
    const [shown] = (await runJson(grantsCommands.list, [], { client })) as unknown as object[];
    expect(Object.keys(shown ?? {})).not.toContain("person");
    const { printed } = await register.run(grantsCommands.list, [], { client, person: "bea@example.org" });
    expect(printed).toEqual([
      expect.stringMatching(
        new RegExp(
          `^${ids[2]}  bea@example.org to Ledger \\(${client}\\): search.read; since [-\\d]{10}, last used 2026-11-27, until [-\\d]{10}$`,
        ),
      ),
    ]);
  });

  it("end by person and by client after a confirmation, each with an audit line", async () => {
    const { revoke } = grantsCommands;
    const asked = { person: "ann@example.org" };
    expect((await register.run(sayingNo(revoke), [], asked)).exitCode).toBe(1);
    const { printed } = await register.run(revoke, [], { ...asked, dryRun: "true" });
    expect(printed).toEqual(["would end 2 grants of ann@example.org"]);
    expect(await listed()).toHaveLength(4);
    expect(await runJson(revoke, [], { ...asked, yes: "true" })).toEqual({
      ids: expect.arrayContaining(ids.slice(0, 2)),
      revoked: true,
    });
    const lines = await fetchAudit(register.stores.mongo.documents, 2);
    expect(lines.map(({ action, subject }) => [action, subject]).sort()).toEqual(
      ids
        .slice(0, 2)
        .sort()
        .map((id) => ["grant revoked", id]),
    );
    const client = clients[1]?.id ?? "";
    const ended = await register.run(revoke, [], { client, yes: "true" });
    expect(ended.printed).toEqual([`ended 1 grant to ${client}`]);
    expect(await listed()).toEqual([ids[2]]);
  });

  it.each<[string[], Record<string, string>, RegExp]>([
    [[], {}, /^name a grant, --person or --client$/],
    [["none"], {}, /^there is no grant none; npm run cli -- grants list shows them$/],
    [[], { person: "ann@example.org" }, /^there is no grant of ann@example\.org; /],
    [[], { person: "nobody@example.org" }, /^there is no person nobody@example\.org; /],
    [[], { client: "nobody" }, /^there is no client nobody; /],
  ])("that do not exist are named in the error: %p %p", async (args, options, words) => {
    expect(await messageOf(grantsCommands.revoke, args, { ...options, yes: "true" })).toMatch(words);
  });

  it("of a removed person are neither listed nor counted", async () => {
    const { documents } = register.stores.mongo;
    const [{ application, id: client }] = clients as [TestClient];
    const expires_at = new Date(Date.now() + DAY_MS).toISOString();
    const facts = { application: application._id, client, person: "gone", scopes: [], expires_at };
    await storeGrant(documents, facts, new Date());
    const { printed } = await register.run(grantsCommands.revoke, [], { client, dryRun: "true" });
    expect(printed).toEqual([`would end 1 grant to ${client}`]);
    expect(await listed({ client })).toHaveLength(1);
  });

  it("end when their client is removed", async () => {
    for (const { id } of clients) await register.run(clientsCommands.remove, [id], { yes: "true" });
    expect(await listed()).toEqual([]);
    expect(await webClients.fetch(register.stores.mongo.documents, clients[0]?.id ?? "")).toBeNull();
  });
});
