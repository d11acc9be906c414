/** Loaded before a program that a suite starts (`node --import`): records what it sends to MongoDB for the suite. */
import { record } from "./recorder.ts";

record(String(process.env.MONGODB_COMMANDS_SUITE), process.env.MONGODB_COMMANDS);
