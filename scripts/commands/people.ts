/** The commands `people`: people who sign in with OAuth 2.0. */
import { readFileSync } from "node:fs";
import { writeAudit } from "../../api/shared/access/audit.ts";
import {
  changePassword,
  fetchPersonByEmail,
  normaliseEmail,
  people,
  storePerson,
  type Person,
} from "../../api/shared/access/people.ts";
import { generateToken } from "../../api/shared/access/secrets.ts";
import { defineGroup, type CommandOption, type GivenOptions } from "../../ingest/commands/define-command.ts";
import { CommandError, messageOf } from "../../api/shared/runtime/errors.ts";
import type { DocumentStore } from "../../api/shared/stores/mongodb/mongo.ts";
import { removing } from "./removing.ts";

const EMAIL = /^[^\s@\p{Cc}]{1,64}@[^\s@\p{Cc}]{1,190}$/u;
// The strength of a password is its length (NIST SP 800-63B). One that is much longer is a mistake, such as a wrong
// file.
const SHORTEST = 12;
const LONGEST = 1_000;
// Length of a generated password: 120 bits, and short enough to type.
const MADE_LENGTH = 20;

const PASSWORD_OPTION: CommandOption = {
  flags: "--password-file <file>",
  description: `file with the password, ${SHORTEST} characters or more; without it a password is generated and printed`,
};
const ARGUMENT = { name: "<email>", description: "e-mail address of the person, upper or lower case" };

export const peopleCommands = defineGroup("people", "People who can sign in.", {
  create: {
    summary: "Register a person who can sign in, and print the password.",
    effect: "writes",
    arguments: [ARGUMENT],
    options: [
      { flags: "--forename <name>", description: "forename" },
      { flags: "--surname <name>", description: "surname" },
      { flags: "--locale <locale>", description: "language and country", default: "en_GB" },
      PASSWORD_OPTION,
    ],
    example: "people create ann@example.org --forename Ann --surname Example",
    run: async (context, [given = ""], options) => {
      const email = normaliseEmail(given);
      if (!EMAIL.test(email)) throw new CommandError(`"${given}" is not an e-mail address`);
      const { forename, surname, locale = "en_GB" } = options;
      const facts = { email, ...(forename && { forename }), ...(surname && { surname }), locale };
      const password = readPassword(options);
      const { documents } = context.openStores().mongo;
      if (await fetchPersonByEmail(documents, email))
        throw new CommandError(`the person ${email} already exists; people password gives a new password`);
      if (options.dryRun !== undefined) {
        return { exitCode: 0, data: { created: false, ...facts }, lines: [`would register ${email}`] };
      }
      const person = await storePerson(documents, { ...facts, password: password.text }, new Date());
      await writeAudit(documents, { action: "person registered", subject: person._id, details: { email } });
      const data = { created: true, id: person._id, ...facts, ...password.shown };
      return { exitCode: 0, data, lines: [password.shown.password ?? `registered ${email}`] };
    },
  },

  list: {
    summary: "List the people who can sign in: id, e-mail address, name.",
    effect: "reads",
    example: "people list",
    run: async (context) => {
      const found = await people.fetchByAge(context.openStores().mongo.documents);
      const data = found.map(({ _id, email, forename, surname, locale, created_at }) => {
        return { id: _id, email, forename, surname, locale, created_at };
      });
      const lines = data.map(({ id, email, forename, surname, created_at }) =>
        [id, email, ...[forename, surname].filter(Boolean), `since ${created_at.slice(0, 10)}`].join("  "),
      );
      return { exitCode: 0, data, lines };
    },
  },

  password: {
    summary: "Change the password of a person, and print it.",
    effect: "writes",
    details: "Grants of the person stay; grants revoke ends them.",
    arguments: [ARGUMENT],
    options: [PASSWORD_OPTION],
    example: "people password ann@example.org",
    run: async (context, [asked = ""], options) => {
      const password = readPassword(options);
      const { documents } = context.openStores().mongo;
      const person = await requirePerson(documents, asked);
      const data = { email: person.email };
      if (options.dryRun !== undefined) {
        const line = `would change the password of ${person.email}`;
        return { exitCode: 0, data: { ...data, changed: false }, lines: [line] };
      }
      await changePassword(documents, person, password.text);
      await writeAudit(documents, { action: "password changed", subject: person._id, details: data });
      const lines = [password.shown.password ?? `changed the password of ${person.email}`];
      return { exitCode: 0, data: { ...data, changed: true, ...password.shown }, lines };
    },
  },

  remove: {
    summary: "Remove a person: within seconds all their grants end.",
    effect: "deletes",
    arguments: [ARGUMENT],
    example: "people remove ann@example.org",
    run: removing("remove", async (context, asked) => {
      const { documents } = context.openStores().mongo;
      const person = await requirePerson(documents, asked);
      const { _id: id, email } = person;
      return {
        label: email,
        question: `${email} will be removed for good, with all grants.`,
        data: { id, email },
        audit: { action: "person removed", subject: id, details: { id, email } },
        remove: () => people.remove(documents, person),
      };
    }),
  },
});

/** The person with an e-mail address. Throws CommandError if there is none. */
export async function requirePerson(documents: DocumentStore, email: string): Promise<Person> {
  const person = await fetchPersonByEmail(documents, email);
  if (person) return person;
  throw new CommandError(`there is no person ${email}; npm run cli -- people list shows them`);
}

/** Reads the password of the option, or generates one. `shown` has it only if it was generated, for the result. */
function readPassword({ passwordFile: file }: GivenOptions): { text: string; shown: { password?: string } } {
  if (file === undefined) {
    const text = generateToken().slice(0, MADE_LENGTH);
    return { text, shown: { password: text } };
  }
  const text = readLine(file);
  if (/\p{Cc}/u.test(text))
    throw new CommandError(
      `the password in ${file} must be one line, without tabs or other control characters`,
    );
  if (text.length >= SHORTEST && text.length <= LONGEST) return { text, shown: {} };
  throw new CommandError(
    `the password must have ${SHORTEST} to ${LONGEST} characters; ${file} has ${text.length}`,
  );
}

/** The text of a file, without the byte order mark and the final line end that editors add. */
function readLine(file: string): string {
  try {
    return readFileSync(file, "utf8").replace(/^\uFEFF|\r?\n$/g, "");
  } catch (error) {
    throw new CommandError(`cannot read --password-file: ${messageOf(error)}`);
  }
}
