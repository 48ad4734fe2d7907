import { Semaphore } from './semaphore.ts'

export function limitConcurrency(most: number): <T>(work: () => Promise<T>) => Promise<T> {
  const turns = new Semaphore(most)
  return async (work) => {
    await turns.acquire()
    try {
      return await work()
    } finally {
      turns.release()
    }
  }
}
