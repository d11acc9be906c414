/** Generates a client's types from the OpenAPI document, and compiles programs with them, as its author does. */
import { join } from "node:path";
import openapiTS, { astToString, type OpenAPI3 } from "openapi-typescript";
import ts from "typescript";

// A folder in this repository, so that imports of packages resolve; nothing is written there.
const FOLDER = import.meta.dirname;
const TYPES = "generated-types.d.ts";

const OPTIONS: ts.CompilerOptions = {
  strict: true,
  noUncheckedIndexedAccess: true,
  noEmit: true,
  skipLibCheck: true,
  target: ts.ScriptTarget.ES2023,
  lib: ["lib.es2023.d.ts", "lib.dom.d.ts"],
  module: ts.ModuleKind.NodeNext,
  moduleResolution: ts.ModuleResolutionKind.NodeNext,
  types: [],
};

/** Types of the document, named after its schemas: `CompanyProfile` for company-profile. */
export async function generateTypes(document: Record<string, unknown>): Promise<string> {
  // The cast: the generator checks the document itself.
  const nodes = await openapiTS(document as unknown as OpenAPI3, {
    rootTypes: true,
    rootTypesNoSchemaPrefix: true,
    silent: true,
  });
  return astToString(nodes);
}

/** Compiler errors of programs, by file, each with its line; programs import the types from `./generated-types.js`. */
export function compilePrograms(types: string, programs: Record<string, string>): Record<string, string[]> {
  const files = new Map(
    Object.entries({ ...programs, [TYPES]: types }).map(([name, text]) => [join(FOLDER, name), text]),
  );
  const host = ts.createCompilerHost(OPTIONS);
  const virtualHost: ts.CompilerHost = {
    ...host,
    fileExists: (path) => files.has(path) || host.fileExists(path),
    readFile: (path) => files.get(path) ?? host.readFile(path),
    getSourceFile: (path, options) => {
      const text = files.get(path);
      return text === undefined
        ? host.getSourceFile(path, options)
        : ts.createSourceFile(path, text, options);
    },
  };
  const program = ts.createProgram([...files.keys()], OPTIONS, virtualHost);
  return Object.fromEntries(
    [...files.keys()].map((path) => [path.slice(FOLDER.length + 1), faultsOf(program, path)]),
  );
}

function faultsOf(program: ts.Program, path: string): string[] {
  const source = program.getSourceFile(path);
  return ts.getPreEmitDiagnostics(program, source).map(({ start = 0, messageText }) => {
    const line = (source?.getLineAndCharacterOfPosition(start).line ?? 0) + 1;
    return `${line}: ${ts.flattenDiagnosticMessageText(messageText, " ")}`;
  });
}
