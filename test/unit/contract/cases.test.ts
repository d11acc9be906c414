import { describe, expect, it } from "@jest/globals";
import { EXPIRED_BY_DEFAULT } from "../../../api/resources/define-resource.ts";
import { resources } from "../../../api/resources/index.ts";
import { versionsOf } from "../../../api/search/define-search.ts";
import { downloads, searches } from "../../../api/search/index.ts";
import { findCasesFolder, readCaseFolder, readCases } from "../../../scripts/commands/contract.ts";
import type { NamedCase } from "../../../scripts/contract/case-file.ts";

const folder = findCasesFolder();
const { endpoints } = readCaseFolder(folder);
const cases = readCases(folder);
const documentOf = (name: string) => endpoints.find(({ endpoint }) => endpoint === name);
const casesOf = (name: string) => cases.filter(({ endpoint }) => endpoint === name);

// Wrong values of every parameter are generated, so a case shows what a parameter does only where it is accepted.
const isAccepted = ({ status }: NamedCase) => status !== 400 && status !== 422;
const parametersOf = ({ request }: NamedCase) => [
  ...new URL(request.path, "http://server").searchParams.keys(),
];

const definitions = [...resources, ...searches, ...downloads];

describe.each(definitions.map(({ name, parameters }) => [name, Object.keys(parameters)] as const))(
  "the cases of %s",
  (name, parameters) => {
    it("include a written one that is answered with 200", () => {
      const written = Object.values(documentOf(name)?.cases ?? {});
      expect(written.map(({ status = 200 }) => status)).toContain(200);
    });

    it("use each of its parameters", () => {
      const used = casesOf(name).filter(isAccepted).flatMap(parametersOf);
      expect(parameters.filter((parameter) => !used.includes(parameter))).toEqual([]);
    });
  },
);

it.each([...searches, ...downloads].map(({ name }) => [name]))(
  "the cases of %s show a search that finds nothing",
  (name) => {
    expect(casesOf(name).map((given) => given.name)).toContain("no-match");
  },
);

/** What a document repeats of its definition, so that no change of these facts goes unnoticed. */
interface Facts {
  name: string;
  versions: readonly number[];
  expired?: readonly number[] | undefined;
  aliases?: readonly string[] | undefined;
  isOpen?: boolean | undefined;
  hasEtag?: boolean;
  notFound?: string | undefined;
}

const definedFacts: Facts[] = [
  ...resources.map((resource) => ({
    ...resource,
    versions: resource.versions.map(({ version }) => version),
    // Only a path with parameters can name something that does not exist.
    notFound: resource.path.includes(":") ? resource.notFound : undefined,
  })),
  ...searches.map((search) => ({
    ...search,
    versions: versionsOf(search).map(({ version }) => version),
    notFound: undefined,
  })),
  ...downloads.map(({ name }) => ({ name, versions: [] })),
];

it.each(definedFacts.map((facts) => [facts.name, facts] as const))(
  "the document of %s states the facts of its definition",
  (
    name,
    { versions, expired = EXPIRED_BY_DEFAULT, aliases = [], isOpen = false, hasEtag = false, notFound },
  ) => {
    const document = documentOf(name);
    expect({
      versions: document?.versions ?? [1],
      expired: document?.expired ?? [0],
      aliases: document?.aliases ?? [],
      isOpen: document?.isOpen ?? false,
      hasEtag: document?.hasEtag ?? false,
      notFound: document?.notFound,
    }).toEqual({ versions, expired, aliases, isOpen, hasEtag, notFound });
  },
);
