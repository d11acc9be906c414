/** Owns the forms in which a company is asked for by name and place. */
import type { CompanyTarget } from "../company-target.ts";
import { FULL_NAME, type Fact, type Form } from "../define-form.ts";
import type { FoundItem } from "../found-item.ts";
import { text } from "./text.ts";

type CompanyForm = Form<CompanyTarget>;

/** Name, and where the company is. */
export const placeForms: readonly CompanyForm[] = [
  ...withPlace(
    ["town"],
    [
      { name: "name and town", write: ({ core, town }) => text`${core} ${town}` },
      { name: "name, town", write: ({ core, town }) => text`${core}, ${town}` },
      { name: "name, ending, town", write: ({ name, ending, town }) => ending && text`${name}, ${town}` },
      { name: "name ending town", write: ({ name, ending, town }) => ending && text`${name} ${town}` },
      { name: "name (town)", write: ({ core, town }) => text`${core} (${town})` },
      { name: "name of town", write: ({ core, town }) => text`${core} of ${town}` },
      { name: "town in front", write: ({ name, town }) => text`${town} ${name}` },
    ],
  ),
  ...withPlace(
    ["county"],
    [
      { name: "name and county", write: ({ core, county }) => text`${core} ${county}` },
      { name: "name, ending, county", write: ({ name, county }) => text`${name}, ${county}` },
    ],
  ),
  ...withPlace(
    ["town", "county"],
    [{ name: "name, town, county", write: ({ name, town, county }) => text`${name}, ${town}, ${county}` }],
  ),
  ...withPlace(
    ["country"],
    [
      { name: "name and country", write: ({ core, country }) => text`${core} ${country}` },
      { name: "name, ending, country", write: ({ name, country }) => text`${name}, ${country}` },
    ],
  ),
  ...withPlace(
    ["town", "country"],
    [{ name: "name, town, country", write: ({ name, town, country }) => text`${name}, ${town}, ${country}` }],
  ),
];

/** Name and postcode, and the postcode alone. */
export const postcodeForms: readonly CompanyForm[] = [
  ...withPlace(
    ["postcode"],
    [
      { name: "name and postcode", write: ({ core, postcode }) => text`${core} ${postcode}` },
      {
        name: "name, ending, postcode",
        write: ({ name, ending, postcode }) => ending && text`${name}, ${postcode}`,
      },
      {
        name: "name, postcode without space",
        write: ({ core, postcode }) => text`${core} ${compact(postcode)}`,
      },
      {
        name: "name, town, postcode",
        write: ({ name, town, postcode }) => text`${name}, ${town} ${postcode}`,
      },
      { name: "postcode in front", write: ({ name, postcode }) => text`${postcode} ${name}` },
    ],
  ),
  { name: "postcode alone", least: FULL_NAME, write: ({ postcode }) => postcode, fits: isAtPostcode },
  {
    name: "postcode alone, without space",
    least: FULL_NAME,
    write: ({ postcode }) => compact(postcode),
    fits: isAtPostcode,
  },
];

/** The address as it stands on a letter. */
export const addressForms: readonly CompanyForm[] = withPlace(
  ["postcode"],
  [
    { name: "address by commas", write: (target) => address(target, ", ") },
    { name: "address by lines", write: (target) => address(target, "\n") },
    { name: "address by spaces", write: (target) => address(target, " ") },
    { name: "address without country", write: (target) => address({ ...target, country: undefined }, ", ") },
    { name: "address without ending", write: (target) => address({ ...target, name: target.core }, ", ") },
    {
      name: "address, one line missing",
      write: (target) => address({ ...target, lines: target.lines.slice(0, 1) }, ", "),
    },
    {
      name: "address, c/o in front",
      write: (target) => address({ ...target, lines: ["c/o Smith & Partners", ...target.lines] }, ", "),
    },
    {
      name: "address, unit in front",
      write: (target) => address({ ...target, lines: ["Unit 4", ...target.lines] }, ", "),
    },
    {
      name: "registered office",
      write: (target) =>
        address({ ...target, name: `${target.name}, registered office:` }, ", ")?.replace(":,", ":"),
    },
  ],
);

function withPlace(tells: readonly Fact[], forms: readonly CompanyForm[]): CompanyForm[] {
  return forms.map((form) => ({ ...form, tells, least: FULL_NAME }));
}

function address(
  { name, lines, town, county, country, postcode }: CompanyTarget,
  separator: string,
): string | undefined {
  // Without a street it is another form.
  if (!town || !postcode || lines.length === 0) return undefined;
  return [name, ...lines, town, county, country, postcode].filter(Boolean).join(separator);
}

function compact(postcode: string | undefined): string | undefined {
  return postcode?.includes(" ") ? postcode.replaceAll(" ", "") : undefined;
}

/** Companies at one postcode cannot be told apart by it. */
function isAtPostcode({ address: { postal_code } }: FoundItem, target: CompanyTarget): boolean {
  return postal_code === target.address.postal_code;
}
