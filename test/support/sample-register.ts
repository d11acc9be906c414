/** The whole sample register: its files, in the order in which an operator would load them. */
import { resolve } from "node:path";
import register from "../contract/register.json" with { type: "json" };

/** Where its files are; an absolute path, as those of loads are stored. */
export const SAMPLE = resolve("test/fixtures/register");

/** Paths below it; the contract cases and the demo load the same. */
export const SAMPLE_FILES = register.files;
