import { readBooking } from '../../domain/desk/bookings/read-booking.ts'
import { reschedule } from '../../domain/desk/bookings/reschedule-booking.ts'
import { rules } from '../../domain/desk/bookings/slot-request.ts'
import { momentText } from '../../infra/i18n/format-times.ts'
import { type Content, html } from '../../infra/util/html-template.ts'
import { openSealed } from '../../protocol/open-sealed-content.ts'
import type { Booking, RescheduleBusinessBooking } from '../../protocol/types.generated.ts'
import { hidden } from '../pages/form-inputs.ts'
import { callAsStaff, type DeskDependencies, type DeskRequest, isAllowed } from './call-operation-as-staff.ts'
import { resourceIds } from './drag-booking-attributes.ts'
import { moveNotification } from './move-notification-form.ts'

const UNDO_LIFETIME_SECONDS = 600

type PositionBeforeMove = [start: string, place: string | null, people: string[]]

/**
 * Returns the scope of the undo token (a signed text) for a move of a booking. The scope limits the token to the
 * revision of the booking that the move created. Therefore staff cannot undo a later change by accident.
 */
const scopeOf = ({ id, revision }: Booking) => `undo the move of ${id}, revision ${revision}`

/**
 * Creates an undo token: a signed text with the time, location, people and rooms of a booking before a move. Only this
 * server can create the token, so users cannot invent these values.
 */
export const sealUndo = (before: Booking, after: Booking, { cursors, clock }: DeskDependencies): string => {
  const { slot, location } = before
  const position: PositionBeforeMove = [slot.start, location?.id ?? null, resourceIds(before)]
  return cursors.seal(scopeOf(after), position, clock())
}

export function openUndo(
  booking: Booking,
  sealed: string,
  { cursors, clock }: DeskDependencies,
): Omit<RescheduleBusinessBooking['input'], 'booking_id'> | undefined {
  const before = openSealed(
    () => cursors.open(scopeOf(booking), sealed, clock(), UNDO_LIFETIME_SECONDS) as PositionBeforeMove,
  )
  if (!before) return undefined
  const [start, place, people] = before
  return { start, resource_ids: people, ...(place !== null && { location_id: place }), override: [...rules] }
}

/**
 * A note that the page shows after staff moved a booking. The note contains the earlier time, and a button that undoes
 * the move.
 */
export async function undoMoveNote(
  booking: Booking,
  { sealed, zone, back }: { sealed: string | null; zone: string; back?: 'day' },
  deskRequest: DeskRequest,
  dependencies: DeskDependencies,
): Promise<Content> {
  const { who, request } = deskRequest
  const previous = sealed !== null && isAllowed(who, reschedule) ? openUndo(booking, sealed, dependencies) : undefined
  if (previous?.start === undefined) return undefined
  const { localizer } = request
  const fields = { undo: sealed ?? '', back }
  const { text, button } = await moveNotification(booking, fields, deskRequest, dependencies)
  return html`<div class="note" role="status"><p>${localizer.say('desk.moved', { time: momentText(localizer, new Date(previous.start), zone) })} ${text}</p>
<div class="acts"><form method="post" action="/desk/bookings/${booking.id}/move">${hidden(fields)}<button class="plain">${localizer.say('desk.undo')}</button></form>${button}</div></div>`
}

/**
 * The note on the day page after staff moved a booking on this page. The note contains a button that undoes the move.
 */
export async function undoOnDay(
  query: URLSearchParams,
  deskRequest: DeskRequest,
  zone: string,
  dependencies: DeskDependencies,
): Promise<Content> {
  const moved = query.get('moved')
  const answer =
    moved === null ? undefined : await callAsStaff(readBooking, { booking_id: moved }, deskRequest, dependencies)
  if (!answer || answer.refusal) return undefined
  return undoMoveNote(
    answer.result.booking,
    { sealed: query.get('undo'), zone, back: 'day' },
    deskRequest,
    dependencies,
  )
}
