/** Every export must be imported by another file; tests and benchmarks count. */
import { expect, it } from "@jest/globals";
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";

const SOURCES = ["api", "index-mappings", "ingest", "scripts"];
const EXPORT = /^export (?:async )?(?:abstract )?(?:const|function\*?|class|interface|type) (\w+)/gm;
const IMPORT = /\b(?:import|export)(?: type)? \{([^}]*)\} from "([^"]+)"/g;
/** `import * as`, and `import("…")`: all that a file exports. */
const IMPORT_OF_ALL = /\bimport (?:type )?\* as \w+ from "([^"]+)"|\bimport\("([^"]+)"\)/g;

const texts = new Map(
  [...SOURCES, "test"].flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: "utf8" })
      .filter((path) => /\.(tsx?|[cm]js)$/.test(path))
      .map((path) => [join(folder, path), readFileSync(join(folder, path), "utf8")] as const),
  ),
);

/** What is imported, as `file name`; of a file that is imported as a whole, `file *`. */
const imported = new Set(
  [...texts].flatMap(([file, text]) => {
    const pathOf = (to = "") => normalize(join(dirname(file), to));
    const names = [...text.matchAll(IMPORT)].flatMap(([, list = "", to]) =>
      list.split(",").map((name) => `${pathOf(to)} ${/^(?:type )?(\w*)/.exec(name.trim())?.[1]}`),
    );
    const wholes = [...text.matchAll(IMPORT_OF_ALL)].map(([, all, awaited]) => `${pathOf(all ?? awaited)} *`);
    return [...names, ...wholes];
  }),
);

it("every export is imported somewhere (if not, remove the word export)", () => {
  const needless = [...texts]
    .filter(([file]) => /\.tsx?$/.test(file) && !file.startsWith("test/"))
    .filter(([file]) => !imported.has(`${file} *`))
    .flatMap(([file, text]) => [...text.matchAll(EXPORT)].map(([, name]) => `${file} ${name}`))
    .filter((one) => !imported.has(one));
  expect(needless).toEqual([]);
});
