/** Compiles the TypeScript into dist/, and copies the styles and scripts of the pages there (npm run build). */
import { spawnSync } from "node:child_process";
import { cpSync } from "node:fs";
import { stampBuild } from "./bootstrap/project.mjs";

// npm has put the compiler on the PATH. If it is missing, stop here, so that the former build and its stamp stay.
const { error } = spawnSync("tsc", ["--version"]);
if (error) {
  console.error(`tsc cannot be run (${error.message}): run "npm ci --include=dev" first.`);
  process.exit(1);
}

stampBuild(() => {
  const { status } = spawnSync("tsc", ["-p", "tsconfig.build.json"], { stdio: "inherit" });
  if (status !== 0) process.exit(1);
  for (const folder of ["api/shared/html/assets", "api/pages/assets", "api/http/docs/assets"])
    cpSync(folder, `dist/${folder}`, { recursive: true });
});
