import { openAssistantLink } from '../../domain/availability/take-over-assistant-hold.ts'
import { visitorAt } from '../../pipeline/page-visitor.ts'
import { BusinessRefusal, ProtocolError } from '../../protocol/errors.ts'
import type { Held } from './find-hold-or-booking.ts'
import type { BookDependencies, StepRequest } from './step-request.ts'

/**
 * Gives the assistant's hold (a reserved slot) to the person who opened the assistant's link, and extends the hold. If
 * the server refuses the change, returns the unchanged hold.
 */
export async function openAssistantHold(
  held: Held,
  { peer }: Pick<StepRequest, 'peer'>,
  dependencies: BookDependencies,
): Promise<Held> {
  if (held.hold.unopened_on === null) return held
  const opener = await visitorAt(peer.address, dependencies)
  const hold = await dependencies
    .makeChange((tx) => openAssistantLink(tx, held, opener, dependencies.clock()))
    .catch(unlessRefused)
  return hold ? { ...held, hold } : held
}

function unlessRefused(error: unknown): undefined {
  const isRefused =
    error instanceof BusinessRefusal || (error instanceof ProtocolError && error.code === 'hold_limit_exceeded')
  if (!isRefused) throw error
}
