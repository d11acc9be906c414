/** A cache for functions of texts that repeat millions of times in a load: days, towns, kinds of company. */

// Limit: once it has this many texts, the cache is emptied.
const REMEMBERED_TEXTS = 50_000;
// Limit: longer texts are not cached; they need more memory and hardly ever repeat.
const MOST_CHARACTERS = 50;

/** Wraps a pure function with a cache of its latest results. */
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
