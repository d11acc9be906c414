/** Owns the memory of texts that come again by the million: days, towns, kinds of company. */

// Limit: past this many texts the memory starts again.
const REMEMBERED_TEXTS = 50_000;
// Longer ones may be of any size, and hardly come again.
const MOST_CHARACTERS = 50;

/** The function, which gives the same for the same text, with what it has given for the latest texts. */
export function remember<Given>(read: (text: string) => Given): (text: string) => Given {
  const known = new Map<string, Given>();
  return (text) => {
    if (text.length > MOST_CHARACTERS) return read(text);
    let given = known.get(text);
    if (given === undefined) {
      if (known.size >= REMEMBERED_TEXTS) known.clear();
      given = read(text);
      known.set(text, given);
    }
    return given;
  };
}
