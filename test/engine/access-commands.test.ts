/** Commands for web clients, people, company codes and grants: what they create works until it is removed. */
import { beforeAll, expect, it } from "@jest/globals";
import { companyRecord } from "../../api/resources/company-profile/record.ts";
import { isCompanyCode, removeCompanyCode, storeCompanyCode } from "../../api/shared/access/company-codes.ts";
import type { CommandDefinition } from "../../ingest/commands/define-command.ts";
import { applicationsCommands } from "../../scripts/commands/applications.ts";
import { clientsCommands } from "../../scripts/commands/clients.ts";
import { grantsCommands } from "../../scripts/commands/grants.ts";
import { auditCommand } from "../../scripts/commands/audit.ts";
import { companyCodesCommands } from "../../scripts/commands/company-codes.ts";
import { peopleCommands } from "../../scripts/commands/people.ts";
import { changedCommand, sayingNo } from "../support/changed-command.ts";
import { forAllTests } from "../support/for-all-tests.ts";
import { writeFile } from "../support/load-command.ts";
import { Browser, REDIRECT } from "../support/oauth.ts";
import { makeOwnFolder } from "../support/own-folder.ts";
import { openRegister } from "../support/register.ts";
import { toStored } from "../support/stored.ts";

const EMAIL = "ann@example.org";
const folder = makeOwnFolder();
const register = forAllTests(() => openRegister({ withWorker: false, clock: () => new Date(now) }));
let now = Date.now();
beforeAll(async () => {
  await register.run(applicationsCommands.create, ["Billing"]);
});

async function runJson(command: CommandDefinition, args: string[], options: Record<string, string> = {}) {
  const { printed, error } = await register.run(command, args, { ...options, json: "true" });
  if (error) throw error;
  return JSON.parse(printed[0] ?? "") as Record<string, string> & Record<string, string>[];
}

/** Runs the whole OAuth flow with the client and person that the commands created; returns the access token. */
async function getToken(client: Record<string, string>, email: string, password: string): Promise<string> {
  const { client_id = "", client_secret = "" } = client;
  const query = new URLSearchParams({
    client_id,
    redirect_uri: REDIRECT,
    scope: "user/profile.read",
  }).toString();
  const browser = new Browser();
  await browser.open(`${register.base}/oauth2/authorise?${query}`);
  await browser.send({ email, password });
  const code = new URL((await browser.send({ decision: "grant" })).url).searchParams.get("code") ?? "";
  const body = new URLSearchParams({ grant_type: "authorization_code", code, client_id, client_secret });
  const answer = await fetch(`${register.base}/oauth/token`, { method: "POST", body });
  return String(((await answer.json()) as Record<string, unknown>).access_token);
}
let files = 0;
/** The option that names a file with this text, as an editor would save it. */
function fileWith(text: string) {
  return { passwordFile: writeFile(folder, `password-${(files += 1)}`, text) };
}
async function statusWith(token: string): Promise<number> {
  now += 5_001;
  return (await register.get("/user/profile", { authorization: `Bearer ${token}` })).status;
}

it("removes no person when the audit line cannot be written or the answer is no", async () => {
  const person = await runJson(peopleCommands.create, ["bea@example.org"]);
  const { documents } = register.stores.mongo;
  const put: typeof documents.put = (collection, document) =>
    collection === "audit" ? Promise.reject(new Error("killed")) : documents.put(collection, document);
  const stores = {
    ...register.stores,
    mongo: { ...register.stores.mongo, documents: { ...documents, put } },
  };
  const { remove } = peopleCommands;
  const killed = changedCommand(remove, () => ({ openStores: () => stores }));
  const { error } = await register.run(killed, ["bea@example.org"], { yes: "true" });
  expect(error?.message).toBe("killed");
  const { exitCode, messages } = await register.run(sayingNo(remove), ["bea@example.org"]);
  expect([exitCode, messages]).toEqual([1, ["nothing was done"]]);
  expect(await runJson(peopleCommands.list, [])).toContainEqual(expect.objectContaining({ id: person.id }));
  await register.run(remove, ["bea@example.org"], { yes: "true" });
});

it("creates a client and a person, uses them and removes them", async () => {
  const client = await runJson(clientsCommands.create, ["Billing"], { redirect: REDIRECT });
  const person = await runJson(peopleCommands.create, [EMAIL.toUpperCase()], {
    forename: "Ann",
    surname: "Example",
  });
  const first = await getToken(client, EMAIL, person.password ?? "");
  expect(await statusWith(first)).toBe(200);

  const [grant] = await runJson(grantsCommands.list, []);
  expect(grant).toMatchObject({ email: EMAIL, client: client.client_id, scopes: ["user/profile.read"] });
  await register.run(grantsCommands.revoke, [grant?.id ?? ""], { yes: "true" });
  expect(await statusWith(first)).toBe(401);

  const { passwordFile } = fileWith("\uFEFFcorrect horse battery\r\n");
  await register.run(peopleCommands.password, [EMAIL], { passwordFile });
  const second = await getToken(client, EMAIL, "correct horse battery");
  expect(await statusWith(second)).toBe(200);
  await register.run(clientsCommands.remove, [client.client_id ?? ""], { yes: "true" });
  expect(await statusWith(second)).toBe(401);
  expect(await runJson(clientsCommands.list, [])).toEqual([]);
  expect(await runJson(grantsCommands.list, [])).toEqual([]);

  const other = await runJson(clientsCommands.create, ["Billing"], { redirect: REDIRECT });
  const third = await getToken(other, EMAIL, "correct horse battery");
  expect(await statusWith(third)).toBe(200);
  await register.run(peopleCommands.remove, [EMAIL], { yes: "true" });
  expect(await statusWith(third)).toBe(401);
  expect(await runJson(peopleCommands.list, [])).toEqual([]);
  expect(await runJson(grantsCommands.list, [])).toEqual([]);
});

it("writes an audit line for each change, without secrets", async () => {
  const lines = (await runJson(auditCommand, [], { limit: "100" })).map(({ action }) => action).reverse();
  expect(lines).toEqual(
    expect.arrayContaining([
      ...["application created", "client created", "person registered", "person signed in", "access granted"],
      ...["grant revoked", "password changed", "client removed", "person removed"],
    ]),
  );
  const { printed } = await register.run(auditCommand, [], { limit: "100" });
  expect(printed.join()).not.toContain("correct horse");
});

it("replaces a company's code when the command runs again, and --dry-run says so", async () => {
  const dryRun = async () =>
    (await register.run(companyCodesCommands.create, ["99000064"], { dryRun: "true" })).printed;
  expect(await dryRun()).toEqual(["would create a code of company 99000064"]);
  const codes = [
    (await register.run(companyCodesCommands.create, ["99000064"])).printed[0],
    (await register.run(companyCodesCommands.create, ["99000064"])).printed[0],
  ];
  expect(codes[0]).toMatch(/^[2-9A-Z]{8}$/);
  expect(codes[0]).not.toBe(codes[1]);
  expect(await dryRun()).toEqual(["would replace the code of company 99000064"]);
  const { documents } = register.stores.mongo;
  const isRight = (code = "") => isCompanyCode(documents, "99000064", code);
  expect([await isRight(codes[0]), await isRight(codes[1])]).toEqual([false, true]);
  await storeCompanyCode(documents, "99000001", "k7m2-q9xw", new Date());
  const numbers = ["99000001", "99000064"];
  const listed = numbers.map((company_number) => ({ company_number }));
  expect(await runJson(companyCodesCommands.list, [])).toMatchObject(listed);
  for (const number of numbers) await register.run(companyCodesCommands.remove, [number], { yes: "true" });
  expect(await runJson(companyCodesCommands.list, [])).toEqual([]);
});

it("creates a code for a company that is not on the register, which may be loaded later, and warns", async () => {
  const make = (company: string, options = {}) =>
    register.run(companyCodesCommands.create, [company], options);
  const warning = [
    expect.stringMatching(/^company 99000019 is not on the register, or not yet: check the number$/),
  ];
  expect(await make("99000019", { dryRun: "true" })).toMatchObject({ exitCode: 0, messages: warning });
  const { printed, messages } = await make("99000019");
  expect([messages, printed]).toEqual([warning, [expect.stringMatching(/^[2-9A-Z]{8}$/)]]);
  const { writer } = register.stores.mongo;
  const company = { company_number: "99000019", company_name: "LATER LTD", type: "ltd" };
  await writer.insertMissing(companyRecord, [toStored(companyRecord, company, 1)]);
  expect(await make("99000019")).toMatchObject({ exitCode: 0, messages: [] });
  await register.run(companyCodesCommands.remove, ["99000019"], { yes: "true" });
});

it("accepts a company's code in any spelling, whatever spelling was stored", async () => {
  const { documents } = register.stores.mongo;
  await storeCompanyCode(documents, "99000070", "k7m2-q9xw", new Date());
  expect(await isCompanyCode(documents, "99000070", "K7M2 Q9XW")).toBe(true);
  await removeCompanyCode(documents, "99000070");
});

it("refuses a redirect address that no client may have", async () => {
  const { error } = await register.run(clientsCommands.create, ["Billing"], {
    redirect: "http://billing.example/back",
  });
  expect(error?.message).toMatch(/--redirect takes addresses/);
});

it.each<[string, CommandDefinition, string[], Record<string, string>, RegExp]>([
  [
    "a client of an unknown application",
    clientsCommands.create,
    ["Nobody"],
    { redirect: REDIRECT },
    /there is no application Nobody/,
  ],
  [
    "a person without an e-mail address",
    peopleCommands.create,
    ["no address"],
    {},
    /"no address" is not an e-mail address/,
  ],
  [
    "a password file that does not exist",
    peopleCommands.create,
    ["b@example.org"],
    { passwordFile: "/etc/hostname-of-nobody" },
    /cannot read --password-file/,
  ],
  [
    "a password of two lines",
    peopleCommands.create,
    ["b@example.org"],
    fileWith("correct horse battery\nof two lines\n"),
    /password in .* must be one line/,
  ],
  [
    "a password with a tab",
    peopleCommands.create,
    ["b@example.org"],
    fileWith("correct\thorse battery"),
    /password in .* must be one line/,
  ],
  [
    "a new password for an unknown person",
    peopleCommands.password,
    ["nobody@example.org"],
    {},
    /there is no person nobody@example\.org/,
  ],
  [
    "a code of a company number that is too short",
    companyCodesCommands.create,
    ["12"],
    {},
    /a company number has eight characters, not "12"/,
  ],
  [
    "the removal of a code that does not exist",
    companyCodesCommands.remove,
    ["00000001"],
    { yes: "true" },
    /company 00000001 has no code/,
  ],
  ["the end of an unknown grant", grantsCommands.revoke, ["none"], { yes: "true" }, /there is no grant none/],
])("refuses %s, in one sentence", async (_what, command, args, options, sentence) => {
  const { error } = await register.run(command, args, options);
  expect(error?.message).toMatch(sentence);
});
