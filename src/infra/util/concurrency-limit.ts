import { Turns } from './turns.ts'

/** Runs at most so many at the same time; the others wait in the order in which they came. */
export function limitConcurrency(most: number): <T>(work: () => Promise<T>) => Promise<T> {
  const turns = new Turns(most)
  return async (work) => {
    await turns.take()
    try {
      return await work()
    } finally {
      turns.end()
    }
  }
}
