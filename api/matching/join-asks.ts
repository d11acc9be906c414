/** Owns the joining of questions: what several searches ask at the same moment is sent in one request. */
import type { Ask, SearchBody, SearchResult } from "../search/define-search.ts";

interface Waiting {
  bodies: SearchBody[];
  resolve: (results: SearchResult[]) => void;
  reject: (error: unknown) => void;
}

/**
 * Joins the bodies of searches that run side by side: each asks for itself, and all that ask before the engine is next
 * turned to share a request. `mostBodies`: most in one request; a search's own stay together.
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
      // After everything that can continue: searches that were answered together ask together again.
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
