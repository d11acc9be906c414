/** Owns how a secret is shown: of an address all but user, password and parameters, of anything else nothing. Pure. */

const MASK = "****";
// As far as its last @: a password may hold one, or a slash.
const ADDRESS = /^([a-z][a-z\d+.-]*:\/\/)(.*@)?([^/?#]*)([^?#]*)(.*)$/is;

/** What may be shown of a secret value; an empty one is shown as it is. */
export function maskSecret(value: string): string {
  if (value === "") return "";
  const [, scheme, user, host = "", path = "", rest] = ADDRESS.exec(value) ?? [];
  if (scheme === undefined) return MASK;
  return `${scheme}${user ? `${MASK}@` : ""}${host}${path}${rest ? `?${MASK}` : ""}`;
}
