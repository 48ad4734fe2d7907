import type { OwnEvent } from '../busy-times/reader/read-own-event.ts'
import type { WantedEvent } from './wanted-event.ts'

/** What the server does after another program has changed or deleted an event. */
export type Decision =
  /** Nothing: only texts have changed. */
  | 'accept'
  /** Write the event again, because only the booking has changed, or because the event is no longer wanted. */
  | 'write'
  /** Ask the staff whether the booking is canceled. */
  | 'ask'
  /** Write the event again, and note why. */
  | 'put back'
  /** Move the booking to the time of the event. */
  | 'move'

type Times = { starts_at: Date; ends_at: Date }

/**
 * Decides about a changed event. `last` has the times of the event that the server has written last. Undefined for `found`
 * means that the event was deleted. If a booking has moved here meanwhile, the time here applies.
 */
export function decideAboutChange(wanted: WantedEvent | undefined, last: Times, found: OwnEvent | undefined): Decision {
  if (!wanted) return 'write'
  const isMovedHere = +wanted.start !== +last.starts_at || +wanted.end !== +last.ends_at
  if (found === undefined || found === 'canceled') return isMovedHere || wanted.isClass ? 'write' : 'ask'
  if (found === 'unclear') return 'put back'
  if (found.from === +wanted.start && found.to === +wanted.end) return 'accept'
  if (found.from === +last.starts_at && found.to === +last.ends_at) return 'write'
  return isMovedHere || wanted.isClass ? 'put back' : 'move'
}
