import { openLink } from '../../domain/availability/open-link.ts'
import { visitorAt } from '../../pipeline/visitor.ts'
import { Outcome, ProtocolError } from '../../protocol/errors.ts'
import type { Asking } from './asking.ts'
import type { Held } from './held.ts'
import type { BookMeans } from './means.ts'

/**
 * Passes a hold of an assistant to the person who opened its link, and extends it. On a refusal the hold stays
 * unchanged.
 */
export async function opened(held: Held, { peer }: Pick<Asking, 'peer'>, means: BookMeans): Promise<Held> {
  if (held.hold.unopened_on === null) return held
  const opener = await visitorAt(peer.address, means)
  const hold = await means.makeChange((tx) => openLink(tx, held, opener, means.clock())).catch(unlessRefused)
  return hold ? { ...held, hold } : held
}

function unlessRefused(error: unknown): undefined {
  const isRefused = error instanceof Outcome || (error instanceof ProtocolError && error.code === 'hold_limit_exceeded')
  if (!isRefused) throw error
}
