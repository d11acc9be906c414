/**
 * `finally` waits for a promise that its callback returns, and rejects if that promise does. TypeScript's own types do
 * not say so, and the linter would report each such promise as not awaited.
 */
interface Promise<T> {
  finally(settled: () => PromiseLike<unknown>): Promise<T>;
}
