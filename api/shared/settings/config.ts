/** Owns the configuration: the environment checked against the list of settings, whole and once. */
import { readFileSync } from "node:fs";
import { settings, type Setting, type SettingName } from "./settings.ts";
import { CommandError, messageOf } from "../runtime/errors.ts";

type ValueOf<S extends Setting> = S["kind"] extends "integer" ? number : string;

/** The effective value of each setting; frozen. */
export type Config = Readonly<{ [Name in SettingName]: ValueOf<(typeof settings)[Name]> }>;

/** Environment variables, as `process.env` has them. */
export type Environment = Record<string, string | undefined>;

/**
 * Reads every setting. An empty variable counts as absent. Throws one CommandError that names every fault,
 * each on a line of its own.
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

/** Where a value comes from. */
export type Origin = "default" | "environment" | "file";

/** Where the value of each setting comes from. */
export function readOrigins(environment: Environment): Record<SettingName, Origin> {
  const originOf = (name: string): Origin => {
    if (environment[name]) return "environment";
    return readSecretFile(name as SettingName, environment) === "" ? "default" : "file";
  };
  return Object.fromEntries(Object.keys(settings).map((name) => [name, originOf(name)])) as Record<
    SettingName,
    Origin
  >;
}

/** The origins of this process's settings. */
export function readProcessOrigins(): Record<SettingName, Origin> {
  return readOrigins(process.env);
}

/** True where `npm run cli` has looked for a demo and found none (NO_DEMO), and nobody has said where the stores are. */
export function isNothingFound(): boolean {
  const { ELASTICSEARCH_URL, MONGODB_URL, REDIS_URL } = readProcessOrigins();
  const isSaid = [ELASTICSEARCH_URL, MONGODB_URL, REDIS_URL].some((origin) => origin !== "default");
  return Boolean(process.env.NO_DEMO) && !isSaid;
}

/** The settings of this process. */
export function readProcessConfig(): Config {
  return readConfig(process.env);
}

function readSetting(name: SettingName, setting: Setting, environment: Environment): string | number {
  const given = environment[name] ?? "";
  const text = given === "" ? readSecretFile(name, environment) : given;
  if (text === "") return setting.default;
  switch (setting.kind) {
    case "integer":
      return readInteger(name, setting, text);
    case "choice":
      if (setting.values?.includes(text)) return text;
      throw new Error(`${name} must be one of ${setting.values?.join(", ")}, not "${text}"`);
    case "text":
      if (!setting.form || setting.form.pattern.test(text)) return text;
      throw new Error(`${name} must be ${setting.form.words}${setting.secret ? "" : `, not "${text}"`}`);
  }
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

function readInteger(name: SettingName, setting: Setting, text: string): number {
  const value = Number(text);
  const minimum = setting.minimum ?? Number.MIN_SAFE_INTEGER;
  const maximum = setting.maximum ?? Number.MAX_SAFE_INTEGER;
  if (Number.isInteger(value) && value >= minimum && value <= maximum) return value;
  throw new Error(`${name} must be a whole number from ${minimum} to ${maximum}, not "${text}"`);
}
