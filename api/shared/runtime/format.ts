/** Formats numbers, times and sizes for people, and makes foreign texts and bytes safe to print. Pure. */
import { isUtf8 } from "node:buffer";

/** Digits in groups of three. */
export function formatCount(value: number): string {
  return value.toLocaleString("en-GB");
}

/** `1 row`, `2,000 rows`. */
export function formatNumber(count: number, noun: string, plural = `${noun}s`): string {
  return `${formatCount(count)} ${count === 1 ? noun : plural}`;
}

/** `9.5 s`, `12 min`, `3 h 20 min`. */
export function formatDuration(seconds: number): string {
  const whole = Math.round(seconds);
  if (seconds < 10) return `${seconds.toFixed(1)} s`;
  if (whole < 120) return `${whole} s`;
  const minutes = Math.round(whole / 60);
  return minutes < 120 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

const AGES: [unit: string, milliseconds: number][] = [
  ["days", 86_400_000],
  ["h", 3_600_000],
  ["min", 60_000],
  ["s", 1_000],
];

/** An age in one unit, rounded down: `3 days`, `5 min`. From two of a unit on, so it is never off by half. */
export function formatAge(milliseconds: number): string {
  const [unit, size] = AGES.find(([, each]) => milliseconds >= 2 * each) ?? ["s", 1_000];
  return `${Math.floor(Math.max(milliseconds, 0) / size)} ${unit}`;
}

const UNITS = ["B", "KB", "MB", "GB", "TB"] as const;
const STEP = 1024;

/** Bytes in the largest unit that gives at least 1; each unit is 1,024 of the one below: `3.4 GB`. */
export function formatBytes(bytes: number): string {
  const power = Math.min(Math.floor(Math.log(Math.max(bytes, 1)) / Math.log(STEP)), UNITS.length - 1);
  const value = bytes / STEP ** power;
  return `${value.toFixed(power === 0 || value >= 100 ? 0 : 1)} ${UNITS[power]}`;
}

// Characters that control a terminal, begin a new line, or change the text direction; tabs are harmless.
// oxlint-disable-next-line no-control-regex -- the expression looks for control characters
const CONTROLS = /[\u0000-\u0008\u000a-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069]/g;
// A sequence that may be one character of UTF-8, else a single byte.
const CHARACTERS = /[\xc0-\xdf][\x80-\xbf]|[\xe0-\xef][\x80-\xbf]{2}|[\xf0-\xf7][\x80-\xbf]{3}|[^]/g;

/** A line with characters marked that would control a terminal or begin another line: `⟨1B⟩`. */
export function showLine(text: string): string {
  return text.replace(CONTROLS, mark);
}

/** The same JSON data with such characters escaped, as `\u009b`. */
export function showJson(json: string): string {
  return json.replace(CONTROLS, (found) => `\\u${found.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

/** Bytes as UTF-8, with each invalid byte marked: `caf⟨E9⟩`. */
export function showBytes(bytes: Buffer): string {
  return bytes.toString("latin1").replace(CHARACTERS, (found) => {
    const character = Buffer.from(found, "latin1");
    return isUtf8(character) ? character.toString() : [...found].map(mark).join("");
  });
}

function mark(byte: string): string {
  return `⟨${byte.charCodeAt(0).toString(16).toUpperCase().padStart(2, "0")}⟩`;
}
