/** The progress line of a terminal. */
import { afterEach, expect, it, jest } from "@jest/globals";
import { showProgress } from "../../../ingest/commands/long-work.ts";

const { columns } = process.stderr;
afterEach(() => {
  jest.useRealTimers();
  jest.restoreAllMocks();
  process.stderr.columns = columns;
});

/** What a terminal of this width shows after a second. */
function show(doing: string, width: number): string {
  jest.useFakeTimers();
  process.stderr.columns = width;
  const written = jest.spyOn(process.stderr, "write").mockReturnValue(true);
  const context = { isTerminal: true, tell: () => undefined };
  const progress = showProgress(context, { doing, unit: "rows", total: 50_000 });
  progress.onProgress(12_000);
  jest.advanceTimersByTime(1_000);
  const [shown] = written.mock.calls.flat();
  progress.end();
  return String(shown);
}

it("the progress line is narrower than the terminal, and has the end of a long path and all figures", () => {
  const shown = show(`loading /srv/${"folder/".repeat(20)}companies.csv`, 60);
  const line = shown.slice("\r".length, -"\u001b[K".length);
  expect(line).toMatch(/folder\/companies\.csv: 12,000 of 50,000 rows, 24 %$/);
  expect(line).toHaveLength(59);
});

it("the progress line has no control characters of a file name, even if the width of the terminal is unknown", () => {
  expect(show("loading a\u001b[2J.csv", 0)).toBe(
    "\rloading a⟨1B⟩[2J.csv: 12,000 of 50,000 rows, 24 %\u001b[K",
  );
});
