/**
 * The language waits for the promise that the function given to `finally` returns, and rejects if that does. TypeScript's own types
 * do not say so, and the linter would take each such promise for one that nobody waits for.
 */
interface Promise<T> {
  finally(settled: () => PromiseLike<unknown>): Promise<T>;
}
