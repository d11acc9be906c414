/** Reads a metrics page. */

/** One line of a metrics page. */
interface Sample {
  name: string;
  labels: Record<string, string>;
  value: number;
}

/** All values of a page in the text format of Prometheus. */
export function parsePage(page: string): Sample[] {
  return page
    .split("\n")
    .filter((line) => line !== "" && !line.startsWith("#"))
    .map((line) => {
      const [, name = "", labels = "", value = ""] = /^(\w+)(?:\{(.*)\})? (\S+)$/.exec(line) ?? [];
      if (name === "") throw new Error(`not a line of a metrics page: ${line}`);
      const pairs = [...labels.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g)].map(
        ([, key = "", text = ""]) => [key, text] as const,
      );
      return { name, labels: Object.fromEntries(pairs), value: Number(value) };
    });
}

/** The value of the service's metric with exactly these labels; undefined when the page has none. */
export function sampleOf(page: string, metric: string, labels: Record<string, string>): number | undefined {
  const wanted = JSON.stringify(Object.entries(labels).toSorted());
  return parsePage(page).find(
    (sample) =>
      sample.name === `company_register_${metric}` &&
      JSON.stringify(Object.entries(sample.labels).toSorted()) === wanted,
  )?.value;
}

/** Every value that a label has on a page. */
export function valuesOf(page: string, label: string): string[] {
  return [...new Set(parsePage(page).flatMap(({ labels }) => labels[label] ?? []))].toSorted();
}
