/**
 * The picture of who controls and runs a company. It fetches the company's controllers, their own controllers, and its
 * officers, and shows them as nested lists of boxes that link to pages.
 */
import { nameKey } from "../../../index-mappings/names/company-name.ts";
import { parseTypedNumber } from "../../shared/values/company-number.ts";
import { companyAddress, pageOf } from "../addresses.ts";
import type { Appointment, Company, Controller } from "../answers.ts";
import { nullIfRefused, type Ask } from "../define-page.ts";
import { Link } from "../layout.tsx";
import { showMonth, wordsOf } from "../words.ts";

// Limits of the size of a picture. The sections People and Control have everybody.
const MOST_CONTROLLERS = 6;
const MOST_OFFICERS = 8;
/** Most levels of controllers above the company; a higher picture is hard to read. */
const MOST_LEVELS = 3;
/** Most corporate bodies that are looked up in the register for one picture; each costs up to two reads. */
const MOST_LOOKUPS = 12;

/** A person or body in the picture. */
interface Node {
  name: string;
  /** The text below the name. */
  words: string;
  to: string | undefined;
  kind: "person" | "body";
  /** Its controllers, if it is a company of the register. */
  controllers: Node[];
  furtherControllers: number;
}

interface ControlPicture extends Pick<Node, "controllers" | "furtherControllers"> {
  officers: Node[];
  furtherOfficers: number;
  /** False if no records of the kind have been loaded for the company. */
  loaded: { controllers: boolean; officers: boolean };
}

/** Fetches the people and bodies around a company. */
export async function drawControl(ask: Ask, { company_number }: Company): Promise<ControlPicture> {
  const [above, list] = await Promise.all([
    fetchControllers(ask, company_number, { companies: new Set([company_number]), lookups: 0 }),
    ask("officer-list", { company_number, items_per_page: String(MOST_OFFICERS + 1), filter: "active" }),
  ]);
  const serving = (list?.items ?? []).filter(({ resigned_on }) => resigned_on === undefined);
  return {
    ...above,
    officers: serving.slice(0, MOST_OFFICERS).map(toOfficer),
    furtherOfficers: Math.max(0, (serving.length > 0 ? (list?.active_count ?? 0) : 0) - MOST_OFFICERS),
    loaded: { controllers: above.isLoaded, officers: list?.coverage?.loaded ?? false },
  };
}

interface Seen {
  /** Companies already in the picture, whose controllers are shown once, even if the companies control each other. */
  companies: Set<string>;
  lookups: number;
}

async function fetchControllers(
  ask: Ask,
  company_number: string,
  seen: Seen,
  level = 1,
): Promise<Pick<Node, "controllers" | "furtherControllers"> & { isLoaded: boolean }> {
  // A long page, because the list also has controllers who have ceased.
  const list = await ask("psc-list", { company_number, items_per_page: "100" });
  const present = (list?.items ?? []).filter(({ ceased, ceased_on }) => !ceased && !ceased_on);
  const shown = present.slice(0, MOST_CONTROLLERS);
  const total = Math.max(present.length, list?.active_count ?? 0);
  // Not in parallel: each call has to know the companies that the earlier ones added to the picture.
  const controllers: Node[] = [];
  for (const one of shown) controllers.push(await toController(ask, one, { company_number, seen, level }));
  return {
    controllers,
    furtherControllers: total - shown.length,
    isLoaded: list?.coverage?.loaded ?? false,
  };
}

async function toController(
  ask: Ask,
  one: Controller,
  { company_number, seen, level }: { company_number: string; seen: Seen; level: number },
): Promise<Node> {
  const { natures_of_control: natures = [], links } = one;
  const own = {
    name: one.name ?? "Protected person",
    words: natures[0] ? wordsOf("psc_natures_of_control", natures[0]) : "",
    to:
      pageOf(links.persons_with_significant_control?.notifications) ??
      companyAddress(company_number, "control"),
  };
  const isBody = !one.kind.startsWith("individual") && !one.kind.startsWith("super-secure");
  const number = isBody ? await findCompany(ask, one, seen) : undefined;
  const none = { controllers: [], furtherControllers: 0 };
  if (number === undefined) return { ...own, kind: isBody ? "body" : "person", ...none };
  const isOpen = level < MOST_LEVELS && !seen.companies.has(number);
  seen.companies.add(number);
  const above = isOpen ? await fetchControllers(ask, number, seen, level + 1) : none;
  const { controllers, furtherControllers } = above;
  return { ...own, to: companyAddress(number), kind: "body", controllers, furtherControllers };
}

/** Finds the company in the register that is the controlling body: the one with the same number and name. */
async function findCompany(
  ask: Ask,
  { name, identification }: Controller,
  seen: Seen,
): Promise<string | undefined> {
  const number = parseTypedNumber(identification?.registration_number ?? "");
  if (number === null || name === undefined || seen.lookups >= MOST_LOOKUPS) return undefined;
  seen.lookups += 1;
  // If the visitor's key has no permission to read the company, the body is shown as if the register did not have it.
  const company = await nullIfRefused(ask("company-profile", { company_number: number }));
  return company && nameKey(company.company_name) === nameKey(name) ? company.company_number : undefined;
}

function toOfficer(officer: Appointment): Node {
  const born = showMonth(officer.date_of_birth);
  const role = wordsOf("officer_role", officer.officer_role);
  return {
    name: officer.name,
    words: born ? `${role}, born ${born}` : role,
    to: pageOf(officer.links.officer?.appointments),
    kind: officer.officer_role.startsWith("corporate") ? "body" : "person",
    controllers: [],
    furtherControllers: 0,
  };
}

/** Shows the picture, with a description in words below it. */
export function Picture({ of: picture, company }: { of: ControlPicture; company: Company }) {
  const { controllers, furtherControllers, officers, furtherOfficers } = picture;
  const { company_name: name, company_number: number, company_status: status } = company;
  const [controlPage, peoplePage] = [companyAddress(number, "control"), companyAddress(number, "people")];
  const words = [number, status && wordsOf("company_status", status)].filter(Boolean).join(" · ");
  return (
    <figure class="picture" aria-labelledby="picture">
      <h2 id="picture">Who controls and runs it</h2>
      <Boxes of={controllers} further={furtherControllers} all={controlPage} kind="controllers" />
      <Box of={{ name, words, to: undefined, kind: "company" }} />
      <Boxes of={officers} further={furtherOfficers} all={peoplePage} kind="officers" />
      <figcaption>{describe(picture, controlPage, peoplePage)}</figcaption>
    </figure>
  );
}

interface BoxesProps {
  of: readonly Node[];
  /** How many are not shown, and the page that has all of them. */
  further: number;
  all: string | undefined;
  kind: "controllers" | "officers";
}

/** The boxes of people and bodies. Each is below the boxes of its own controllers, so the most distant come first. */
function Boxes({ of, further, all, kind }: BoxesProps) {
  if (of.length + further === 0) return null;
  const more = `and ${further.toLocaleString("en-GB")} more`;
  return (
    <ul class={kind}>
      {of.map((node) => (
        <li>
          <Boxes of={node.controllers} further={node.furtherControllers} all={node.to} kind="controllers" />
          <Box of={node} />
        </li>
      ))}
      {further > 0 ? (
        <li>
          <Box of={{ name: more, words: "", to: all, kind: "more" }} />
        </li>
      ) : null}
    </ul>
  );
}

interface BoxProps extends Pick<Node, "name" | "words" | "to"> {
  kind: Node["kind"] | "company" | "more";
}

function Box({ of: { name, words, to, kind } }: { of: BoxProps }) {
  const content = (
    <>
      <strong>{name}</strong> {words ? <small>{words}</small> : null}
    </>
  );
  if (to === undefined) return <div class={`node ${kind}`}>{content}</div>;
  return (
    <Link to={to} class={`node ${kind}`}>
      {content}
    </Link>
  );
}

function describe(
  { controllers, furtherControllers, officers, loaded }: ControlPicture,
  controlPage: string,
  peoplePage: string,
) {
  const [hasAbove, hasBelow] = [controllers.length + furtherControllers > 0, officers.length > 0];
  const above = hasAbove ? "Above the company: who controls it." : sayNone("controllers", loaded.controllers);
  const below = hasBelow
    ? `Below ${hasAbove ? "it" : "the company"}: who runs it.`
    : sayNone("serving officers", loaded.officers);
  return (
    <>
      {above} {below} {hasAbove || hasBelow ? "A dashed frame means a company or other body. " : null}
      <Link to={controlPage}>All controllers</Link>, <Link to={peoplePage}>all officers</Link>
    </>
  );
}

function sayNone(what: string, isLoaded: boolean): string {
  return isLoaded ? `No ${what} are registered.` : `No ${what} have been loaded.`;
}
