import { Turns } from './turns.ts'

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
