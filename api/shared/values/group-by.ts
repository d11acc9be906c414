/** Groups values by a key; groups have the order in which their keys first occur. Pure. */
export function groupBy<K, V>(values: Iterable<V>, keyOf: (value: V) => K): Map<K, [V, ...V[]]> {
  const groups = new Map<K, [V, ...V[]]>();
  for (const value of values) {
    const key = keyOf(value);
    const group = groups.get(key);
    if (group) group.push(value);
    else groups.set(key, [value]);
  }
  return groups;
}
