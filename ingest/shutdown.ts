/** Owns how long an orderly stop may take. */

/** Runs `stop`; false when it had not ended after so many milliseconds, and is left to itself. */
export async function endsWithin(milliseconds: number, stop: () => Promise<unknown>): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const overdue = new Promise<false>((resolve) => {
    timer = setTimeout(() => resolve(false), milliseconds);
  });
  try {
    return await Promise.race([stop().then(() => true), overdue]);
  } finally {
    clearTimeout(timer);
  }
}
