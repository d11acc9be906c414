/** Owns company authentication codes: who has a company's may act for it. */
import { randomInt } from "node:crypto";
import type { DocumentStore } from "../stores/mongodb/mongo.ts";
import { openKept } from "./kept.ts";
import { hashPassword, isPassword } from "./secrets.ts";

const codes = openKept<CompanyCode>("company_codes");
// Without letters and digits that look alike: a code comes by letter. Eight of them are 39 bits, and tries are counted.
const LETTERS = "23456789ABCDEFGHJKMNPQRSTVWXYZ";
const LENGTH = 8;

interface CompanyCode {
  /** Number of the company. */
  _id: string;
  /** As `hashPassword` makes it: a code is short. */
  code: string;
  created_at: string;
}

export function generateCompanyCode(): string {
  return Array.from({ length: LENGTH }, () => LETTERS[randomInt(LETTERS.length)]).join("");
}

/** Keeps a company's code, over the one that it has. */
export async function storeCompanyCode(
  documents: DocumentStore,
  companyNumber: string,
  code: string,
  moment: Date,
): Promise<void> {
  const hash = await hashPassword(normalise(code));
  await codes.put(documents, { _id: companyNumber, code: hash, created_at: moment.toISOString() });
}

/** True when this is the company's code, however it was typed. As slow, and false, where the company has none. */
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

/** Takes a company's code away; nothing happens where it has none. */
export async function removeCompanyCode(documents: DocumentStore, companyNumber: string): Promise<void> {
  await codes.remove(documents, { _id: companyNumber });
}

function normalise(code: string): string {
  return code.replace(/[\s-]/g, "").toUpperCase();
}
