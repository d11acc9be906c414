/** Owns the picture of who controls and runs a company: an SVG whose boxes link to pages. */
import type { Company } from "../answers/index.ts";
import { companyAddress } from "../addresses.ts";
import { Link, useAddress } from "../layout.tsx";
import { wordsOf } from "../words.ts";
import type { ControlPicture } from "./fetch.ts";
import { layOut, WIDTH, type Box } from "./layout.ts";

/** The picture, with a description in words below it. */
export function Picture({ of: picture, company }: { of: ControlPicture; company: Company }) {
  const { company_name: name, company_number: number, company_status: status } = company;
  const [controlPage, peoplePage] = [companyAddress(number, "control"), companyAddress(number, "people")];
  const words = [number, status && wordsOf("company_status", status)].filter(Boolean).join(" · ");
  const { height, boxes, lines } = layOut(picture, { name, words, controlPage, peoplePage });
  return (
    <figure class="picture" aria-labelledby="picture">
      <h2 id="picture">Who controls and runs it</h2>
      {/* A pixel round it, so that the frames of boxes are not cut. */}
      <svg viewBox={`-1 -1 ${WIDTH + 2} ${height + 2}`} role="group" aria-labelledby="picture">
        <defs>
          <marker
            id="arrow"
            viewBox="0 0 8 8"
            refX="7"
            refY="4"
            markerWidth="8"
            markerHeight="8"
            orient="auto"
          >
            <path d="M0 0L8 4L0 8z" />
          </marker>
        </defs>
        {lines.map(({ d, isControl }) => (
          <path class="line" d={d} marker-end={isControl ? "url(#arrow)" : undefined} />
        ))}
        {boxes.map((box) => (
          <Node box={box} />
        ))}
      </svg>
      <figcaption>{describe(picture, controlPage, peoplePage)}</figcaption>
    </figure>
  );
}

function Node({ box }: { box: Box }) {
  const content = <Content box={box} />;
  if (box.to === undefined) return <g class={`node ${box.kind}`}>{content}</g>;
  return (
    <a class={`node ${box.kind}`} href={useAddress(box.to)}>
      {content}
    </a>
  );
}

function Content({ box: { x, y, width, height, lines, words, name } }: { box: Box }) {
  const isCut = lines.join(" ") !== name;
  return (
    <>
      {isCut ? <title>{name}</title> : null}
      <rect x={x} y={y} width={width} height={height} rx="7" />
      {lines.map((line, index) => (
        <text x={x + 12} y={y + 22 + index * 17} class="name">
          {line}
        </text>
      ))}
      {words ? (
        <text x={x + 12} y={y + 22 + lines.length * 17} class="words">
          {words}
        </text>
      ) : null}
    </>
  );
}

function describe(
  { controllers, officers, loaded }: ControlPicture,
  controlPage: string,
  peoplePage: string,
) {
  const above =
    controllers.length > 0
      ? "Above the company: who controls it."
      : sayNone("controllers", loaded.controllers);
  const below =
    officers.length > 0
      ? `Below ${controllers.length > 0 ? "it" : "the company"}: who runs it.`
      : sayNone("serving officers", loaded.officers);
  const hasNodes = controllers.length + officers.length > 0;
  return (
    <>
      {above} {below} {hasNodes ? "A dashed frame means a company or other body. " : null}
      <Link to={controlPage}>All controllers</Link>, <Link to={peoplePage}>all officers</Link>
    </>
  );
}

function sayNone(what: string, isLoaded: boolean): string {
  return isLoaded ? `No ${what} are registered.` : `No ${what} have been loaded.`;
}
