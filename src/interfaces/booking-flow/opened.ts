import { openLink } from '../../domain/availability/open-link.ts'
import { visitorAt } from '../../pipeline/visitor.ts'
import { Outcome, ProtocolError } from '../../protocol/errors.ts'
import type { Asking } from './asking.ts'
import type { Held } from './held.ts'
import type { BookMeans } from './means.ts'

/** What an assistant keeps for whoever looks at it now. Where it cannot be kept for longer it is as it was. */
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
