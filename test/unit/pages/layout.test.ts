import { describe, expect, it } from "@jest/globals";
import fc from "fast-check";
import { type ControlPicture, type Node, shortNature } from "../../../api/pages/picture/fetch.ts";
import { layOut, WIDTH, wrap } from "../../../api/pages/picture/picture.tsx";
import { enumerationKeys } from "../../../api/shared/values/enumerations.ts";

const MIDDLE = { name: "SAMPLE LTD", words: "00000001 · Active", controlPage: "/c", peoplePage: "/p" };

const nodes = fc.letrec<{ node: Node }>((tie) => ({
  node: fc.record({
    name: fc.string({ maxLength: 80 }),
    words: fc.constantFrom("", "75% or more of the shares"),
    to: fc.constantFrom(undefined, "/pages/company/1"),
    kind: fc.constantFrom<Node["kind"]>("person", "body"),
    controllers: fc.oneof(
      { depthSize: "small", maxDepth: 3 },
      fc.constant<Node[]>([]),
      fc.array(tie("node"), { maxLength: 3 }),
    ),
    furtherControllers: fc.constantFrom(0, 4),
  }),
})).node;

const pictures: fc.Arbitrary<ControlPicture> = fc.record({
  controllers: fc.array(nodes, { maxLength: 4 }),
  furtherControllers: fc.constantFrom(0, 2),
  officers: fc.array(nodes, { maxLength: 4 }),
  furtherOfficers: fc.constantFrom(0, 3),
  loaded: fc.constant({ controllers: true, officers: true }),
});

describe("the picture of control", () => {
  it("has its boxes below each other, inside the picture, the company between control and officers", () => {
    fc.assert(
      fc.property(pictures, (drawn) => {
        const { boxes, height } = layOut(drawn, MIDDLE);
        boxes.forEach((box, at) => {
          expect(box.x).toBeGreaterThanOrEqual(0);
          expect(box.x + box.width).toBe(WIDTH);
          const before = boxes[at - 1];
          if (before) expect(box.y).toBeGreaterThan(before.y + before.height);
        });
        const last = boxes.at(-1);
        expect(last && last.y + last.height).toBe(height);
        const company = boxes.findIndex(({ kind }) => kind === "company");
        expect(boxes.length - 1 - company).toBe(drawn.officers.length + (drawn.furtherOfficers > 0 ? 1 : 0));
      }),
    );
  });

  it("draws one line for each that is controlled, and one for those who run the company", () => {
    const person = { name: "Ann", words: "", to: "/a", kind: "person" as const };
    const leaf: Node = { ...person, controllers: [], furtherControllers: 0 };
    const between: Node = { ...leaf, name: "BETWEEN LTD", controllers: [leaf, leaf] };
    const { lines } = layOut(
      {
        controllers: [between, leaf],
        furtherControllers: 0,
        officers: [leaf, leaf],
        furtherOfficers: 0,
        loaded: { controllers: true, officers: true },
      },
      MIDDLE,
    );
    expect(lines.map(({ isControl }) => isControl)).toEqual([true, true, false]);
  });
});

describe("a name in a box", () => {
  it.each([
    ["SAMPLE LTD", 20, ["SAMPLE LTD"]],
    ["THE SAMPLE HOLDINGS COMPANY", 20, ["THE SAMPLE HOLDINGS", "COMPANY"]],
    ["ONE TWO THREE FOUR FIVE SIX", 10, ["ONE TWO", "THREE FOU…"]],
    ["Donaudampfschifffahrtsgesellschaft", 12, ["Donaudampfs…"]],
    ["", 10, [""]],
  ])("%j in lines of %i", (name, signs, lines) => {
    expect(wrap(name, signs)).toEqual(lines);
  });

  it("is never longer than two lines", () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 200 }), fc.integer({ min: 8, max: 40 }), (name, signs) => {
        const lines = wrap(name, signs);
        expect(lines.length).toBeLessThanOrEqual(2);
        for (const line of lines) expect(line.length).toBeLessThanOrEqual(signs);
      }),
    );
  });
});

describe("a nature of control in few words", () => {
  it.each([
    ["ownership-of-shares-75-to-100-percent", "75% or more of the shares"],
    ["voting-rights-25-to-50-percent-as-trust", "25–50% of the votes, by a trust"],
    ["ownership-of-shares-more-than-25-percent-registered-overseas-entity", "More than 25% of the shares"],
    ["right-to-appoint-and-remove-directors-as-firm", "Appoints and removes directors, by a firm"],
    ["right-to-appoint-and-remove-members-limited-liability-partnership", "Appoints and removes members"],
    ["right-to-appoint-and-remove-person-as-trust", "Appoints and removes persons, by a trust"],
    ["significant-influence-or-control", "Significant influence or control"],
  ])("%s", (nature, words) => {
    expect(shortNature(nature)).toBe(words);
  });

  it.each(enumerationKeys("psc_natures_of_control"))("%s has some", (nature) => {
    expect(shortNature(nature)).toMatch(/^\S.* /);
  });
});
