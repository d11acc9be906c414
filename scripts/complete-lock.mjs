/**
 * Completes package-lock.json after `npm install` (npm run lock). If the registry is a mirror with the packages of only
 * one platform, npm leaves out the optional packages of the other platforms, and `npm ci` then refuses the file.
 */
import { readFileSync, writeFileSync } from "node:fs";

const FILE = "package-lock.json";
const SYSTEMS = "aix android darwin freebsd linux netbsd openbsd openharmony sunos win32".split(" ");
const PROCESSORS = "arm64 arm ia32 loong64 mips64el ppc64 riscv64 s390x x64".split(" ");

const lock = JSON.parse(readFileSync(FILE, "utf8"));
const [root, ...known] = Object.entries(lock.packages);
const missing = known.flatMap(([path, entry]) => missingOf(path, entry));
// Sorted as npm sorts it; otherwise the next `npm install` would change the file.
const packages = [...known, ...missing].sort(([a], [b]) => a.localeCompare(b, "en"));
writeFileSync(
  FILE,
  `${JSON.stringify({ ...lock, packages: Object.fromEntries([root, ...packages]) }, null, 2)}\n`,
);
console.log(`${missing.length} optional packages of other platforms were added to ${FILE}`);

/** Entries for those optional packages of one package that the lock file does not list. */
function missingOf(path, { optionalDependencies = {}, dev }) {
  return Object.entries(optionalDependencies)
    .filter(
      ([name]) => !lock.packages[`node_modules/${name}`] && !lock.packages[`${path}/node_modules/${name}`],
    )
    .map(([name, range]) => [`node_modules/${name}`, toEntry(name, range, dev)]);
}

/** The lock file's entry. System and processor are read from the package's name: `@swc/core-darwin-arm64`. */
function toEntry(name, range, dev) {
  const words = name.split(/[-/]/);
  const os = SYSTEMS.filter((system) => words.includes(system));
  const cpu = PROCESSORS.filter((processor) => words.includes(processor));
  return {
    version: range.replace(/^[\^~]/, ""),
    ...(cpu.length > 0 && { cpu }),
    ...(dev && { dev }),
    optional: true,
    ...(os.length > 0 && { os }),
  };
}
