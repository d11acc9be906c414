/**
 * Words that many names and addresses share, so they do not make two names similar: generic words (what a company is or
 * does), words around a name in a document, words of streets, and words that only connect others.
 */
import { withoutPlaces } from "./places.ts";

const GENERIC_WORDS = new Set(
  (
    "A AND OF THE FOR IN AT BY ON TO LTD LIMITED PLC LLP CIC UK GB EU LONDON ENGLAND WALES SCOTLAND BRITAIN BRITISH " +
    "EUROPE EUROPEAN INTERNATIONAL GLOBAL WORLDWIDE CO COMPANY COMPANIES GROUP HOLDING HOLDINGS PARTNER PARTNERS " +
    "PARTNERSHIP ASSOCIATES SONS BROTHERS ENTERPRISE ENTERPRISES VENTURES TRADING TRADERS INDUSTRIES INDUSTRIAL " +
    "SERVICE SERVICES SOLUTION SOLUTIONS SYSTEM SYSTEMS PRODUCT PRODUCTS SUPPLY SUPPLIES CONSULTING CONSULTANCY " +
    "CONSULTANTS MANAGEMENT PROJECTS PROPERTY PROPERTIES ESTATE ESTATES DEVELOPMENT DEVELOPMENTS HOMES HOUSING " +
    "LETTINGS LAND CONSTRUCTION BUILDING BUILDERS CONTRACTORS CONTRACTING ENGINEERING ENGINEERS ELECTRICAL PLUMBING " +
    "HEATING ROOFING JOINERY SCAFFOLDING INVESTMENT INVESTMENTS CAPITAL FINANCE FINANCIAL ASSETS FUND TRUST TRUSTEES " +
    "NOMINEES SECRETARIES SECRETARIAL DIRECTORS DESIGN DESIGNS MEDIA MARKETING DIGITAL SOFTWARE TECHNOLOGY " +
    "TECHNOLOGIES TECH DATA ONLINE COMMUNICATIONS LOGISTICS TRANSPORT HAULAGE COURIERS EXPRESS TRAVEL TOURS TAXIS " +
    "CARS MOTORS AUTOS FOOD FOODS CATERING CAFE BAR RESTAURANT RESTAURANTS PIZZA HOTEL HOTELS CLEANING SECURITY " +
    "TRAINING EDUCATION RECRUITMENT CARE HEALTHCARE HEALTH MEDICAL DENTAL PHARMACY BEAUTY HAIR FITNESS FASHION " +
    "CLOTHING JEWELLERY FURNITURE KITCHENS INTERIORS GARDENS LANDSCAPES FARMS FARMING ENERGY RENEWABLES RECYCLING " +
    "WASTE RETAIL WHOLESALE IMPORTS EXPORTS STORE STORES SHOP MUSIC FILMS STUDIO STUDIOS PRODUCTIONS RESIDENTS " +
    "FREEHOLD RTM ASSOCIATION SOCIETY CLUB CHURCH COMMUNITY FOUNDATION CHARITY NEW BV GMBH INC LLC RL SARL"
  ).split(" "),
);

/** True for a word that many names share, because it says what a company is or does. */
export function isGeneric(word: string): boolean {
  return GENERIC_WORDS.has(word);
}

// Words that documents and searchers put around a company's name.
const AROUND_NAMES = new Set(
  (
    "MESSRS MS INVOICE INVOICES FROM TO BY FOR ATTN ATTENTION RE REF REFERENCE DEAR FIRM COMPANY BUSINESS SUPPLIER " +
    "CUSTOMER CLIENT VENDOR PAYEE PAYER ACCOUNT ACCOUNTS BILL PAID PAYMENT STATEMENT ORDER CALLED NAMED THE OF AT ON " +
    "NO NUMBER TEL TELEPHONE PHONE FAX VAT GB GBP BACS CHAPS DD TRANSFER CARD DIRECT DEBIT CREDIT TOTAL AMOUNT DATE " +
    "SEARCH FIND WHO OWNS RUNS WHAT WHERE IS ARE DIRECTORS OFFICERS ADDRESS FAO CONTACT CONTACTS DETAILS REVIEW REVIEWS " +
    "WEBSITE EMAIL JOBS CAREERS HQ HEADQUARTERS"
  ).split(" "),
);

// Pairs that surround names. Each of these words alone may be a part of a name.
const PAIRS_AROUND_NAMES = new Set(
  (
    "COMPANIES HOUSE,HEAD OFFICE,REGISTERED OFFICE,REGISTERED ADDRESS,ANNUAL ACCOUNTS,COMPANY NAME,BUSINESS NAME," +
    "SUPPLIER NAME,CUSTOMER NAME,CLIENT NAME,VENDOR NAME,EMPLOYER NAME,PAYEE NAME,ACCOUNT NAME,VAT REG,VAT REGISTRATION"
  ).split(","),
);
// A document's word and its number: `PO 4567`.
const NUMBERED = /^(?:INV|PO) \d+$/;

/** True for a word that a document or a searcher may put around a company's name. */
export function isAroundNames(word: string): boolean {
  return AROUND_NAMES.has(word);
}

// These count only if a legal ending closes the name after them, since they are also parts of names.
const DOCUMENT_WORDS = new Set("NAME ADVICE REMITTANCE RECEIPT QUOTE CONTRACT EMPLOYER INV PO".split(" "));

/** True for a word of a document that may stand before a name. */
export function isOfDocuments(word: string): boolean {
  return DOCUMENT_WORDS.has(word);
}

/** The same for the word at this place, which may also be one of a pair: `HEAD OFFICE`. */
export function isAroundNamesAt(place: number, words: string[]): boolean {
  const isPair = (first: number) => {
    const pair = words.slice(first, first + 2).join(" ");
    return PAIRS_AROUND_NAMES.has(pair) || NUMBERED.test(pair);
  };
  return isAroundNames(words[place] ?? "") || isPair(place - 1) || isPair(place);
}

// Words of addresses, which occur in the names of many unrelated companies.
const ADDRESS_WORDS = new Set(
  (
    "ROAD STREET LANE AVENUE CLOSE DRIVE COURT HOUSE PARK HIGH GREEN GROVE HILL SQUARE PLACE KING KINGS QUEEN QUEENS " +
    "PRINCE ROYAL CROWN VICTORIA STATION MILL NORTH SOUTH EAST WEST NORTHERN SOUTHERN EASTERN WESTERN CENTRAL CITY TOWN OLD"
  ).split(" "),
);

/** True for a generic word or a word of addresses. Names that differ in such a word are different names. */
export function isWidespread(word: string): boolean {
  return GENERIC_WORDS.has(word) || ADDRESS_WORDS.has(word);
}

/** The distinctive words of a name: neither generic nor of an address, and no number. */
export function distinctiveWords(words: string[]): string[] {
  const isNumber = (word: string) => /^\d+$/.test(word);
  return withoutPlaces(words).filter((word) => !isWidespread(word) && !isNumber(word));
}

/** The distinctive words of a name; if none, the words that are not generic; if none, all words. */
export function mostDistinctiveWords(words: string[]): string[] {
  const own = words.filter((word) => !GENERIC_WORDS.has(word));
  return [distinctiveWords(words), own, words].find(({ length }) => length > 0) ?? [];
}

const CONNECTIVES = new Set("AND OF THE FOR IN AT BY ON TO A".split(" "));
// Tuned: RUSKINDALE & COMPANY must find RUSKINDALE & CO, and without AND the two would share only one word of two.
const FEWEST_WORDS = 3;

/** The words without connectives, unless fewer than FEWEST_WORDS would be left. */
export function withoutConnectives(words: string[]): string[] {
  const content = words.filter((word) => !CONNECTIVES.has(word));
  return content.length >= FEWEST_WORDS ? content : words;
}

/** True for a word with a digit, which belongs to an address or a number and not to a person's name. */
export function hasDigit(word: string): boolean {
  return /\d/.test(word);
}
