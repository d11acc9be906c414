/** People: the accounts that can sign in on the OAuth 2.0 pages. */
import type { DocumentStore } from "../stores/mongodb/mongo.ts";
import { openCollection } from "./collections.ts";
import { generateId, hashPassword } from "./secrets.ts";

export const people = openCollection<Person>("people");

export interface Person {
  _id: string;
  /** Made by `hashPassword`. */
  password: string;
  created_at: string;
  /** In lower case; no two people have the same. */
  email: string;
  forename?: string;
  surname?: string;
  locale: string;
}

/** Stores a new person, and returns it. `id`: random by default. */
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

/** The person with this e-mail address, in any letter case, or null. */
export async function fetchPersonByEmail(documents: DocumentStore, email: string): Promise<Person | null> {
  const normal = normaliseEmail(email);
  // No address contains a control character, and the database answers some of them with an error.
  if (/\p{Cc}/u.test(normal)) return null;
  const [found] = await documents.list(people.collection, { email: normal }, 1);
  return (found as Person | undefined) ?? null;
}

/** The form in which e-mail addresses are stored and compared. */
export function normaliseEmail(email: string): string {
  return email.trim().toLowerCase();
}
