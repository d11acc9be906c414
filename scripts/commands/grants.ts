/** Owns the commands about what people have granted to web clients. */
import { writeAudit } from "../../api/shared/access/audit.ts";
import { fetchGrants, revokeGrant } from "../../api/shared/access/grants.ts";
import { fetchPeople } from "../../api/shared/access/people.ts";
import { confirm } from "../../ingest/commands/confirm.ts";
import { defineCommand } from "../../ingest/commands/define-command.ts";
import { CommandError } from "../../api/shared/runtime/errors.ts";

export const grantsListCommand = defineCommand({
  name: "grants list",
  summary: "List what people have granted to web clients, latest first.",
  effect: "reads",
  example: "grants list",
  run: async (context) => {
    const { documents } = context.openStores().mongo;
    const grants = await fetchGrants(documents, new Date());
    const emails = new Map((await fetchPeople(documents)).map(({ _id, email }) => [_id, email]));
    const data = grants.map(({ _id, person, client, application, scopes, created_at, expires_at }) => {
      return { id: _id, email: emails.get(person), client, application, scopes, created_at, expires_at };
    });
    const lines = data.map(
      ({ id, email = "person removed", client, scopes, created_at, expires_at }) =>
        `${id}  ${email} to ${client}: ${scopes.join(", ")}; ${created_at.slice(0, 10)} to ${expires_at.slice(0, 10)}`,
    );
    return { exitCode: 0, data, lines };
  },
});

export const grantsRevokeCommand = defineCommand({
  name: "grants revoke",
  summary: "End a grant: within seconds its tokens stop working.",
  effect: "deletes",
  arguments: [{ name: "<grant>", description: "id of the grant, as grants list prints it" }],
  example: "grants revoke 0123456789abcdef0123",
  run: async (context, [id = ""], options) => {
    const { documents } = context.openStores().mongo;
    const grant = (await fetchGrants(documents, new Date(0))).find(({ _id }) => _id === id);
    if (!grant) throw new CommandError(`there is no grant ${id}; npm run cli -- grants list shows them`);
    if (options.dryRun !== undefined) {
      return { exitCode: 0, data: { id, revoked: false }, lines: [`would end ${id}`] };
    }
    if (!(await confirm(context, `The grant ${id} will end, with its tokens.`, options.yes !== undefined)))
      return 1;
    await revokeGrant(documents, id);
    await writeAudit(documents, { action: "grant revoked", subject: id, details: { client: grant.client } });
    return { exitCode: 0, data: { id, revoked: true }, lines: [`ended ${id}`] };
  },
});
