/** Owns the picture of who controls and runs a company: an SVG of boxes below each other, which link to pages. */
import type { Company } from "../answers.ts";
import { companyAddress } from "../addresses.ts";
import { Link, useAddress } from "../layout.tsx";
import { wordsOf } from "../words.ts";
import type { ControlPicture, Node } from "./fetch.ts";

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

function Node({ box: { x, y, width, height, lines, words, name, to, kind } }: { box: Box }) {
  const isCut = lines.join(" ") !== name;
  const content = (
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
  if (to === undefined) return <g class={`node ${kind}`}>{content}</g>;
  return (
    <a class={`node ${kind}`} href={useAddress(to)}>
      {content}
    </a>
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

/** Width of the picture, in pixels of a narrow screen, so that texts can be read there. */
export const WIDTH = 360;
const STEP = 22;
const GAP = 10;
const TRUNK = 10;
const LINE = 17;
const PADDING = 9;
// Tuned: characters that fit a line of a box at full width, and the loss for each step to the right. Capitals are wide.
const SIGNS = 34;
const SIGNS_OF_CAPITALS = 29;
const SIGNS_A_STEP = 2;

/** A box: a person or body, the company itself, or the number of further ones. */
interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
  kind: Node["kind"] | "company" | "more";
  /** The name, in as many lines as it takes. */
  lines: string[];
  words: string;
  /** The whole name, for the tooltip of a shortened one. */
  name: string;
  to: string | undefined;
}

interface Layout {
  height: number;
  boxes: Box[];
  /** Lines from boxes to one; `d` is the path, `isControl`: from controllers, with an arrow at its end. */
  lines: { d: string; isControl: boolean }[];
}

/** The company in the middle. */
interface Middle {
  name: string;
  words: string;
  /** The targets of the boxes "and 3 more". */
  controlPage: string;
  peoplePage: string;
}

/** Puts controllers above the company, those furthest away first, and officers below it. */
export function layOut(picture: ControlPicture, middle: Middle): Layout {
  const layout: Layout = { height: 0, boxes: [], lines: [] };
  const company: Node = {
    ...{ name: middle.name, words: middle.words, to: undefined, kind: "body" },
    controllers: picture.controllers,
    furtherControllers: picture.furtherControllers,
  };
  const box = placeTree(layout, company, middle.controlPage);
  box.kind = "company";
  const below = picture.officers.map((node) => placeBox(layout, node, 1, node.kind));
  if (picture.furtherOfficers > 0) {
    below.push(placeBox(layout, moreOf(picture.furtherOfficers, middle.peoplePage), 1, "more"));
  }
  if (below.length > 0) {
    layout.lines.push({ d: connect(below, box.x + TRUNK, box.y + box.height), isControl: false });
  }
  layout.height -= GAP;
  return layout;
}

function placeTree(layout: Layout, node: Node, controlPage: string, level = 0): Box {
  const above = node.controllers.map((one) => placeTree(layout, one, controlPage, level + 1));
  if (node.furtherControllers > 0) {
    const more = moreOf(node.furtherControllers, level === 0 ? controlPage : node.to);
    above.push(placeBox(layout, more, level + 1, "more"));
  }
  const box = placeBox(layout, node, level, node.kind);
  if (above.length > 0) layout.lines.push({ d: connect(above, box.x + TRUNK, box.y), isControl: true });
  return box;
}

/** A line beside boxes with a branch to each; it ends at `end`. */
function connect(boxes: readonly Box[], x: number, end: number): string {
  const [far, ...others] = boxes.toSorted((a, b) => Math.abs(b.y - end) - Math.abs(a.y - end));
  if (!far) return "";
  const branches = others.map((box) => `M${box.x} ${middleOf(box)}H${x}`);
  // The last part is the long one, whose end has the arrow.
  return [...branches, `M${far.x} ${middleOf(far)}H${x}V${end}`].join("");
}

function middleOf({ y, height }: Box): number {
  return y + height / 2;
}

function placeBox(layout: Layout, { name, words, to }: Node, level: number, kind: Box["kind"]): Box {
  const x = level * STEP;
  const isCapital = name === name.toUpperCase();
  const lines = wrap(name, (isCapital ? SIGNS_OF_CAPITALS : SIGNS) - level * SIGNS_A_STEP);
  const height = 2 * PADDING + (lines.length + (words ? 1 : 0)) * LINE;
  const box = { ...{ x, y: layout.height, width: WIDTH - x, height }, kind, lines, words, name, to };
  layout.boxes.push(box);
  layout.height += height + GAP;
  return box;
}

function moreOf(count: number, to: string | undefined): Node {
  const name = `and ${count.toLocaleString("en-GB")} more`;
  return { name, words: "", to, kind: "person", controllers: [], furtherControllers: 0 };
}

/** A name in at most two lines; a longer one ends in an ellipsis. */
export function wrap(text: string, signs: number): string[] {
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(/\s+/).filter(Boolean)) {
    const longer = line === "" ? word : `${line} ${word}`;
    if (line !== "" && longer.length > signs) {
      lines.push(line);
      line = word;
    } else line = longer;
  }
  lines.push(line);
  const [first = "", ...rest] = lines;
  const second = rest.length > 0 ? [rest.join(" ")] : [];
  return [first, ...second].map((one) => shorten(one, signs));
}

function shorten(text: string, signs: number): string {
  return text.length <= signs ? text : `${text.slice(0, signs - 1).trimEnd()}…`;
}
