/** The named members that an object has, in the order of the names; absent ones stay absent. */
export function pickMembers<T extends object, Name extends keyof T>(
  from: T,
  names: readonly Name[],
): Partial<Pick<T, Name>> {
  const picked: Partial<Pick<T, Name>> = {};
  for (const name of names) if (from[name] !== undefined) picked[name] = from[name];
  return picked;
}
