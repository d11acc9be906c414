/** The whole sample register: its files, in the order in which an operator would load them. */
import register from "../contract/register.json" with { type: "json" };

/** Where its files are, seen from the project's folder. */
export const SAMPLE = "test/fixtures/register";

/** Paths below it; the contract cases and the demo load the same. */
export const SAMPLE_FILES = register.files;
