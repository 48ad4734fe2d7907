import type { Localizer, Message } from '../../infra/i18n/localizer.ts'

/**
 * Maps the kind of a notification to a name for staff. Pages show this name for an event. They also show it for a mail
 * if the server has erased the mail's subject.
 */
const words: ReadonlyMap<string, Message> = new Map([
  ['booking.requested', 'desk.state.pending'],
  ['booking.to_complete', 'desk.state.requires_action'],
  ['booking.confirmed', 'desk.state.confirmed'],
  ['booking.approved', 'desk.did.confirm'],
  ['booking.declined', 'desk.did.decline'],
  ['booking.canceled', 'desk.did.cancel'],
  ['booking.canceled_by_business', 'desk.did.cancel'],
  ['booking.withdrawn', 'desk.did.cancel'],
  ['booking.unanswered', 'desk.did.expire'],
  ['booking.lapsed', 'desk.did.expire'],
  ['booking.rescheduled', 'desk.did.reschedule'],
  ['booking.moved', 'desk.did.reschedule'],
  ['booking.moved_by_business', 'desk.did.reschedule'],
  ['booking.changed', 'desk.did.update'],
  ['booking.service_started', 'desk.did.start'],
  ['booking.service_updated', 'desk.did.adjust'],
  ['booking.completed', 'desk.did.complete'],
  ['booking.no_show', 'desk.did.no_show'],
  ['booking.no_show_fee', 'desk.did.no_show'],
  ['booking.payment_claimed', 'desk.did.claim_payment'],
  ['booking.refunded', 'desk.did.refund'],
  ['booking.refund_issued', 'desk.did.refund'],
  ['booking.dispute_opened', 'desk.did.dispute_open'],
  ['booking.dispute_resolved', 'desk.did.dispute_resolve'],
  ['booking.reminder', 'desk.told.reminder'],
  ['booking.attending', 'desk.did.attend'],
  ['unread_reply', 'desk.told.unread_reply'],
  ['order.created', 'desk.did.create'],
  ['order.updated', 'desk.did.update'],
  ['waitlist.joined', 'my.waiting'],
  ['waitlist.offered', 'desk.told.offer'],
  ['waitlist.spot_offered', 'desk.told.offer'],
  ['waitlist.lapsed', 'desk.told.gone'],
  ['waitlist.expired', 'desk.told.gone'],
  ['waitlist.converted', 'desk.did.create'],
  ['waitlist.position_changed', 'desk.told.position'],
  ['service.created', 'setup.services'],
  ['service.updated', 'setup.services'],
  ['service.suspended', 'setup.services'],
  ['service.deleted', 'setup.services'],
])

/**
 * Returns the name of a notification for staff. A newer server version may have sent a kind of notification that this
 * version does not know. The result is then the kind itself.
 */
export function notificationName(what: string, { say }: Localizer): string {
  const message = words.get(what)
  return message === undefined ? what : say(message)
}
