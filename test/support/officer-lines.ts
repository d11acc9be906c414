/** Builds lines of the officers files: snapshots (Prod195, Prod216) and daily updates (Prod198). */

/** A person in a test; fields that are left out get the `DEFAULTS`. */
export interface PersonFields {
  company?: string;
  /** Twelve digits. */
  number?: string;
  title?: string;
  surname?: string;
  forenames?: string;
  /** `CCYYMM`. */
  born?: string;
  careOf?: string;
  address?: string;
  /** The second line of the address. */
  second?: string;
  town?: string;
  postcode?: string;
  occupation?: string;
  nationality?: string;
  residence?: string;
  isCorporate?: boolean;
  /** `CCYYMMDD`. */
  appointed?: string;
  resigned?: string;
}

/** A person line of an update; by default it changes a serving director. */
export interface UpdateFields extends PersonFields {
  oldType?: string;
  newType?: string;
  /** By default the same as the new one. */
  oldNumber?: string;
  isCorrection?: boolean;
}

const DEFAULTS = {
  ...{ company: "99000500", number: "100000010001", surname: "TESTERHOLM", forenames: "UNA", born: "" },
  title: "",
  ...{ careOf: "", address: "1 MOCK LANE", second: "", town: "", postcode: "" },
  ...{ occupation: "", nationality: "", residence: "" },
  ...{ isCorporate: false, appointed: "20200101", resigned: "" },
};

/** A person line of a snapshot; `type` is two digits. */
export function aPersonLine(person: PersonFields & { type?: string } = {}): string {
  const { company, number, isCorporate, appointed, resigned, postcode, born, ...texts } = {
    ...DEFAULTS,
    ...person,
  };
  const text = textsOf(texts, 0);
  const fixed = [
    `${company}2 ${person.type ?? "01"}${number}${isCorporate ? "Y" : " "}`.padEnd(32),
    ...[appointed, resigned, postcode, born, ""].map((field) => field.padEnd(8)),
  ];
  return `${fixed.join("")}${String(text.length).padStart(4, "0")}${text}`;
}

/** A person line of a daily update. */
export function anUpdateLine(update: UpdateFields = {}): string {
  const { company, number, isCorporate, appointed, resigned, postcode, born, ...texts } = {
    ...DEFAULTS,
    ...update,
  };
  const { oldType = "01", newType = "01", oldNumber = number, isCorrection = false } = update;
  const text = textsOf(texts, 13);
  const marks = `${isCorrection ? "Y" : " "}${isCorporate ? "Y" : " "}`;
  const fixed = [
    `${company.padEnd(8)}2  ${marks}  ${oldType}${newType}${oldNumber}${number}`,
    ...[born, "", "", postcode, appointed, resigned, "", "20261102"].map((field) => field.padEnd(8)),
  ];
  return `${fixed.join("")}${String(text.length).padStart(4, "0")}${text}`;
}

/** A company line of a snapshot or an update; `officers` is the number of officers that it states. */
export function aCompanyLine(company: string, name: string, status = " ", officers = "0001"): string {
  return `${company}1${status}`.padEnd(32) + `${officers}${String(name.length + 1).padStart(4, "0")}${name}<`;
}

/** A whole file: header, lines, and the trailer that counts them. */
export function aFile(header: string, lines: string[]): string {
  return [header, ...lines, `99999999${String(lines.length).padStart(8, "0")}`, ""].join("\n");
}

function textsOf(texts: Record<string, unknown>, unused: number): string {
  const { title, forenames, surname, careOf, address, second, town, occupation, nationality, residence } =
    texts as Required<PersonFields>;
  const fields = [
    ...[title, forenames, surname, "", careOf, "", address, second, town, "", ""],
    ...[occupation, nationality, residence],
  ];
  return [...fields, ...Array.from({ length: unused }, () => ""), ""].join("<");
}
