/** Owns the command that makes keys. */
import { generateKey, shortId, storeKey } from "../../api/shared/access/api-keys.ts";
import { storeApplication, type Application } from "../../api/shared/access/applications.ts";
import { writeAudit } from "../../api/shared/access/audit.ts";
import { defineCommand, type GivenOptions } from "../../ingest/commands/define-command.ts";
import { CommandError } from "../../api/shared/runtime/errors.ts";
import type { DocumentStore } from "../../api/shared/stores/mongodb/mongo.ts";
import { describeTerms, parseName, readTerms, TERM_OPTIONS } from "./application-terms.ts";
import { findApplication } from "./find-application.ts";

const DAY_MS = 86_400_000;
const DAYS = /^(\d{1,5})d$/;
const DATE = /^\d{4}-\d{2}-\d{2}$/;

export const keysCreateCommand = defineCommand({
  name: "keys create",
  summary: "Create an API key of an application, and print it.",
  effect: "writes",
  details:
    "If the application does not exist, it is registered with the terms that you give; applications change changes the\n" +
    "terms later. Only a hash of the key is stored: it cannot be shown again. Without --expires the key does not expire.",
  options: [
    { flags: "--name <application>", description: "name or id of the application", required: true },
    { flags: "--stream", description: "a key for the event streams; it does not work for the API" },
    {
      flags: "--expires <when>",
      description: "day on which the key expires (2027-01-31, UTC), or number of days (90d)",
    },
    ...TERM_OPTIONS,
  ],
  example: 'keys create --name "billing system" --limit 600 --allow 192.0.2.0/24 --expires 90d',
  run: async (context, _args, options) => {
    const moment = new Date();
    const asked = parseName("--name", options.name ?? "");
    const terms = readTerms(options);
    const kind: "rest" | "stream" = options.stream === undefined ? "rest" : "stream";
    const given = { kind, ...readExpiry(options, moment) };
    const { documents } = context.openStores().mongo;
    const found = await findApplication(documents, asked);
    if (found && Object.keys(terms).length > 0) {
      throw new CommandError(
        `the application ${asked} already exists; applications change changes its terms`,
      );
    }
    if (options.dryRun !== undefined) {
      const which = `for ${found ? "" : "the new application "}${asked}: ${describeTerms(found ?? terms)}`;
      const data = { created: false, name: asked, ...terms, ...given };
      return { exitCode: 0, data, lines: [`would create a key ${which}; ${describeExpiry(given)}`] };
    }
    const application = found ?? (await register(documents, { name: asked, ...terms }, moment));
    const key = generateKey();
    const kept = await storeKey(documents, key, { application: application._id, ...given }, moment);
    const details = { application: application._id, ...given };
    await writeAudit(documents, { action: "key created", subject: shortId(kept), details });
    const data = { created: true, key, id: shortId(kept), name: application.name, ...details };
    return { exitCode: 0, data, lines: [key] };
  },
});

/** Until when a key holds, in words. */
export function describeExpiry({ expires_at }: { expires_at?: string }): string {
  return expires_at === undefined
    ? "does not expire"
    : `until ${expires_at.slice(0, 16).replace("T", " ")} UTC`;
}

async function register(
  documents: DocumentStore,
  terms: Parameters<typeof storeApplication>[1],
  moment: Date,
): Promise<Application> {
  const application = await storeApplication(documents, terms, moment);
  await writeAudit(documents, {
    action: "application created",
    subject: application._id,
    details: { ...terms },
  });
  return application;
}

function readExpiry({ expires }: GivenOptions, moment: Date): { expires_at?: string } {
  if (expires === undefined) return {};
  const [, days] = DAYS.exec(expires) ?? [];
  const time = days !== undefined ? moment.getTime() + Number(days) * DAY_MS : parseDay(expires);
  if (time > moment.getTime()) return { expires_at: new Date(time).toISOString() };
  throw new CommandError(
    `--expires must be a day in the future (2027-01-31) or a number of days (90d), not "${expires}"`,
  );
}

/** Its first moment; NaN for what is no day: the 30th of February is none. */
function parseDay(text: string): number {
  const time = DATE.test(text) ? Date.parse(text) : NaN;
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text) ? time : NaN;
}
