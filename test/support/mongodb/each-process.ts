/** Runs before a program that a suite starts (`node --import`): what it sends to MongoDB is recorded as the suite's. */
import { record } from "./recorder.ts";

record(String(process.env.MONGODB_COMMANDS_SUITE), process.env.MONGODB_COMMANDS);
