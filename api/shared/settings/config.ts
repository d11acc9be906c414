/** Reads the configuration: checks the whole environment against the list of settings, once. */
import { readFileSync } from "node:fs";
import { settings, type Setting, type SettingName } from "./settings.ts";
import { CommandError, messageOf } from "../runtime/errors.ts";

/** The effective value of each setting; frozen. */
export type Config = Readonly<{ [Name in SettingName]: Value<(typeof settings)[Name]["default"]> }>;

type Value<Default> = Default extends number ? number : string;

/** Environment variables, as `process.env` has them. */
type Environment = Record<string, string | undefined>;

/**
 * Reads every setting. An empty variable counts as absent, and spaces around a value are ignored. Throws one
 * CommandError that names every fault, one a line.
 */
export function readConfig(environment: Environment): Config {
  const faults: string[] = [];
  const values: Record<string, string | number> = {};
  for (const [name, setting] of Object.entries(settings) as [SettingName, Setting][]) {
    try {
      values[name] = readSetting(name, setting, environment);
    } catch (error) {
      faults.push(messageOf(error));
    }
  }
  if (faults.length > 0) throw new CommandError(`Some settings are not valid:\n  ${faults.join("\n  ")}`);
  return Object.freeze(values) as Config;
}

type Origin = "default" | "environment" | "file";

/** Where the value of each setting comes from. */
export function readOrigins(environment: Environment = process.env): Record<SettingName, Origin> {
  const origins = Object.keys(settings).map((name): [string, Origin] => {
    if (environment[name]?.trim()) return [name, "environment"];
    return [name, readSecretFile(name as SettingName, environment) === "" ? "default" : "file"];
  });
  return Object.fromEntries(origins) as Record<SettingName, Origin>;
}

/** The settings of this process. */
export function readProcessConfig(): Config {
  return readConfig(process.env);
}

function readSetting(name: SettingName, setting: Setting, environment: Environment): string | number {
  const given = environment[name]?.trim() ?? "";
  const text = given === "" ? readSecretFile(name, environment) : given;
  // Otherwise an empty secret would silently select the default, such as the stores of this machine.
  if (text === "" && environment[`${name}_FILE`] && setting.default !== "")
    throw new Error(`${name}_FILE names an empty file: write the value into it, or unset ${name}_FILE`);
  if (text === "") return setting.default;
  if (typeof setting.default === "number") return readInteger(name, setting, text);
  const { values, form, secret } = setting;
  if (values && !values.includes(text))
    throw new Error(`${name} must be one of ${values.join(", ")}, not "${text}"`);
  if (form && !form.pattern.test(text))
    throw new Error(`${name} must be ${form.words}${secret ? "" : `, not "${text}"`}`);
  return text;
}

function readSecretFile(name: SettingName, environment: Environment): string {
  const path = environment[`${name}_FILE`];
  if (!path) return "";
  try {
    return readFileSync(path, "utf8").trim();
  } catch (error) {
    throw new Error(`cannot read ${name}_FILE: ${messageOf(error)}`, { cause: error });
  }
}

function readInteger(
  name: SettingName,
  { minimum = 0, maximum = Number.MAX_SAFE_INTEGER }: Setting,
  text: string,
): number {
  // `Number` would also accept 1e3 and 0x10.
  const value = /^\d{1,16}$/.test(text) ? Number(text) : NaN;
  if (value >= minimum && value <= maximum) return value;
  throw new Error(`${name} must be a whole number from ${minimum} to ${maximum}, not "${text}"`);
}
