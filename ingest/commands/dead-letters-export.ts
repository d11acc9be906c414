/** Owns the command that writes refused rows into files, to be mended and loaded again. */
import { mkdir, stat, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { defineCommand, type CommandContext } from "../../api/core/define-command.ts";
import { CommandError, messageOf } from "../../api/core/errors.ts";
import { exportLines, listRefusedFiles, type RefusedFile } from "../dead-letters/dead-letters.ts";
import { EXAMPLE_LOAD } from "../history/loads.ts";
import { formatCount } from "../progress.ts";
import { requireLoad } from "./dead-letters.ts";

const LF = Buffer.from("\n");

export const deadLettersExportCommand = defineCommand({
  name: "dead-letters export",
  summary: "Write the refused rows of a load into a file as they came, to be mended and loaded again.",
  effect: "reads",
  details:
    "Byte for byte, each row ended by a line feed, behind the file's header and before a trailer that counts them,\n" +
    "where the format has those. Where rows belong together (a company's officers, a person's disqualifications)\n" +
    "the whole group is written. Rows of several files become a file each, in the folder that --out names.\n" +
    "Mend rows in their places, leave those in that cannot be mended, keep the names of several files, and load them:\n" +
    `npm run cli -- load FILE --mends ${EXAMPLE_LOAD}`,
  arguments: [{ name: "<load>", description: "id of the load" }],
  options: [
    { flags: "--out <path>", description: "file, or folder for several; standard output unless told" },
    { flags: "--json", description: "print what was written where as JSON lines; needs --out" },
  ],
  example: `dead-letters export ${EXAMPLE_LOAD} --out refused.csv`,
  run: async (context, [load = ""], options) => {
    const { documents } = context.openStores().mongo;
    await requireLoad(documents, load);
    const isJson = options.json !== undefined;
    if (isJson && options.out === undefined) throw new CommandError("--json needs --out");
    const files = await listRefusedFiles(documents, load);
    if (files.length === 0) context.tell(`load ${load} holds no refused rows`);
    const paths = await choosePaths(files, options.out);
    const way = `load FILE --mends ${load}${files[0]?.encoding === "latin1" ? " --encoding latin1" : ""}`;
    for (const [position, refusedFile] of files.entries()) {
      const path = paths[position];
      await writeRows(context, await exportLines(documents, load, refusedFile), path);
      const { file, source, refused, lines } = refusedFile;
      const others = lines.length - refused;
      const and = others > 0 ? ` and ${formatCount(others)} that belong with them` : "";
      if (isJson) context.print(JSON.stringify({ file, source, refused, others, path }));
      else
        context.tell(`${path ?? "standard output"}: ${formatCount(refused)} refused rows of ${file}${and}`);
    }
    if (!isJson && files.length > 0) context.tell(`when they are mended: npm run cli -- ${way}`);
    return 0;
  },
});

/** Where each file goes; undefined is standard output. */
async function choosePaths(files: RefusedFile[], out: string | undefined): Promise<(string | undefined)[]> {
  if (out === undefined && files.length > 1)
    throw new CommandError(`the rows are of ${files.length} files; name a folder for them with --out`);
  if (out === undefined) return files.map(() => out);
  const isFolder = files.length > 1 || out.endsWith("/") || (await isDirectory(out));
  if (isFolder || files.length > 0) await makeFolder(isFolder ? out : dirname(out), out);
  return files.map(({ name }) => (isFolder ? join(out, name) : out));
}

async function isDirectory(path: string): Promise<boolean> {
  return (await stat(path).catch(() => null))?.isDirectory() ?? false;
}

async function makeFolder(folder: string, out: string): Promise<void> {
  await mkdir(folder, { recursive: true }).catch((error: NodeJS.ErrnoException) => {
    const isInTheWay = error.code === "EEXIST" || error.code === "ENOTDIR";
    const reason = isInTheWay ? `${folder} is a file, and no folder; choose another` : messageOf(error);
    throw new CommandError(`${out} cannot be written: ${reason}`);
  });
}

async function writeRows(context: CommandContext, lines: Buffer[], path?: string): Promise<void> {
  const bytes = Buffer.concat(lines.flatMap((line) => [line, LF]));
  if (path === undefined) return context.write(bytes);
  // What is there may be what a person has mended.
  await writeFile(path, bytes, { flag: "wx" }).catch((error: unknown) => {
    const isThere = (error as NodeJS.ErrnoException).code === "EEXIST";
    throw new CommandError(
      isThere
        ? `${path} is there already; choose another name`
        : `${path} cannot be written: ${messageOf(error)}`,
    );
  });
}
