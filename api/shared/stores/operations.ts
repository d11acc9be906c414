/** Owns what the operations of an open store are: its functions, and those of the plain objects among its members. */

/** A function of a store. Most return promises; those that walk return generators. */
export type Operation = (...args: unknown[]) => unknown;

/**
 * A copy of a store in which each operation is what `replace` makes of it and its name: `ping`, `records.fetchOne`. What is
 * no operation (connections) is passed on as it is.
 */
export function mapOperations<Part extends object>(
  part: Part,
  replace: (operation: Operation, name: string) => Operation,
  path = "",
): Part {
  const members = Object.entries(part).map(([key, member]: [string, unknown]) => {
    const name = path ? `${path}.${key}` : key;
    if (typeof member === "function") return [key, replace(member as Operation, name)] as const;
    return [key, isPlain(member) ? mapOperations(member, replace, name) : member] as const;
  });
  // The cast: the same members, of the same types.
  return Object.fromEntries(members) as Part;
}

function isPlain(value: unknown): value is object {
  return typeof value === "object" && value !== null && Object.getPrototypeOf(value) === Object.prototype;
}
