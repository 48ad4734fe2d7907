import type { PushInput, PushText, WritePushText } from '../../../core/push/push-text.ts'
import { shortMomentText } from '../../../infra/i18n/format-times.ts'
import type { Message } from '../../../infra/i18n/localizer.ts'
import { oneLine } from '../../../infra/util/plain-text.ts'
import type { Dependencies } from '../../../protocol/dependency-types.ts'
import { fullName } from '../../bookings/people-of-booking.ts'
import { bookingFind } from '../../bookings/queries.ts'
import { serviceName } from '../../bookings/translate-booking-texts.ts'
import type { StaffNotificationKind } from '../../notifications/staff-notifications.ts'
import { entryFind } from '../../waitlist/queries.ts'

/** The kinds of news in the inbox that no mail to the staff is about. */
export type InboxNewsKind = 'inbox.offer_lapsing' | 'inbox.not_delivered' | 'inbox.charge_unreturned'
type Kind = StaffNotificationKind | InboxNewsKind

/** The title of each kind. It contains no personal data. */
const titles = {
  'booking.requested': 'push.booking.requested',
  'booking.confirmed': 'push.booking.confirmed',
  'booking.withdrawn': 'push.booking.withdrawn',
  'booking.unanswered': 'push.booking.unanswered',
  'booking.canceled': 'push.booking.canceled',
  'booking.lapsed': 'push.booking.lapsed',
  'booking.moved': 'push.booking.moved',
  'booking.payment_claimed': 'push.booking.payment_claimed',
  'booking.dispute_opened': 'push.booking.dispute_opened',
  'booking.refund_refused': 'push.booking.refund_refused',
  'inbox.offer_lapsing': 'push.inbox.offer_lapsing',
  'inbox.not_delivered': 'push.inbox.not_delivered',
  'inbox.charge_unreturned': 'push.inbox.charge_unreturned',
} as const satisfies Record<Kind, Message>

/** The urgent kinds. A buyer waits for an answer of the staff, or a waitlist offer ends soon. */
const URGENT: readonly Kind[] = ['booking.requested', 'booking.payment_claimed', 'inbox.offer_lapsing']

/**
 * Returns the function that writes push notifications. It reads the booking or the waitlist entry only when the server sends
 * the notification. Therefore no notification contains data that the server has erased.
 */
export const pushTextWriter =
  ({ db, business, clock }: Dependencies<'db' | 'business' | 'clock'>): WritePushText =>
  async (input) => {
    const { kind, localizer } = input
    if (!isKnown(kind)) throw new Error(`There is no push notification ${kind}`)
    const shown = await aboutOf(input, { db, business, clock })
    return shown && { title: localizer.say(titles[kind]), urgency: URGENT.includes(kind) ? 'high' : 'normal', ...shown }
  }

const isKnown = (kind: string): kind is Kind => Object.hasOwn(titles, kind)

const INBOX = '/desk/inbox'

async function aboutOf(
  input: PushInput,
  dependencies: Dependencies<'db' | 'business' | 'clock'>,
): Promise<Pick<PushText, 'body' | 'url'> | undefined> {
  const [about, id = ''] = input.subject.split(' ')
  if (about === 'booking') return aboutBooking(id, input, dependencies)
  if (about === 'entry') return aboutEntry(id, input, dependencies)
  return { body: '', url: INBOX }
}

async function aboutBooking(
  id: string,
  { localizer, showsDetails }: PushInput,
  { db, business }: Dependencies<'db' | 'business'>,
): Promise<Pick<PushText, 'body' | 'url'> | undefined> {
  const booking = await bookingFind(db, id, undefined, { lock: false })
  if (!booking || booking.people.erased) return undefined
  const { people, record, starts_at } = booking
  const details = showsDetails && [fullName(people.buyer), serviceName(booking, await business.get(), localizer)]
  return { body: joined(details, shortMomentText(localizer, starts_at, record.zone)), url: `/desk/bookings/${id}` }
}

/** Returns undefined if the offer of the waitlist entry has ended meanwhile. */
async function aboutEntry(
  id: string,
  { localizer, showsDetails }: PushInput,
  { db, business, clock }: Dependencies<'db' | 'business' | 'clock'>,
): Promise<Pick<PushText, 'body' | 'url'> | undefined> {
  const now = clock()
  const entry = await entryFind(db, id, undefined, now)
  if (entry?.status !== 'offered' || !entry.offered_from || !entry.offer_expires_at || entry.offer_expires_at <= now)
    return undefined
  const zone = (await business.get())?.business.timezone ?? 'UTC'
  const details = showsDetails && [fullName(entry.buyer)]
  return { body: joined(details, shortMomentText(localizer, entry.offered_from, zone)), url: INBOX }
}

const joined = (details: readonly string[] | false, time: string): string =>
  [...(details || []), time].map(oneLine).filter(Boolean).join(' · ')
