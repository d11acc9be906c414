/** Matches officers and disqualified officers, both people and corporate bodies: their queries and comparison. Pure. */
import { addressSnippet, type Address } from "../shared/values/address.ts";
import { formatMonthYear } from "../shared/values/dates.ts";
import { someOf, type Clause } from "../search/clauses.ts";
import type { SearchDefinition } from "../search/define-search.ts";
import type { SearchHit } from "../shared/definitions/search-result.ts";
import { filterPeople, searchDisqualifiedOfficers, searchOfficers } from "../search/people.ts";
import { birthsOf } from "../search/reading/birth.ts";
import { parseCompanyName } from "../../index-mappings/names/company-name.ts";
import { companyForms, type CompanyForm, formsInPlace } from "./company-forms.ts";
import { compareCompanyNames } from "./company-names.ts";
import { mostSimilar } from "./decide.ts";
import type { Compared, Likeness, Matching, MatchType } from "./define-match.ts";
import { compareFacts, hasPostcode, readFacts, withoutFactsOfName, type KnownFacts } from "./facts.ts";
import { comparePersonNames, type IndexedPersonName, personReadings } from "./person-names.ts";
import { hasPlace } from "./town.ts";

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

/** How officers are matched; the number of a question is that of a company that the officer belongs to. */
export const officerMatching = matchingOf("officer", searchOfficers as unknown as SearchDefinition);

export const disqualifiedMatching = matchingOf(
  "disqualified-officer",
  searchDisqualifiedOfficers as unknown as SearchDefinition,
);

function matchingOf(type: Exclude<MatchType, "company">, search: SearchDefinition): Matching {
  return {
    search,
    index: type === "officer" ? "officers" : "disqualified-officers",
    members: MEMBERS,
    read: (question) => {
      const { facts: all, fromText, notes } = readFacts(question);
      // Documents of disqualified officers do not name their companies.
      const facts = type === "officer" ? all : { ...all, number: null };
      const names = { people: personReadings(question.name), bodies: companyForms(question.name) };
      return {
        name: question.name.trim(),
        conditions: [[], ...conditionsOf(facts)],
        ids: [],
        equal: null,
        ofKeys: null,
        compare: (hit) => comparePerson(hit, type, names, { facts, fromText }),
        notes,
      };
    },
  };
}

/**
 * One condition for each fact that tells people of the same name apart. For a common name, the first page of an
 * unfiltered search is full of other people.
 */
function conditionsOf({ born, number, postcode }: KnownFacts): Clause[][] {
  return [
    ...(born ? [[someOf(birthsOf(born).flatMap((month) => filterPeople({ born: month })))]] : []),
    ...(number === null ? [] : [filterPeople({ company_number: number })]),
    ...(postcode === null ? [] : [[hasPostcode(postcode)]]),
  ];
}

interface Names {
  people: ReturnType<typeof personReadings>;
  bodies: CompanyForm[];
}

/** The members that are read from the documents of either index. */
interface PersonSource {
  shown: { title: string; date_of_birth?: string | { month: number; year: number }; address?: Address };
  names: (IndexedPersonName & { end?: string })[];
  born?: string;
  postcode?: string[];
  address?: string[];
  companies?: string[];
  disqualified_until?: string;
}

function comparePerson(
  hit: SearchHit,
  type: MatchType,
  names: Names,
  read: Pick<ReturnType<typeof readFacts>, "facts" | "fromText">,
): Compared {
  const source = hit.source as unknown as PersonSource; // the document of the index that the hit is from
  const { shown, born, companies = [], disqualified_until: until } = source;
  const addresses = (source.address ?? []).map((line) => line.split(" "));
  const people = names.people.filter(({ place, agreeing }) => hasPlace(place, agreeing, addresses));
  const bodies = formsInPlace(names.bodies, addresses);
  const likeness = mostSimilar(source.names.map((name) => likenessOf({ people, bodies }, name)));
  const facts = compareFacts(read.facts, {
    numbers: companies,
    postcodes: source.postcode ?? [],
    addresses,
    // The date of a disqualified officer includes the day.
    born: typeof shown.date_of_birth === "string" ? shown.date_of_birth : born,
  });
  return {
    type,
    id: hit.id,
    name: shown.title,
    status: until === undefined ? null : `disqualified until ${until}`,
    description: describe(source),
    likeness,
    // Only a corporate body may have a number or postcode in its name.
    facts: source.names.some(({ end }) => end !== undefined)
      ? withoutFactsOfName(facts, likeness, read)
      : facts,
    isByNumber: false,
  };
}

function likenessOf({ people, bodies }: Names, entry: PersonSource["names"][number]): Likeness {
  const likeness =
    entry.end === undefined
      ? comparePersonNames(people, entry)
      : mostSimilar(bodies.map((form) => compareCompanyNames(form, parseCompanyName(entry.name))));
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
