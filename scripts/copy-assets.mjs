/** Copies the files that the compiler leaves behind (npm run build): what pages load in a browser. */
import { cpSync } from "node:fs";

for (const folder of ["api/shared/html/assets", "api/pages/assets", "api/http/docs/assets"]) {
  cpSync(folder, `dist/${folder}`, { recursive: true });
}
