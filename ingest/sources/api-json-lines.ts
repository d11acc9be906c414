/**
 * Owns API-shaped JSON lines: what the public API answers, one resource a line, in the envelope of the
 * streaming events without their `event`.
 *
 * Publisher: whoever keeps answers of the API; there is no bulk product of filings, charges, insolvency,
 * registers and UK establishments. Encoding: UTF-8, one JSON object a line:
 * `{"resource_kind", "resource_uri", "resource_id", "data"}`.
 *
 * Oddities, and what is done:
 * - `resource_uri` without its leading slash is given one.
 * - null stands for absent; looser forms of a member are told in the `incoming` rule of its record.
 * - An unknown kind is refused with its name. An unknown member is left out, at whatever depth, with a warning that
 *   has its path: the API grows, and the rest of the resource is worth having.
 * - A streaming event (with `event`) is refused: it has a format of its own, where its timepoint counts.
 */
import { RecordError, SourceError, messageOf } from "../../api/core/errors.ts";
import { defineSource, toOutcome } from "./define-source.ts";
import { filledBy, parseLine, readResource } from "./resource-envelope.ts";
import { isEventLine } from "./streaming-events.ts";

export const apiJsonLines = defineSource({
  name: "api-json-lines",
  title: "API-shaped JSON lines of every resource",
  fills: filledBy,
  fileNames: /\.(jsonl|ndjson)$/i,
  recognises: (firstLine) => /^\s*\{.*"resource_kind"\s*:/.test(firstLine) && !isEventLine(firstLine),
  reader: "lines",
  hasHeader: false,
  open: ({ text }) => {
    // A first line that is cut or odd may be one bad row among good ones; a line of another format is not.
    if (text.includes('"resource_kind"')) return {};
    try {
      readResource(parseLine(text));
      return {};
    } catch (error) {
      throw new SourceError(`expected a JSON object with resource_kind in each line: ${messageOf(error)}`);
    }
  },
  mapRows: (rows) =>
    rows.map((row) =>
      toOutcome(row, (warnings) => {
        const line = parseLine(row.text);
        if (line.event !== undefined)
          throw new RecordError(
            "is a streaming event; load files of events with --as streaming-events",
            "event",
          );
        const { record, incoming, resource } = readResource(line);
        const data = incoming.normalise(resource, (warning) => warnings.push(warning));
        return { kind: "record", record, data };
      }),
    ),
});
