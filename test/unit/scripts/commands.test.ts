import { describe, expect, it, jest } from "@jest/globals";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import type { CommandDefinition, GivenOptions } from "../../../ingest/commands/define-command.ts";
import { EXAMPLE_LOAD } from "../../../ingest/history/loads.ts";
import { commands } from "../../../scripts/commands/index.ts";
import { runProgram } from "../../../scripts/program.ts";

const byName = commands.map((command) => [command.name, command] as const);
const flagsOf = ({ options }: CommandDefinition) =>
  options.map(({ flags }) => /--[a-z-]+/.exec(flags)?.[0] ?? flags);

/** The words of a line as a shell passes them on; quotes join words. */
function splitWords(line: string): string[] {
  return [...line.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? "");
}

/** How the program parses a line. */
async function parse(line: string) {
  const runs: { name: string; args: string[]; options: GivenOptions }[] = [];
  const exitCode = await runProgram(
    commands,
    ["node", "cli", ...splitWords(line)],
    ({ name }, args, options) => {
      runs.push({ name, args, options });
      return Promise.resolve();
    },
  );
  return { exitCode, runs };
}

it("lists every command that is defined", async () => {
  const files = ["scripts/commands", "ingest/commands"].flatMap((folder) =>
    readdirSync(folder).map((file) => join(folder, file)),
  );
  const modules = await Promise.all(
    files.map((file) => import(`../../../${file}`) as Promise<Record<string, object>>),
  );
  const exported = modules.flatMap((module) =>
    Object.entries(module).flatMap(([name, value]) => {
      if (name.endsWith("Commands")) return Object.values(value) as CommandDefinition[];
      return name.endsWith("Command") && "effect" in value ? [value as CommandDefinition] : [];
    }),
  );
  expect(commands.map(({ name }) => name).sort()).toEqual(exported.map(({ name }) => name).sort());
});

/** The output of a line that is wrong or asks for help. */
async function readOutput(line: string, stream: "stderr" | "stdout" = "stderr") {
  const written = jest.spyOn(process[stream], "write").mockReturnValue(true);
  const parsed = await parse(line);
  const output = written.mock.calls.join("");
  written.mockRestore();
  return { ...parsed, output };
}

it("after an unknown command of a group, says what the group is for and how to list its commands", async () => {
  const { exitCode, output } = await readOutput(`refused-rows replay ${EXAMPLE_LOAD}`);
  expect(exitCode).toBe(1);
  expect(output).toMatch(/unknown command 'replay'/);
  expect(output).toMatch(/export them, mend the file, then load FILE --mends LOAD/);
  expect(output).toMatch(/npm run cli -- refused-rows --help\n$/);
});

it.each([
  ["keys create", /required option '--name <application>'.*\nnpm run cli -- keys create --help\n$/],
  ["match list.csv", /required option '--name <column>'.*\nnpm run cli -- match --help\n$/],
  ["lods", /unknown command 'lods'[^]*\nnpm run cli -- --help\n$/],
])("says what is wrong with %s, and where to find help", async (line, message) => {
  expect((await readOutput(line)).output).toMatch(message);
});

it("marks in its help which options must be given", async () => {
  const { output } = await readOutput("match --help", "stdout");
  expect(output).toMatch(/--name <column> +column with the name \(required\)/);
});

describe.each(byName)("%s", (name, command) => {
  it("describes itself in sentences", () => {
    expect(command.summary).toMatch(/^[A-Z].*\.$/);
    for (const { description } of [...command.options, ...(command.arguments ?? [])])
      expect(description).not.toBe("");
  });

  it("has an example that the program reads as this command", async () => {
    const { runs } = await parse(command.example);
    expect(runs.map((run) => run.name)).toEqual([name]);
  });

  it("uses the current form of load ids in its example", () => {
    const takesLoad = command.arguments?.some((argument) => /^.load.$/.test(argument.name)) ?? false;
    expect(command.example.includes(EXAMPLE_LOAD)).toBe(takesLoad);
  });

  it("can print JSON", () => {
    expect(flagsOf(command)).toContain("--json");
  });

  it("has a dry run if it writes, and asks first if it deletes", () => {
    const required = {
      reads: [],
      writes: ["--dry-run"],
      deletes: ["--dry-run", "--yes"],
    }[command.effect];
    expect(flagsOf(command)).toEqual(expect.arrayContaining(required));
    // A flag without effect would mislead.
    if (command.effect === "reads") expect(flagsOf(command)).not.toContain("--yes");
  });

  it("names no option twice", () => {
    expect(new Set(flagsOf(command)).size).toBe(command.options.length);
  });
});

it("passes a list on as one text, and flags as non-empty texts", async () => {
  const { runs } = await parse("keys create --name n --allow 192.0.2.7 192.0.2.0/24 --allow ::1 --dry-run");
  expect(runs[0]?.options).toMatchObject({ name: "n", allow: "192.0.2.7 192.0.2.0/24 ::1" });
  expect(runs[0]?.options.dryRun).toBeDefined();
  expect(runs[0]?.options.json).toBeUndefined();
});

it("refuses a second value of an option, but accepts a flag twice", async () => {
  const { output, ...twice } = await readOutput("verify --index companies --index officers");
  expect(twice).toEqual({ exitCode: 1, runs: [] });
  expect(output).toMatch(/--index <name>.*twice/);
  const { runs } = await parse("verify --json --index companies --json");
  expect(runs).toMatchObject([{ name: "verify", options: { index: "companies", show: "20" } }]);
});
