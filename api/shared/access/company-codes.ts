/** Company authentication codes: a person who knows a company's code may act for the company. */
import { randomInt } from "node:crypto";
import type { DocumentStore } from "../stores/mongodb/mongo.ts";
import { openCollection } from "./collections.ts";
import { hashPassword, isPassword } from "./secrets.ts";

const codes = openCollection<CompanyCode>("company_codes");
// Letters and digits that look alike are left out, because people type codes from a printed letter. Eight characters
// are 39 bits, which is enough because attempts are limited.
const LETTERS = "23456789ABCDEFGHJKMNPQRSTVWXYZ";
const LENGTH = 8;

interface CompanyCode {
  /** Number of the company. */
  _id: string;
  /** Made by `hashPassword`, because a short code needs a slow hash. */
  code: string;
  created_at: string;
}

export function generateCompanyCode(): string {
  return Array.from({ length: LENGTH }, () => LETTERS[randomInt(LETTERS.length)]).join("");
}

/** Stores a company's code; it replaces the one that the company has. */
export async function storeCompanyCode(
  documents: DocumentStore,
  companyNumber: string,
  code: string,
  moment: Date,
): Promise<void> {
  const hash = await hashPassword(normalise(code));
  await codes.put(documents, { _id: companyNumber, code: hash, created_at: moment.toISOString() });
}

/**
 * True if this is the company's code; spaces, hyphens and letter case do not matter. For a company without a code it
 * takes as long and returns false, so that its time reveals nothing.
 */
export async function isCompanyCode(
  documents: DocumentStore,
  companyNumber: string,
  code: string,
): Promise<boolean> {
  const kept = await codes.fetch(documents, companyNumber);
  return isPassword(normalise(code), kept?.code ?? null);
}

/** All codes, by company number. */
export async function fetchCompanyCodes(documents: DocumentStore): Promise<CompanyCode[]> {
  return (await codes.fetchAll(documents)).sort((a, b) => (a._id < b._id ? -1 : 1));
}

/** Removes a company's code, if it has one. */
export async function removeCompanyCode(documents: DocumentStore, companyNumber: string): Promise<void> {
  await codes.remove(documents, { _id: companyNumber });
}

function normalise(code: string): string {
  return code.replace(/[\s-]/g, "").toUpperCase();
}
