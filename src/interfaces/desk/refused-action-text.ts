import { ERASED_BUYER } from '../../domain/bookings/people-of-booking.ts'
import { momentText } from '../../infra/i18n/format-times.ts'
import type { Localizer } from '../../infra/i18n/localizer.ts'
import type { Booking, Message } from '../../protocol/types.generated.ts'
import { refusalText } from '../pages/refusal-texts.ts'

/**
 * Matches the message with which the server refuses a no-show before the end of the grace period. The message ends with
 * the time from which a no-show is possible.
 */
const GRACE_PERIOD = /^The grace period of this booking lasts until (\S+)\.$/

/**
 * Returns the reason why the server refused an action on a booking. Usually, another person changed the booking after
 * the staff member had opened the page.
 */
export function refusedActionText(
  { code, content }: Pick<Message, 'code' | 'content'>,
  booking: Pick<Booking, 'status' | 'buyer'> | undefined,
  { localizer, zone }: { localizer: Localizer; zone: string },
): string {
  if (code !== 'invalid_transition') return refusalText(code, localizer, 'desk.refused')
  const [, from] = GRACE_PERIOD.exec(content) ?? []
  if (from !== undefined)
    return localizer.say('desk.refused.no_show', { time: momentText(localizer, new Date(from), zone) })
  return booking ? changedBookingText(booking, localizer) : localizer.say('desk.refused')
}

/**
 * Returns a text that says that an action is not possible, because the booking has changed. The text names the current
 * status.
 */
export const changedBookingText = ({ status, buyer }: Pick<Booking, 'status' | 'buyer'>, { say }: Localizer): string =>
  buyer.email === ERASED_BUYER.email
    ? say('desk.refused.erased')
    : say('desk.refused.changed', { state: say(`my.state.${status}`) })
