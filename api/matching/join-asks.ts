/** Owns the joining of requests: query bodies that several searches send at the same moment go out in one request. */
import type { Ask } from "../search/define-search.ts";
import type { SearchBody, SearchResult } from "../shared/definitions/search-result.ts";

interface Waiting {
  bodies: SearchBody[];
  resolve: (results: SearchResult[]) => void;
  reject: (error: unknown) => void;
}

/**
 * Joins the bodies of concurrent searches: each calls for itself, and all calls before the event loop's next
 * turn share a request. `mostBodies`: most in one request; a search's own stay together.
 */
export function joinAsks(ask: Ask, mostBodies: number): Ask {
  let waiting: Waiting[] = [];
  const sendAll = () => {
    const groups = cutGroups(waiting, mostBodies);
    waiting = [];
    for (const group of groups) void send(ask, group);
  };
  return (...bodies) =>
    new Promise((resolve, reject) => {
      // After all other pending work: searches that were answered together send their next bodies together.
      if (waiting.length === 0) setImmediate(sendAll);
      waiting.push({ bodies, resolve, reject });
    });
}

async function send(ask: Ask, group: Waiting[]): Promise<void> {
  try {
    const results = await ask(...group.flatMap(({ bodies }) => bodies));
    let start = 0;
    for (const { bodies, resolve } of group) {
      resolve(results.slice(start, start + bodies.length));
      start += bodies.length;
    }
  } catch (error) {
    for (const { reject } of group) reject(error);
  }
}

function cutGroups(all: readonly Waiting[], mostBodies: number): Waiting[][] {
  const groups: Waiting[][] = [];
  let count = Infinity;
  for (const one of all) {
    if (count + one.bodies.length > mostBodies) {
      groups.push([]);
      count = 0;
    }
    groups.at(-1)?.push(one);
    count += one.bodies.length;
  }
  return groups;
}
