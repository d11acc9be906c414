/** Owns people: who signs in on the pages of OAuth 2.0. */
import type { DocumentStore } from "../stores/mongodb/mongo.ts";
import { openKept } from "./kept.ts";
import { generateId, hashPassword } from "./secrets.ts";

export const people = openKept<Person>("people");

export interface Person {
  _id: string;
  /** As `hashPassword` makes it. */
  password: string;
  created_at: string;
  /** In lower case; no two people have the same. */
  email: string;
  forename?: string;
  surname?: string;
  locale: string;
}

/** Keeps a new person; `id`: a random one by default. */
export async function storePerson(
  documents: DocumentStore,
  { id = generateId(), password, ...facts }: Omit<Person, "_id" | "created_at"> & { id?: string },
  moment: Date,
): Promise<Person> {
  const hash = await hashPassword(password);
  return people.put(documents, { ...facts, _id: id, password: hash, created_at: moment.toISOString() });
}

export async function changePassword(
  documents: DocumentStore,
  { _id }: Person,
  password: string,
): Promise<void> {
  await documents.amend(people.collection, [{ _id, password: await hashPassword(password) }]);
}

/** The person of an e-mail address, in any letter case, or null. */
export async function fetchPersonByEmail(documents: DocumentStore, email: string): Promise<Person | null> {
  const normal = normaliseEmail(email);
  // Nobody's has a control character, and engines answer some of them with an error.
  if (/\p{Cc}/u.test(normal)) return null;
  const [found] = await documents.list(people.collection, { email: normal }, 1);
  return (found as Person | undefined) ?? null;
}

/** The form in which addresses are compared. */
export function normaliseEmail(email: string): string {
  return email.trim().toLowerCase();
}
