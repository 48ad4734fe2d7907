import { isLineFirst } from '../ledger/freed.ts'
import { ProtocolError } from '../protocol/errors.ts'
import type { Runtime } from '../runtime.ts'
import { keepLine } from './offer-freed.ts'

/** Each round something else must have come free or lapsed in the meantime. */
const ROUNDS = 5

/**
 * Work in a transaction of its own that may take what came free or lapsed before anybody looked who waits for it. Then
 * nothing of it stays, those who wait are offered it, and what they leave can be had.
 */
export async function afterTheLine<T>(runtime: Runtime, work: () => Promise<T>): Promise<T> {
  for (let round = 0; round < ROUNDS; round++)
    try {
      return await work()
    } catch (error) {
      if (!isLineFirst(error)) throw error
      await keepLine(runtime)
    }
  throw new ProtocolError('service_unavailable', 'Too much comes free just now. Try again.', { retryAfter: 1 })
}
