/** Owns the generic words of names, which say what a company does or is: they make no two names similar. */
import { withoutPlaces } from "../reading/places.ts";

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
    "FREEHOLD RTM ASSOCIATION SOCIETY CLUB CHURCH COMMUNITY FOUNDATION CHARITY NEW"
  ).split(" "),
);

/** True for a word that many names share. */
export function isGeneric(word: string): boolean {
  return GENERIC_WORDS.has(word);
}

// Words of addresses, which occur in the names of many unrelated companies.
const ADDRESS_WORDS = new Set(
  (
    "ROAD STREET LANE AVENUE CLOSE DRIVE COURT HOUSE PARK HIGH GREEN GROVE HILL SQUARE PLACE KING KINGS QUEEN QUEENS " +
    "PRINCE ROYAL CROWN VICTORIA STATION MILL NORTH SOUTH EAST WEST NORTHERN SOUTHERN EASTERN WESTERN CENTRAL CITY TOWN OLD"
  ).split(" "),
);

/** The distinctive words of a name: neither generic nor part of an address. */
export function distinctiveWords(words: string[]): string[] {
  const isNumber = (word: string) => /^\d+$/.test(word);
  return withoutPlaces(words).filter(
    (word) => !GENERIC_WORDS.has(word) && !ADDRESS_WORDS.has(word) && !isNumber(word),
  );
}

/** The same or, when there are none, the generic words: the first of these lists that is not empty. */
export function mostDistinctiveWords(words: string[]): string[] {
  const own = words.filter((word) => !GENERIC_WORDS.has(word));
  return [distinctiveWords(words), own, words].find(({ length }) => length > 0) ?? [];
}

const CONNECTIVES = new Set("AND OF THE FOR IN AT BY ON TO A".split(" "));
// Tuned: RUSKINDALE & COMPANY must find RUSKINDALE & CO, of which AND is half.
const FEWEST_WORDS = 3;

/** The words without those that only connect them, unless too few would be left. */
export function withoutConnectives(words: string[]): string[] {
  const content = words.filter((word) => !CONNECTIVES.has(word));
  return content.length >= FEWEST_WORDS ? content : words;
}
