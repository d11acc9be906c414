/** Forms of queries with a company's name and place. */
import type { CompanyTarget } from "../company-target.ts";
import { formsOf, FULL_NAME, text, type Form } from "../define-form.ts";
import type { FoundItem } from "../found-item.ts";

type CompanyForm = Form<CompanyTarget>;

/** Queries with name and town, county or country. */
export const placeForms: readonly CompanyForm[] = [
  ...formsOf<CompanyTarget>(
    { least: FULL_NAME, facts: ["town"] },
    {
      "name and town": ({ core, town }) => text`${core} ${town}`,
      "name, town": ({ core, town }) => text`${core}, ${town}`,
      "name, ending, town": ({ name, ending, town }) => ending && text`${name}, ${town}`,
      "name ending town": ({ name, ending, town }) => ending && text`${name} ${town}`,
      "name - town": ({ name, town }) => text`${name} - ${town}`,
      "name (town)": ({ core, town }) => text`${core} (${town})`,
      "name of town": ({ core, town }) => text`${core} of ${town}`,
      "name in town": ({ name, town }) => text`${name} in ${town}`,
      "town in front": ({ name, town }) => text`${town} ${name}`,
      "town in front, no ending": ({ core, town }) => text`${town} ${core}`,
      "name, street, town": ({ name, lines: [street], town }) => text`${name}, ${street}, ${town}`,
    },
  ),
  ...formsOf<CompanyTarget>(
    { least: FULL_NAME, facts: ["county"] },
    {
      "name and county": ({ core, county }) => text`${core} ${county}`,
      "name, ending, county": ({ name, county }) => text`${name}, ${county}`,
    },
  ),
  ...formsOf<CompanyTarget>(
    { least: FULL_NAME, facts: ["country"] },
    {
      "name and country": ({ core, country }) => text`${core} ${country}`,
      "name, ending, country": ({ name, country }) => text`${name}, ${country}`,
    },
  ),
  ...formsOf<CompanyTarget>(
    { least: FULL_NAME, facts: ["town", "county", "country"] },
    {
      "name, town, county": ({ name, town, county }) => text`${name}, ${town}, ${county}`,
      "name, town, country": ({ name, town, country }) => text`${name}, ${town}, ${country}`,
    },
  ),
];

/** Queries with name and postcode, or with the postcode alone. */
export const postcodeForms: readonly CompanyForm[] = [
  ...formsOf<CompanyTarget>(
    { least: FULL_NAME, facts: ["postcode"] },
    {
      "name and postcode": ({ core, postcode }) => text`${core} ${postcode}`,
      "name, ending, postcode": ({ name, ending, postcode }) => ending && text`${name}, ${postcode}`,
      "name, postcode without space": ({ core, postcode }) => text`${core} ${compact(postcode)}`,
      "name (postcode)": ({ name, postcode }) => text`${name} (${postcode})`,
      "name, town, postcode": ({ name, town, postcode }) => text`${name}, ${town} ${postcode}`,
      "postcode in front": ({ name, postcode }) => text`${postcode} ${name}`,
    },
  ),
  ...formsOf<CompanyTarget>(
    // The beginning of a postcode states the town.
    { least: FULL_NAME, facts: ["town"] },
    { "name, beginning of the postcode": ({ name, postcode }) => text`${name} ${postcode?.split(" ")[0]}` },
  ),
  ...formsOf<CompanyTarget>(
    { least: FULL_NAME, fits: isAtPostcode },
    {
      "postcode alone": ({ postcode }) => postcode,
      "postcode alone, without space": ({ postcode }) => compact(postcode),
    },
  ),
];

/** Queries with the whole address, as in a letter. */
export const addressForms: readonly CompanyForm[] = formsOf<CompanyTarget>(
  { least: FULL_NAME, facts: ["postcode"] },
  {
    "address by commas": (target) => address(target, ", "),
    "address by lines": (target) => address(target, "\n"),
    "address by spaces": (target) => address(target, " "),
    "address without country": (target) => address({ ...target, country: undefined }, ", "),
    "address without ending": (target) => address({ ...target, name: target.core }, ", "),
    "address, one line missing": (target) => address({ ...target, lines: target.lines.slice(0, 1) }, ", "),
    "address, c/o": (target) =>
      address({ ...target, lines: ["c/o Smith & Partners", ...target.lines] }, ", "),
    "address, c/o in front": (target) => address({ ...target, name: `c/o ${target.name}` }, ", "),
    "address, unit": (target) => address({ ...target, lines: ["Unit 4", ...target.lines] }, ", "),
    "address, another street": (target) => address({ ...target, lines: ["12 Quillory Mews"] }, ", "),
    "address, registered office": (target) =>
      address({ ...target, name: `${target.name}, registered office:` }, ", ")?.replace(":,", ":"),
    "address and number": (target) => text`${address(target, ", ")} ${target.number}`,
  },
);

function address(target: CompanyTarget, separator: string): string | undefined {
  const { name, lines, town, county, country, postcode } = target;
  // Without street, town or postcode it would be one of the other forms.
  if (!town || !postcode || lines.length === 0) return undefined;
  return [name, ...lines, town, county, country, postcode].filter(Boolean).join(separator);
}

function compact(postcode: string | undefined): string | undefined {
  return postcode?.replaceAll(" ", "");
}

/** Every company at the target's postcode counts as the target, since the query cannot distinguish them. */
function isAtPostcode({ address: { postal_code } }: FoundItem, target: CompanyTarget): boolean {
  return postal_code === target.address.postal_code;
}
