/** Collects which links of company profiles a change may add or remove. */
import { companiesOf, linkSources, type RecordLink } from "../../api/resources/company-profile/links.ts";
import type { RecordDefinition, RecordOrTombstone } from "../../api/shared/definitions/define-record.ts";

/** Company numbers by link. */
export type Companies = Partial<Record<RecordLink, string[]>>;

export interface LinkChange {
  /** Companies that have a record behind the link, which this change has written. */
  made: Companies;
  /** Companies whose record behind the link was removed or changed, unless this change has written another. */
  left: Companies;
}

type Noted = Map<RecordLink, Set<string>>;

/** Collects a LinkChange while a batch is written. */
export class LinkNotes {
  private readonly made: Noted = new Map();
  private readonly left: Noted = new Map();

  noteMade(record: RecordDefinition, now: readonly RecordOrTombstone[]): void {
    note(this.made, record, now);
  }

  noteLeft(record: RecordDefinition, before: readonly RecordOrTombstone[]): void {
    note(this.left, record, before);
  }

  list(): LinkChange {
    return { made: toLists(this.made), left: toLists(this.left, this.made) };
  }
}

function note(noted: Noted, record: RecordDefinition, stored: readonly RecordOrTombstone[]): void {
  for (const source of linkSources) {
    if (source.record.collection !== record.collection) continue;
    const numbers = noted.get(source.link) ?? new Set();
    for (const number of companiesOf(source, stored)) noted.set(source.link, numbers.add(number));
  }
}

function toLists(noted: Noted, except: Noted = new Map()): Companies {
  const lists: Companies = {};
  for (const [link, numbers] of noted) {
    const listed = [...numbers].filter((number) => !except.get(link)?.has(number));
    if (listed.length > 0) lists[link] = listed;
  }
  return lists;
}
