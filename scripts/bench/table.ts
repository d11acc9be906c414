/** Tables and sizes for people. Pure. */

/** Lines of a table: the first column is aligned left, all others right. */
export function formatTable(rows: readonly (readonly string[])[]): string[] {
  const [head = []] = rows;
  const widths = head.map((_cell, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows.map((row) =>
    row
      .map((cell, column) =>
        column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0),
      )
      .join("  ")
      .trimEnd(),
  );
}

/** A size in megabytes: `123 MB`. */
export function formatMegabytes(bytes: number): string {
  return `${(bytes / 1e6).toFixed(0)} MB`;
}
