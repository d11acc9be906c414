/** Owns the picture of who controls and runs a company: nested lists of boxes below each other, which link to pages. */
import type { Company } from "../answers.ts";
import { companyAddress } from "../addresses.ts";
import { Link } from "../layout.tsx";
import { wordsOf } from "../words.ts";
import type { ControlPicture, Node } from "./fetch.ts";

/** The picture, with a description in words below it. */
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
  /** How many there are besides, and the page with all of them. */
  further: number;
  all: string | undefined;
  kind: "controllers" | "officers";
}

/** Boxes of people and bodies, each below the boxes of its own controllers: those furthest away come first. */
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
