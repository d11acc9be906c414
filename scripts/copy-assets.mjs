/** Copies the files that the compiler leaves behind (npm run build): what pages load in a browser. */
import { cpSync } from "node:fs";

cpSync("api/pages/assets", "dist/api/pages/assets", { recursive: true });
