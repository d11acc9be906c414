/**
 * Generates the contract cases that every endpoint has from its definition, so a new resource, version or parameter has
 * them at once. A case of the same name in the endpoint's file replaces the generated one.
 */
import { CommandError } from "../../api/shared/runtime/errors.ts";
import type { QueryParameters, QueryParameter } from "../../api/shared/schemas/query-parameters.ts";
import { resources } from "../../api/resources/index.ts";
import { downloads, searches } from "../../api/search/index.ts";
import type { EndpointDocument, WrittenCase } from "./case-file.ts";

/** The part of a definition from which cases are generated. */
interface Definition {
  name: string;
  path: string;
  parameters: QueryParameters;
}

type Cases = Record<string, WrittenCase>;

const DEFINITIONS: readonly Definition[] = [...resources, ...searches, ...downloads];

// A key that no application has, on any server.
const UNKNOWN_KEY = `Basic ${Buffer.from("no-such-key-anywhere:").toString("base64")}`;

// A company of the sample register that no request is about, and values that belong to no company or record.
const ANOTHER_COMPANY = "99000001";
const UNKNOWN_COMPANY = "98999999";
const MALFORMED_NUMBER = "not-a-number";
const NUMBER_WITHOUT_ZEROS = "99061";
const UNKNOWN_ID = "A".repeat(27);

const UNKNOWN_VERSION = 99;

const LIMIT_HEADERS = {
  "x-ratelimit-limit": { $matches: "^\\d+$" },
  "x-ratelimit-remain": { $matches: "^\\d+$" },
  "x-ratelimit-reset": { $matches: "^\\d{10}$" },
  "x-ratelimit-window": "5m",
};

/** The generated cases of an endpoint, by name. Throws CommandError if its document does not fit its definition. */
export function generateCases(document: EndpointDocument): Cases {
  const definition = DEFINITIONS.find(({ name }) => name === document.endpoint);
  if (!definition) throw new CommandError(`there are cases of ${document.endpoint}, which is no endpoint`);
  return {
    ...accessCases(document),
    ...versionCases(document),
    ...pathCases(document, definition),
    ...validatorCases(document),
    ...parameterCases(document, definition),
  };
}

function accessCases({ isOpen = false }: EndpointDocument): Cases {
  return {
    "no-key": {
      request: { key: false },
      ...(isOpen ? { headers: LIMIT_HEADERS } : unauthorised("Empty Authorization header")),
    },
    "unknown-key": {
      request: { headers: { authorization: UNKNOWN_KEY } },
      ...unauthorised("Invalid Authorization"),
    },
    "other-method": {
      request: { method: "DELETE" },
      status: 405,
      headers: { allow: { $matches: "GET" } },
      body: serviceError("invalid-http-method"),
    },
  };
}

function unauthorised(error: string): WrittenCase {
  return {
    status: 401,
    headers: { ...LIMIT_HEADERS, "ch-authentication-error": error, "content-type": "application/json" },
    body: { error, type: "ch:service" },
  };
}

function versionCases({ endpoint, aliases = [], versions = [1], expired = [0] }: EndpointDocument): Cases {
  if (versions.length === 0) return {};
  const served = versions.flatMap((version) => [
    [`version-${version}`, answeredAs(mediaType(endpoint, version))] as const,
    ...aliases.map(
      (name) => [`version-${version}-of-${name}`, answeredAs(mediaType(name, version))] as const,
    ),
  ]);
  const gone = expired.map(
    (version) => [`version-${version}`, { ...accepting(mediaType(endpoint, version)), status: 410 }] as const,
  );
  const unknown = { ...accepting(mediaType(endpoint, UNKNOWN_VERSION)), status: 406 };
  return { ...Object.fromEntries([...served, ...gone]), "version-unknown": unknown };
}

/** The answer must have exactly the media type of the Accept header as its Content-Type. */
function answeredAs(type: string): WrittenCase {
  return { ...accepting(type), headers: { "content-type": type } };
}

function accepting(type: string): WrittenCase {
  return { request: { headers: { accept: type } } };
}

function mediaType(name: string, version: number): string {
  return `application/vnd.{vendor}.${name}+json; version=${version}`;
}

/** Cases with paths of the right form that name no record. */
function pathCases({ endpoint, request, notFound }: EndpointDocument, { path }: Definition): Cases {
  const template = path.split("/");
  const segments = request.replace(/\?.*$/, "").split("/");
  const isFitting =
    segments.length === template.length &&
    template.every((segment, i) => segment.startsWith(":") || segment === segments[i]);
  if (!isFitting) throw new CommandError(`the request of ${endpoint}, ${request}, does not fit ${path}`);
  const names = template.filter((segment) => segment.startsWith(":"));
  const body = notFound === undefined ? {} : { body: serviceError(notFound) };
  const lost = (name: string, value: string): WrittenCase => ({
    request: segments.map((segment, i) => (template[i] === name ? value : segment)).join("/"),
    status: 404,
    headers: LIMIT_HEADERS,
    ...body,
  });
  const ofCompany = names.includes(":company_number") && {
    "malformed-number": lost(":company_number", MALFORMED_NUMBER),
    "number-without-zeros": {
      why: "A path takes the number as the register writes it; missing zeros are put back only in searches.",
      ...lost(":company_number", NUMBER_WITHOUT_ZEROS),
    },
    "unknown-company": lost(":company_number", UNKNOWN_COMPANY),
    ...(names.length > 1 && { "of-another-company": lost(":company_number", ANOTHER_COMPANY) }),
  };
  const id = names.findLast((name) => name !== ":company_number");
  return { ...ofCompany, ...(id && { "not-found": lost(id, UNKNOWN_ID) }) };
}

function validatorCases({ hasEtag }: EndpointDocument): Cases {
  if (!hasEtag) return {};
  return {
    "not-modified": {
      why: "An asterisk stands for any copy that the client has.",
      request: { headers: { "if-none-match": "*" } },
      status: 304,
      headers: { etag: { $matches: '^"[0-9a-f]{40}"$' } },
    },
  };
}

function parameterCases({ request }: EndpointDocument, { parameters }: Definition): Cases {
  const cases = Object.entries(parameters).flatMap(([name, parameter]) =>
    faultsOf(parameter).map(([kind, value, error]) => {
      const fault = { type: "ch:validation", error, location_type: "query-parameter", location: name };
      // The answer repeats only the beginning of a long value.
      const limits = parameter.kind === "text" && { max_length: String(parameter.maxLength) };
      const values = value?.trim() ? { error_values: { [name]: value.slice(0, 100), ...limits } } : {};
      const refused: WrittenCase = {
        request: withParameter(request, name, value),
        status: 400,
        body: { errors: [{ ...fault, ...values }] },
      };
      return [`${name.replaceAll("_", "-")}-${kind}`, refused] as const;
    }),
  );
  return Object.fromEntries(cases);
}

function withParameter(request: string, name: string, value: string | undefined): string {
  const [path = "", query = ""] = request.split("?");
  const parameters = new URLSearchParams(query);
  if (value === undefined) parameters.delete(name);
  else parameters.set(name, value);
  return parameters.size > 0 ? `${path}?${parameters.toString()}` : path;
}

function serviceError(error: string) {
  return { errors: [{ type: "ch:service", error }] };
}

// Longer than any text parameter may be, and short enough for a URL.
const TEN_KILOBYTES = 10 * 1024;

/** End of the case's name; wrong value, or undefined to leave the parameter out; error code of the answer. */
type Fault = [kind: string, value: string | undefined, error: string];

/** All faults to try with one parameter. */
function faultsOf(parameter: QueryParameter): Fault[] {
  const isRequired = "required" in parameter && parameter.required === true;
  const missing = isRequired ? { missing: undefined, empty: "", blank: " " } : {};
  const error = parameter.kind === "text" ? "parameter-too-long" : "invalid-parameter";
  return [
    ...Object.entries(missing).map(([kind, value]): Fault => [kind, value, "missing-parameter"]),
    ...Object.entries(wrongValues(parameter)).map(([kind, value]): Fault => [kind, value, error]),
  ];
}

/** Wrong values, by what is wrong with them; none if the parameter ignores unknown words. */
function wrongValues(parameter: QueryParameter): Record<string, string> {
  switch (parameter.kind) {
    case "integer":
      return { "no-number": "x", "not-whole": "1.5" };
    case "boolean":
      return { "no-boolean": "yes" };
    case "choice":
      return parameter.passesOthers ? {} : { unknown: "x" };
    case "list":
      return parameter.values && !parameter.ignoresUnknown ? { unknown: "x" } : {};
    case "date":
      return { "no-day": "2010-02-30", "other-order": "31-12-2010", words: "yesterday" };
    case "text":
      return { "too-long": "q".repeat(parameter.maxLength + 1), "ten-kilobytes": "q".repeat(TEN_KILOBYTES) };
  }
}
