/** Owns the matching of officers and disqualified officers, people and bodies: queries and comparison. Pure. */
import { addressSnippet, type Address } from "../shared/values/address.ts";
import { formatMonthYear } from "../shared/values/dates.ts";
import { term, type Clause } from "../search/clauses.ts";
import type { SearchDefinition } from "../search/define-search.ts";
import type { SearchHit } from "../shared/definitions/search-result.ts";
import { searchDisqualifiedOfficers } from "../search/disqualified-officers.ts";
import { searchOfficers } from "../search/officers.ts";
import { filterPeople } from "../search/reading/filters.ts";
import { parseCompanyName } from "../../index-mappings/names/company-name.ts";
import { companyForms, compareCompanyNames, type CompanyForm } from "./company-names.ts";
import type { Compared } from "./decide.ts";
import type { Likeness, MatchType } from "./define-match.ts";
import { compareFacts, readFacts, type KnownFacts } from "./facts.ts";
import { mostLike, type Matching } from "./matching.ts";
import { comparePersonNames, personReadings, type IndexedPersonName } from "./person-names.ts";

const FORMER_COSTS = 4;
const MEMBERS = [
  "kind",
  "shown",
  "born",
  "postcode",
  "address",
  "companies",
  "disqualified_until",
  ...["name", "surname", "given", "current", "end"].map((member) => `names.${member}`),
];

/** How officers are matched; a number is that of a company that they belong to. */
export const officerMatching = matchingOf("officer", searchOfficers as unknown as SearchDefinition);

/** How disqualified officers are matched. */
export const disqualifiedMatching = matchingOf(
  "disqualified-officer",
  searchDisqualifiedOfficers as unknown as SearchDefinition,
);

function matchingOf(type: Exclude<MatchType, "company">, search: SearchDefinition): Matching {
  return {
    type,
    search,
    index: type === "officer" ? "officers" : "disqualified-officers",
    members: MEMBERS,
    read: (question) => {
      const { facts: all, notes } = readFacts(question);
      // Disqualified officers are not linked to companies here.
      const facts = type === "officer" ? all : { ...all, number: null };
      const names = { people: personReadings(question.name), bodies: companyForms(question.name) };
      return {
        name: question.name.trim(),
        conditions: [[], ...conditionsOf(facts)],
        ids: [],
        equal: null,
        ofKeys: null,
        compare: (hit) => comparePerson(hit, type, names, facts),
        notes,
      };
    },
  };
}

/** Each fact that distinguishes people of one name, by itself: for a common name the first page is full of others. */
function conditionsOf({ born, number, postcode }: KnownFacts): Clause[][] {
  const month = born?.month ? `${born.year}-${born.month}` : born?.year;
  return [
    ...(month ? [filterPeople({ born: month })] : []),
    ...(number === null ? [] : [filterPeople({ company_number: number })]),
    ...(postcode === null ? [] : [[term("postcode", postcode)]]),
  ];
}

interface Names {
  people: ReturnType<typeof personReadings>;
  bodies: CompanyForm[];
}

/** The members that are read from documents of both indices. */
interface PersonSource {
  shown: { title: string; date_of_birth?: string | { month: number; year: number }; address?: Address };
  names: (IndexedPersonName & { end?: string })[];
  born?: string;
  postcode?: string[];
  address?: string[];
  companies?: string[];
  disqualified_until?: string;
}

function comparePerson(hit: SearchHit, type: MatchType, names: Names, known: KnownFacts): Compared {
  const source = hit.source as unknown as PersonSource; // the document of the index that the hit is from
  const { shown, born, companies = [], disqualified_until: until } = source;
  return {
    type,
    id: hit.id,
    name: shown.title,
    status: until === undefined ? null : `disqualified until ${until}`,
    description: describe(source),
    likeness: mostLike(source.names.map((name) => likenessOf(names, name))),
    facts: compareFacts(known, {
      numbers: companies,
      postcodes: source.postcode ?? [],
      addresses: (source.address ?? []).map((line) => line.split(" ")),
      born,
    }),
    isByNumber: false,
  };
}

function likenessOf({ people, bodies }: Names, entry: PersonSource["names"][number]): Likeness {
  const likeness =
    entry.end === undefined
      ? comparePersonNames(people, entry)
      : mostLike(bodies.map((form) => compareCompanyNames(form, parseCompanyName(entry.name))));
  if (entry.current) return likeness;
  const score = Math.max(0, likeness.score - FORMER_COSTS);
  return { ...likeness, score, reason: `${likeness.reason} (former name ${entry.name})` };
}

function describe({ shown, companies }: PersonSource): string {
  const { date_of_birth: birth, address } = shown;
  const born = typeof birth === "string" ? birth : birth && formatMonthYear(birth);
  const count = companies?.length ?? 0;
  const facts = [
    born && `born ${born}`,
    count > 0 && `${count} ${count === 1 ? "company" : "companies"}`,
    address && addressSnippet(address),
  ];
  return facts.filter(Boolean).join(", ");
}
