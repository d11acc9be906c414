/** Owns the words for sizes in bytes. Pure. */

const UNITS = ["B", "KB", "MB", "GB", "TB"] as const;
const STEP = 1024;

/** Bytes in the largest unit of which there is one, each 1,024 of the one below: `3.4 GB`. */
export function formatBytes(bytes: number): string {
  const power = Math.min(Math.floor(Math.log(Math.max(bytes, 1)) / Math.log(STEP)), UNITS.length - 1);
  const value = bytes / STEP ** power;
  return `${value.toFixed(power === 0 || value >= 100 ? 0 : 1)} ${UNITS[power]}`;
}
