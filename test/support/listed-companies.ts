/** Makes up companies for tests of matching: a name of random syllables, a trade and an ending. */
import type { ListedCompany } from "../../scripts/bench/match/customer-list.ts";
import { createRandom, type Random } from "../../scripts/bench/random.ts";

const STARTS =
  "BRA CLA DRO FEN GIL HAR JES KEL LAN MOR NES OAK PEN QUI RUS SAL TAR UMB VEX WIL YAR ZEN".split(" ");
const MIDDLES = "BER COM DEL FOR GRA HOL LIN MAR NOR PAS RAD STO TEM VAN WES".split(" ");
const ENDS = "BY COTE DALE FORD GATE HAM LEY MERE NESS RIDGE STOW TON WICK WORTH".split(" ");
const TRADES =
  "BAKERY BUILDERS CARE CONSULTING FOODS HAULAGE HOLDINGS HOMES MEDIA PROPERTIES SERVICES TRADING".split(" ");
const ENDINGS = ["LIMITED", "LTD", "LTD", "LLP", "PLC"];
const TOWNS: [town: string, area: string][] = [
  ["LEEDS", "LS"],
  ["BRISTOL", "BS"],
  ["KING'S LYNN", "PE"],
  ["STOKE-ON-TRENT", "ST"],
  ["CARDIFF", "CF"],
  ["LONDON", "EC"],
  ["LONDON", "SE"],
];

/** Makes `count` companies; every tenth has a previous name. The same seed makes the same companies. */
export function listedCompanies(count: number, seed: number): ListedCompany[] {
  const random = createRandom(seed);
  return Array.from({ length: count }, (_, at) => aListedCompany(random, at));
}

/** More names of the same kind. */
export function otherNames(count: number, seed: number): string[] {
  const random = createRandom(seed);
  return Array.from({ length: count }, () => makeName(random));
}

function aListedCompany(random: Random, at: number): ListedCompany {
  const [locality, area] = random.pick(TOWNS);
  const postal_code = `${area}${1 + random.below(20)} ${random.below(10)}${random.pick(["AB", "DE", "XY"])}`;
  const number = String(10_000_000 + at);
  return {
    number,
    company_name: makeName(random),
    company_status: random.below(4) === 0 ? "dissolved" : "active",
    type: "ltd",
    registered_office_address: {
      address_line_1: `${1 + random.below(99)} Invented Row`,
      locality,
      postal_code,
    },
    ...(at % 10 === 0 && { previous_company_names: [{ name: makeName(random), ceased_on: "2012-01-02" }] }),
  };
}

function makeName(random: Random): string {
  const word = random.pick(STARTS) + random.pick(MIDDLES) + random.pick(ENDS);
  return [word, random.pick(TRADES), random.pick(ENDINGS)].join(" ");
}
