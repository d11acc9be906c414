/** Owns what is kept of each file of a load: how it was read, so that rows of it can be read again. */
import type { DocumentStore } from "../api/core/stores/mongo.ts";
import type { RawRow } from "./define-source.ts";
import type { Encoding } from "./readers/read-rows.ts";

const COLLECTION = "load_files";

/** One file of a load. */
export interface LoadedFileRecord {
  load: string;
  /** The path as it was given. */
  file: string;
  /** Base name without `.zip` or `.gz`; for a zip the name of its one member. */
  name: string;
  source: string;
  encoding: Encoding;
  /** The first row: the header, where the format has one. */
  first: RawRow;
}

/** Keeps a file of a load. */
export async function writeLoadFile(documents: DocumentStore, file: LoadedFileRecord): Promise<void> {
  await documents.put(COLLECTION, { _id: fileId(file), ...file });
}

/** What is kept of a file, or null: loads of earlier releases kept nothing. */
export async function fetchLoadFile(
  documents: DocumentStore,
  place: Pick<LoadedFileRecord, "load" | "file">,
): Promise<LoadedFileRecord | null> {
  return (await documents.fetch(COLLECTION, fileId(place))) as LoadedFileRecord | null;
}

function fileId({ load, file }: Pick<LoadedFileRecord, "load" | "file">): string {
  return `${load}:${file}`;
}
