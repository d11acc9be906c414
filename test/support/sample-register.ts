/** The files of the sample register, in the order in which an operator would load them. */
import { resolve } from "node:path";
import register from "../contract/register.json" with { type: "json" };

/** Folder of its files; an absolute path, because loads store absolute paths. */
export const SAMPLE = resolve("test/fixtures/register");

/** Paths relative to it; the contract cases and the demo load the same files. */
export const SAMPLE_FILES = register.files;
