/** What comes of it, unless that takes more than so many milliseconds. It goes on all the same. */
export async function inTime<T>(work: Promise<T>, milliseconds: number, tooLate: () => Error): Promise<T> {
  const late = Promise.withResolvers<never>()
  const timer = setTimeout(() => late.reject(tooLate()), milliseconds)
  return Promise.race([work, late.promise]).finally(() => clearTimeout(timer))
}
