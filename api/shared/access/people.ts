/** Owns people: who signs in on the pages of OAuth 2.0. */
import type { DocumentStore } from "../stores/mongodb/mongo.ts";
import { generateId, hashPassword } from "./secrets.ts";

export const PEOPLE = "people";

/** A person as they are kept. */
export interface Person extends PersonFacts {
  _id: string;
  /** As `hashPassword` makes it. */
  password: string;
  created_at: string;
}

/** What is known of a person. */
export interface PersonFacts {
  /** In lower case; no two people have the same. */
  email: string;
  forename?: string;
  surname?: string;
  locale: string;
}

/** Keeps a new person; `id`: a random one by default. */
export async function storePerson(
  documents: DocumentStore,
  { id = generateId(), password, ...facts }: PersonFacts & { id?: string; password: string },
  moment: Date,
): Promise<Person> {
  const kept = {
    ...facts,
    _id: id,
    password: await hashPassword(password),
    created_at: moment.toISOString(),
  };
  await documents.put(PEOPLE, kept);
  return kept;
}

/** Gives a person another password. */
export async function changePassword(
  documents: DocumentStore,
  { _id }: Person,
  password: string,
): Promise<void> {
  await documents.amend(PEOPLE, [{ _id, password: await hashPassword(password) }]);
}

/** The person of an id, or null. */
export async function fetchPerson(documents: DocumentStore, id: string): Promise<Person | null> {
  return (await documents.fetch(PEOPLE, id)) as Person | null;
}

/** The person of an e-mail address, in any letter case, or null. */
export async function fetchPersonByEmail(documents: DocumentStore, email: string): Promise<Person | null> {
  const normal = normaliseEmail(email);
  // Nobody's has a control character, and engines answer some of them with an error.
  if (/\p{Cc}/u.test(normal)) return null;
  const [found] = await documents.list(PEOPLE, { email: normal }, 1);
  return (found as Person | undefined) ?? null;
}

/** All people, oldest first. */
export async function fetchPeople(documents: DocumentStore): Promise<Person[]> {
  const found = (await documents.fetchAll(PEOPLE, {})) as unknown as Person[];
  return found.sort((a, b) => (a.created_at < b.created_at ? -1 : 1));
}

/** Takes a person away: what they have granted ends within seconds. */
export async function removePerson(documents: DocumentStore, { _id }: Person): Promise<void> {
  await documents.remove(PEOPLE, _id);
}

/** The form in which addresses are compared. */
export function normaliseEmail(email: string): string {
  return email.trim().toLowerCase();
}
