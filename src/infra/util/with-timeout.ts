/** Returns the result of the work, or throws an error after `milliseconds`. The timeout does not stop the work. */
export async function withTimeout<T>(work: Promise<T>, milliseconds: number, tooLate: () => Error): Promise<T> {
  const late = Promise.withResolvers<never>()
  const timer = setTimeout(() => late.reject(tooLate()), milliseconds)
  return Promise.race([work, late.promise]).finally(() => clearTimeout(timer))
}
