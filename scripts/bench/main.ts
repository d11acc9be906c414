/** Entry of the benchmarks: reads the command line and runs one part. */
import { Command, CommanderError, Option } from "commander";
import { readProcessConfig } from "../../api/shared/settings/config.ts";
import { parseWholeNumber } from "../../ingest/commands/define-command.ts";
import { explain } from "../program.ts";
import { Cleanup } from "./cleanup.ts";
import type { PartDefinition, PartOptions, PartReport } from "./define-part.ts";
import { parts } from "./parts/index.ts";

const EXIT_FAILED = 1;
const COMPANIES = 300_000;
// Limit: of the register's generator. The real register has 5.7 million companies.
const MAX_COMPANIES = 5_000_000;

const tell = (line: string) => process.stderr.write(`${line}\n`);
const cleanup = new Cleanup(tell);
for (const [signal, code] of [
  ["SIGINT", 130],
  ["SIGTERM", 143],
] as const) {
  process.on(signal, () => {
    tell("stopping; everything that was created is removed");
    void cleanup.run().then(() => process.exit(code));
  });
}

process.exitCode = await main(process.argv);
process.exit();

async function main(argv: string[]): Promise<number> {
  try {
    let exitCode = 0;
    await buildProgram((report) => (exitCode = report.isShort ? EXIT_FAILED : 0)).parseAsync(argv);
    return exitCode;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode;
    tell(explain(error));
    return EXIT_FAILED;
  } finally {
    await cleanup.run();
  }
}

function buildProgram(onReport: (report: PartReport) => void): Command {
  const program = new Command("npm run bench --")
    .description("Measure the register against its engines alone, in the same run.")
    .addHelpText(
      "after",
      "\nIt needs python3, which generates the register. It starts engines unless ELASTICSEARCH_URL, MONGODB_URL and\n" +
        "REDIS_URL are set. Everything that a part creates has its own names and is removed at the end.\n\n" +
        "Example:\n  npm run bench -- search --companies 20000",
    )
    .exitOverride();
  for (const part of parts) addPart(program, part, onReport);
  return program;
}

function addPart(program: Command, part: PartDefinition, onReport: (report: PartReport) => void): void {
  const command = program.command(part.name).description(part.title).exitOverride();
  command
    .addHelpText("after", `\n${part.details}\n\nExample:\n  npm run bench -- ${part.name} --companies 20000`)
    .option(
      "--companies <number>",
      "size of the generated register",
      wholeNumber("--companies", 1, MAX_COMPANIES),
      COMPANIES,
    )
    .option("--seed <number>", "seed of the register and the queries", wholeNumber("--seed", 0, 1_000_000), 1)
    .option("--rounds <number>", "how often everything is measured", wholeNumber("--rounds", 1, 1_000))
    .option("--json", "print the result as JSON");
  for (const { flags, description, default: preset, least = 1 } of part.options) {
    const option = new Option(flags, description).default(preset);
    if (typeof preset === "number") option.argParser(wholeNumber(`--${option.name()}`, least));
    command.addOption(option);
  }
  command.action(async (options: Record<string, unknown>) => onReport(await run(part, options)));
}

async function run(part: PartDefinition, given: Record<string, unknown>): Promise<PartReport> {
  const { companies, seed, rounds, json, ...own } = given;
  // Commander has parsed and checked these.
  const options = { companies, seed, rounds, own } as PartOptions;
  const onEnd = (title: string, end: () => unknown) => cleanup.add(title, end);
  const report = await part.run({ config: readProcessConfig(), tell, onEnd }, options);
  const { lines, facts } = report;
  const text = json ? JSON.stringify({ part: part.name, ...facts }, null, 2) : lines.join("\n");
  process.stdout.write(`${text}\n`);
  return report;
}

function wholeNumber(flag: string, least: number, most?: number) {
  return (text: string) => parseWholeNumber(flag, text, least, most);
}
