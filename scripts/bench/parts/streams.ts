/** The part `streams`: what many readers of an event stream cost the API in memory, and a load in time. */
import { createServer, type AddressInfo } from "node:net";
import { join } from "node:path";
import { storeApplication } from "../../../api/shared/access/applications.ts";
import { generateKey, storeKey } from "../../../api/shared/access/api-keys.ts";
import { CommandError } from "../../../api/shared/runtime/errors.ts";
import { startApi } from "../api-process.ts";
import { definePart, type PartContext, type PartOptions, type PartReport } from "../define-part.ts";
import { loadWithCommand, openPipeline } from "../load/pipeline.ts";
import { writeRenamed } from "../register/company-file.ts";
import { generateRegister, makeTemporaryFolder } from "../register/generate.ts";
import { settle } from "../rest.ts";
import { openReaders } from "../streams/readers.ts";
import { formatMegabytes, formatTable } from "../table.ts";

const READERS = 200;
const WANTED = { bytes: 400_000_000, ratio: 0.8 };

export const streamsPart = definePart({
  name: "streams",
  title: "What 200 readers of an event stream cost the API in memory, and a load in time.",
  details:
    "It loads generated companies, then the same companies under other names while nobody reads the stream, then once more\n" +
    "with --readers connections to the stream of companies; half of them read as fast as they can, half one byte per second.\n" +
    "`ratio` compares the rates of the last two loads; it should be at least 0.8, and the API should never use more than\n" +
    "400 MB. Readers and load share the machine, so the readers' own work counts, too.",
  options: [{ flags: "--readers <number>", description: "connections", default: READERS }],
  run: measureStreams,
});

async function measureStreams(context: PartContext, options: PartOptions): Promise<PartReport> {
  const folder = makeTemporaryFolder(context);
  const count = Number(options.own.readers);
  context.tell(`generating ${options.companies} companies`);
  const { csv: first } = await generateRegister(folder, options, ["csv"]);
  const pipeline = await openPipeline(context, "streamed", folder);
  const streamPort = await findFreePort();
  const settings = { ...pipeline.config, STREAM_PORT: streamPort, STREAM_CONNECTIONS: count };
  const { process: api } = await startApi(context, { ...pipeline, config: settings });
  const key = generateKey();
  const { documents } = pipeline.stores.mongo;
  const application = await storeApplication(documents, { name: "readers" }, new Date());
  await storeKey(documents, key, { application: application._id, kind: "stream" }, new Date());
  const editionOf = async (day: string, word: string) => {
    const path = join(folder, `BasicCompanyDataAsOneFile-${day}.csv`);
    await writeRenamed(first, path, word);
    return path;
  };
  const load = async (path: string, words: string) => {
    context.tell(`loading ${words}`);
    const { ms, counts } = await loadWithCommand(context, pipeline, path);
    await settle(pipeline.config);
    return { ms, written: counts.written };
  };
  await load(first, "companies");
  const alone = await load(await editionOf("2027-01-01", "SECOND"), "the same under other names");
  const readers = await openReaders(`http://127.0.0.1:${streamPort}/companies`, key, count);
  context.onEnd("the readers", readers.close);
  const read = await load(await editionOf("2027-02-01", "THIRD"), `others beside ${count} readers`);
  const sent = readers.leastRead();
  if (alone.written !== read.written || alone.written !== options.companies)
    throw new CommandError(`${alone.written} and ${read.written} companies were written`);
  return report({ alone: alone.ms, read: read.ms, peak: api.peakBytes() ?? 0, sent });
}

/** A free port: unlike PORT, a STREAM_PORT of 0 means that there are no streams. */
function findFreePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer().once("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => resolve(port));
    });
  });
}

function report(measured: { alone: number; read: number; peak: number; sent: number }): PartReport {
  const { alone, read, peak, sent } = measured;
  const ratio = alone / read;
  const seconds = (ms: number) => (ms / 1_000).toFixed(1);
  return {
    lines: formatTable([
      ["load", "alone, s", "beside readers, s", "ratio", "API", "read by each at its end"],
      [
        ...["companies", seconds(alone), seconds(read), ratio.toFixed(2)],
        ...[formatMegabytes(peak), formatMegabytes(sent)],
      ],
    ]),
    facts: { ...measured, ratio },
    isShort: ratio < WANTED.ratio || peak > WANTED.bytes,
  };
}
