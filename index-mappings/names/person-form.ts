/** Reads a name out of a form with labels: `Surname: Nomanby Forename: Harold` becomes `NOMANBY, HAROLD`. Pure. */
import { foldText } from "./text.ts";

const NAME = "[\\s_-]?NAMES?";
const OF_WHOM = "(?:(?:FULL|ALL|LEGAL|YOUR|DIRECTOR|OFFICER|PSC|PERSON)(?:'?S)?[\\s_])?";
const SURNAME = `(?:SUR|LAST|FAMILY)${NAME}`;
const FORENAME = `(?:(?:FORE|FIRST|GIVEN|CHRISTIAN)${NAME}|FIRST (?:AND|&) MIDDLE${NAME})`;
const LATER = `(?:(?:MIDDLE|OTHER(?: GIVEN| FORE)?)${NAME}|(?:MIDDLE )?INITIALS?(?=\\s*:))`;
const FORMER = `(?:MAIDEN|FORMER|PREVIOUS|BIRTH) (?:${SURNAME}|NAMES?)`;
const WHOLE = "(?<=(?:^|[\\n,;|])\\s*)NAMES?(?=\\s*:)";
// Labels of values that help to find a person: facts are kept with their labels, places without.
const FACT = "(?:DATE OF BIRTH|D\\.?O\\.?B\\.?|COMPANY (?:NUMBER|NO))";
const PLACE =
  "(?:(?:(?:HOME|CORRESPONDENCE|SERVICE|RESIDENTIAL) )?ADDRESS(?: LINE)?(?: \\d)?|POST ?CODE|TOWN|CITY|COUNTY)";
const OTHER =
  "(?:TITLE|GENDER|SEX|NATIONALITY|OCCUPATION|ROLE|POSITION|COUNTRY(?: OF RESIDENCE)?|E-?MAIL(?: ADDRESS)?|" +
  "TEL(?:EPHONE)?|PHONE|MOBILE|COMPANY(?: NAME)?)";
// Values contain these words as well, so PLACE and OTHER are labels only before a sign.
const SIGN = `(?=["']?\\s*[:=\\t])`;
const LABEL = new RegExp(
  "(?<![\\p{L}\\p{N}])" +
    `(?:${OF_WHOM}(?:(?<former>${FORMER})|(?<surname>${SURNAME})|(?<first>${FORENAME})|(?<later>${LATER}))|(?<name>${WHOLE})|` +
    `(?<fact>${FACT})|(?:(?<place>${PLACE})|(?<other>${OTHER}))${SIGN})` +
    `(?![\\p{L}\\p{N}])(?:\\s?\\(S\\))?[\\s:=|;,>."'-]*`,
  "gu",
);
const HAS_LABEL = /name/i;
const HAS_SIGN = /[:=\t\n]/;
const NAME_PARTS = new Set(["surname", "first"]);
// No name begins with these, so they begin a form even without a sign or another label.
const SURE_LABEL = /^(?:SUR|FORE)NAME/;
const BETWEEN_CELLS = /[,;|\n\r\t]+/;
const NO_VALUE = /^(?:N\/?A|NONE|NIL|NULL|-)$/;

/** A label, and the text between it and the next one. */
interface Field {
  part: string;
  label: string;
  value: string;
}

/** A text that is a form, as `SURNAME, FORENAMES` followed by what else the form says; any other text unchanged. */
export function readForm(text: string): string {
  if (!HAS_LABEL.test(text)) return text;
  const folded = foldText(text);
  const fields = belowLabels(fieldsOf(folded));
  const before = folded.slice(0, folded.search(LABEL));
  const { surname, forenames } = nameIn(fields);
  const hasBoth = surname !== "" && forenames !== "";
  const isForm = hasBoth || (before === "" && SURE_LABEL.test(folded)) || hasSign(fields);
  if (surname + forenames === "" || !isForm) return text;
  const name = hasBoth ? `${surname}, ${forenames}` : surname + forenames;
  const former = valuesOf(fields, "former").map((other) => ` NEE ${other}`);
  return [name + former.join(""), ...fields.flatMap(besideIn), ...cellsOf(before)].join(", ");
}

/** `Name` labels the forename (or the whole name) beside a labelled surname, and the surname beside a forename. */
function nameIn(fields: Field[]): { surname: string; forenames: string } {
  const join = (...parts: string[]) => parts.flatMap((part) => valuesOf(fields, part)).join(" ");
  if (join("surname") === "") {
    const isNamed = join("first") !== "";
    return { surname: isNamed ? join("name") : "", forenames: isNamed ? join("first", "later") : "" };
  }
  const surname = join("surname");
  const forenames = join(join("first") === "" ? "name" : "first", "later");
  const isAll = forenames.endsWith(` ${surname}`);
  return { surname, forenames: isAll ? forenames.slice(0, -surname.length - 1) : forenames };
}

/** The first cell of each field of this part, except cells that say there is no value. */
function valuesOf(fields: Field[], part: string): string[] {
  return fields
    .filter((field) => field.part === part)
    .flatMap(({ value }) => cellsOf(value).slice(0, 1))
    .filter((value) => !NO_VALUE.test(value));
}

function fieldsOf(folded: string): Field[] {
  const labels = [...folded.matchAll(LABEL)];
  return labels.map(({ 0: label, index, groups = {} }, at) => {
    const [part = ""] = Object.keys(groups).filter((name) => groups[name] !== undefined);
    return { part, label, value: folded.slice(index + label.length, labels[at + 1]?.index).trim() };
  });
}

/** Gives labels their values if all labels come first: `Surname, Forename: Nomanby, Harold`, or two rows of cells. */
function belowLabels(fields: Field[]): Field[] {
  const last = fields.at(-1)?.value ?? "";
  if (fields.length < 2 || fields.slice(0, -1).some(({ value }) => value !== "")) return fields;
  const values = [cellsOf(last), last.split(/\s+/)].find(({ length }) => length === fields.length);
  return values ? fields.map((field, at) => ({ ...field, value: values[at] ?? "" })) : fields;
}

function hasSign(fields: Field[]): boolean {
  return fields.some(({ part, label }) => NAME_PARTS.has(part) && HAS_SIGN.test(label));
}

/** What a field says besides the name: further cells after a name, a fact with its label, the cells of a place. */
function besideIn({ part, label, value }: Field): string[] {
  if (part === "other") return [];
  if (part === "fact") return [`${label} ${value}`];
  return part === "place" ? cellsOf(value) : cellsOf(value).slice(1);
}

function cellsOf(text: string): string[] {
  return text
    .split(BETWEEN_CELLS)
    .map((cell) => cell.replace(/^[\s"'{[&]+|[\s"'}\]&]+$/g, ""))
    .filter((cell) => cell !== "");
}
