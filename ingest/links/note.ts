/** What a change says of the links of company profiles. */
import { companiesOf, linkSources, type RecordLink } from "../../api/resources/company-profile/links.ts";
import type { RecordDefinition, RecordOrTombstone } from "../../api/shared/definitions/define-record.ts";

/** Company numbers by link. */
export type Companies = Partial<Record<RecordLink, string[]>>;

export interface LinkChange {
  /** There is a record behind it since this change. */
  made: Companies;
  /** A record that was behind it is gone or changed, and no other of the change stands there. */
  left: Companies;
}

/** Gathers it while a batch is written. */
export class LinkNotes {
  private readonly made = new Map<RecordLink, Set<string>>();
  private readonly left = new Map<RecordLink, Set<string>>();

  noteMade(record: RecordDefinition, now: readonly RecordOrTombstone[]): boolean {
    return note(this.made, record, now);
  }

  /** True when something new was noted. */
  noteLeft(record: RecordDefinition, before: readonly RecordOrTombstone[]): boolean {
    return note(this.left, record, before);
  }

  list(): LinkChange {
    const made = toLists(this.made, () => true);
    const left = toLists(this.left, (link, number) => !this.made.get(link)?.has(number));
    return { made, left };
  }
}

function note(
  noted: Map<RecordLink, Set<string>>,
  { collection }: RecordDefinition,
  stored: readonly RecordOrTombstone[],
): boolean {
  let isNew = false;
  for (const source of linkSources) {
    if (source.record.collection !== collection) continue;
    const numbers = noted.get(source.link) ?? new Set();
    const before = numbers.size;
    for (const number of companiesOf(source, stored)) numbers.add(number);
    if (numbers.size > before) noted.set(source.link, numbers);
    isNew ||= numbers.size > before;
  }
  return isNew;
}

function toLists(
  noted: ReadonlyMap<RecordLink, ReadonlySet<string>>,
  isMeant: (link: RecordLink, number: string) => boolean,
): Companies {
  const lists = Array.from(noted, ([link, numbers]) => {
    return [link, [...numbers].filter((number) => isMeant(link, number))] as const;
  });
  return Object.fromEntries(lists.filter(([, numbers]) => numbers.length > 0));
}
