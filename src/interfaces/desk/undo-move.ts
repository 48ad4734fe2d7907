import { readBooking } from '../../domain/desk/bookings/read-booking.ts'
import { reschedule } from '../../domain/desk/bookings/reschedule.ts'
import { rules } from '../../domain/desk/bookings/slot-request.ts'
import { momentText } from '../../infra/i18n/times.ts'
import { type Content, html } from '../../infra/util/html.ts'
import { opened } from '../../protocol/opened.ts'
import type { Booking, RescheduleBusinessBooking } from '../../protocol/types.generated.ts'
import { hidden } from '../pages/inputs.ts'
import { type Asking, ask, type DeskMeans, may } from './desk-calls.ts'
import { resourceIds } from './resource-ids.ts'

/** So long it is offered. */
const LASTS_SECONDS = 600

/** Where a booking was: when, where, and with whom. */
type Before = [start: string, place: string | null, people: string[]]

/** Good for this booking as the move left it: whoever changes it after that meant what they did. */
const scopeOf = ({ id, revision }: Booking) => `undo the move of ${id}, revision ${revision}`

/** What leads back to where it was. Nobody but this server can make one, so that no link says of a booking what was not. */
export const sealUndo = (before: Booking, after: Booking, { cursors, clock }: DeskMeans): string => {
  const { slot, location } = before
  const was: Before = [slot.start, location?.id ?? null, resourceIds(before)]
  return cursors.seal(scopeOf(after), was, clock())
}

export function undoOf(
  booking: Booking,
  sealed: string,
  { cursors, clock }: DeskMeans,
): Omit<RescheduleBusinessBooking['input'], 'booking_id'> | undefined {
  const before = opened(() => cursors.open(scopeOf(booking), sealed, clock(), LASTS_SECONDS) as Before)
  if (!before) return undefined
  const [start, place, people] = before
  return { start, resource_ids: people, ...(place !== null && { location_id: place }), override: [...rules] }
}

/** What a move leaves behind: when it was before, and the way back. */
export function undoMove(
  booking: Booking,
  sealed: string | null,
  { who, request }: Asking,
  zone: string,
  means: DeskMeans,
  back?: 'day',
): Content {
  const was = sealed !== null && may(who, reschedule) ? undoOf(booking, sealed, means) : undefined
  if (was?.start === undefined) return undefined
  const { speech } = request
  return html`<div class="note" role="status"><p>${speech.say('desk.moved', { time: momentText(speech, new Date(was.start), zone) })}</p>
<form method="post" action="/desk/bookings/${booking.id}/move">${hidden({ undo: sealed ?? undefined, back })}<button class="plain">${speech.say('desk.undo')}</button></form></div>`
}

/** The same where the day shows what was moved there. */
export async function undoOnDay(
  query: URLSearchParams,
  asking: Asking,
  zone: string,
  means: DeskMeans,
): Promise<Content> {
  const moved = query.get('moved')
  const answer = moved === null ? undefined : await ask(readBooking, { booking_id: moved }, asking, means)
  if (!answer || answer.refusal) return undefined
  return undoMove(answer.result.booking, query.get('undo'), asking, zone, means, 'day')
}
