import type { NotificationText, WriteNotification } from '../../core/mails/notification-text.ts'
import type { Config } from '../../infra/config/read-config.ts'
import type { Message } from '../../infra/i18n/localizer.ts'
import type { Tag } from '../../protocol/keyed-digest.ts'
import type { BusinessDefinition } from '../../protocol/types.generated.ts'
import { pageUrl } from '../bookings/booking-page-links.ts'
import { revivedBooking, type StoredBooking } from '../bookings/booking-row.ts'
import type { BookingSnapshot } from '../bookings/notify-about-booking.ts'
import { isPossible } from '../bookings/operations-by-status.ts'
import { addToCalendarLinks } from '../calendar/add-to-calendar-links.ts'
import type { Person } from '../calendar/ical-text-format.ts'
import { onlineProvider } from '../payments/find-payment-provider.ts'
import { bookingRows, peopleRows, referenceRow } from './booking-summary-rows.ts'
import { asksForAttendance, type BuyerNotificationKind, toBuyer } from './buyer-notifications.ts'
import { calendarAttachment } from './calendar-attachment.ts'
import { type NotificationContext, valuesOf, wholeSeries } from './notification-context.ts'
import { howToPay, pendingTasks, seriesText } from './notification-sentences.ts'
import { answerRows, contactActions, deskAction, stepRows } from './staff-mail-rows.ts'
import { type StaffNotificationKind, toStaff } from './staff-notifications.ts'
import { ATTENDING, attendanceText, textMessageTo } from './text-messages.ts'
import { UNREAD_REPLY, unreadReplyText } from './unread-reply.ts'

interface OwnDependencies {
  config: Pick<Config, 'baseUrl' | 'stripe'>
  tag: Tag
}

export const bookingNotificationWriter =
  ({ config, tag }: OwnDependencies): WriteNotification =>
  ({ kind, snapshot, audience, sender }, localizer, definition) => {
    const booking = earliestFirst(revivedMatter(snapshot as StoredMatter))
    if (booking.people.erased) return undefined
    const context: NotificationContext = {
      booking,
      localizer,
      definition,
      isPaidOnline: onlineProvider(definition, config) !== undefined,
      pageOf: (page, linked = booking) => pageUrl(config.baseUrl, tag, linked, page),
      deskUrl: `${config.baseUrl}/desk/bookings/${booking.id}`,
    }
    if (audience === 'staff' && isKindIn(toStaff, kind)) return staffLetter(kind, context)
    if (kind === ATTENDING) return attendanceText(context)
    if (kind === UNREAD_REPLY) return unreadReplyText(context.pageOf('manage'), localizer, definition)
    if (audience === 'buyer' && isKindIn(toBuyer, kind))
      return buyersLetter(
        kind,
        { ...context, booking: withoutBuyerText(booking) },
        organizerOf(sender, config, definition),
      )
    throw new Error(`There is no letter ${kind} to the ${audience}`)
  }

type StoredMatter = StoredBooking &
  Omit<BookingSnapshot, keyof StoredBooking | 'moved_from' | 'others'> & {
    moved_from?: StoredTimes
    others?: StoredMatter[]
  }
type StoredTimes = { starts_at: string; ends_at: string }

const revivedMatter = ({ moved_from: times, others, ...stored }: StoredMatter): BookingSnapshot => ({
  ...stored,
  ...revivedBooking(stored),
  ...(others && { others: others.map(revivedMatter) }),
  ...(times && { moved_from: { starts_at: new Date(times.starts_at), ends_at: new Date(times.ends_at) } }),
})

function earliestFirst(snapshot: BookingSnapshot): BookingSnapshot {
  const [first = snapshot, ...others] = wholeSeries(snapshot)
  return others.length === 0 ? snapshot : { ...first, people: snapshot.people, others }
}

const isKindIn = <Kind extends string>(letters: Record<Kind, unknown>, kind: string): kind is Kind =>
  Object.hasOwn(letters, kind)

/**
 * Removes names and notes before the server writes the mail to the buyer. A stranger can book with the email address of
 * another person. The business must not send the stranger's texts to this person.
 */
const withoutBuyerText = (booking: BookingSnapshot): BookingSnapshot => ({
  ...booking,
  people: { buyer: { first_name: '', last_name: '', email: booking.people.buyer.email } },
})

function buyersLetter(kind: BuyerNotificationKind, context: NotificationContext, organizer: Person): NotificationText {
  const { rows } = howToPay(context)
  const { others = [] } = context.booking
  const head = headOf(context, `letter.${kind}.subject`, `letter.${kind}.heading`)
  const paragraphs = toBuyer[kind](context)
  const attachment = calendarAttachment(context, organizer)
  return {
    ...head,
    ...(others.length > 0 && { subject: `${head.subject} (+${others.length})` }),
    paragraphs: others.length > 0 ? [...paragraphs, seriesText(context)] : paragraphs,
    rows: [
      ...bookingRows(context),
      // The rows about the payment already contain the booking reference (a short code). In a mail about several
      // bookings, each time has its own reference beside it. Therefore these two kinds of mails need no separate row
      // for the reference.
      ...(rows.length > 0 ? rows : others.length > 0 ? [] : [referenceRow(context)]),
    ],
    actions: [...attendAction(kind, context), ...actionsOf(context), ...calendarActions(kind, attachment, context)],
    ...attachment,
    ...textMessageTo(kind, context),
  }
}

const staffLetter = (kind: StaffNotificationKind, context: NotificationContext): NotificationText => ({
  ...headOf(context, `letter.staff.${kind}.subject`, `letter.staff.${kind}.heading`),
  paragraphs: toStaff[kind](context),
  rows: [
    ...peopleRows(context),
    ...answerRows(context),
    ...bookingRows(context),
    referenceRow(context),
    ...stepRows(kind, context),
  ],
  actions: [deskAction(context), ...contactActions(context)],
})

function headOf(
  context: NotificationContext,
  subject: Message,
  heading: Message,
): Pick<NotificationText, 'subject' | 'heading'> {
  const values = valuesOf(context)
  return { subject: context.localizer.say(subject, values), heading: context.localizer.say(heading, values) }
}

/**
 * Returns the organizer of a calendar invitation. The organizer is the sender of the mail, because calendar programs
 * trust no other organizer. If no sender is configured, the organizer is the contact address of the business. Without a
 * contact address, the organizer is an email address at the host name of this server.
 */
function organizerOf(
  sender: string | undefined,
  { baseUrl }: OwnDependencies['config'],
  { business, website }: BusinessDefinition,
): Person {
  const from = sender?.slice(sender.lastIndexOf('<') + 1).replace(/>$/, '')
  return { name: business.name, email: from ?? website?.contact?.email ?? `booking@${new URL(baseUrl).hostname}` }
}

interface Action {
  label: string
  url: string
}

/** The first link of a reminder. It only opens a page with a button. */
const attendAction = (kind: BuyerNotificationKind, { booking, localizer, pageOf }: NotificationContext): Action[] =>
  asksForAttendance(kind, booking) ? [{ label: localizer.say('booking.attend'), url: pageOf('attend') }] : []

function actionsOf(context: NotificationContext): Action[] {
  const { booking, localizer, isPaidOnline, pageOf } = context
  const { say } = localizer
  const tasks = pendingTasks(context).map((type) => ({
    label:
      type === 'payment'
        ? say(isPaidOnline ? 'letter.action.pay' : 'letter.action.how_to_pay', valuesOf(context))
        : say(`letter.action.${type}`),
    url: pageOf(type),
  }))
  const isChangeable = isPossible('cancel', booking)
  return [...tasks, { label: say(isChangeable ? 'letter.action.change' : 'letter.action.see'), url: pageOf('manage') }]
}

/**
 * Links that add a booking to the buyer's calendar, in the mail that confirms the booking. A mail about a change has no
 * such links, because they would add the booking a second time. A mail about several bookings has none either, because its
 * calendar file contains all of them. If a platform sends the calendar events itself, the mail has neither file nor links.
 */
function calendarActions(
  kind: BuyerNotificationKind,
  { calendar }: Pick<NotificationText, 'calendar'>,
  { booking, definition, localizer, pageOf }: NotificationContext,
): Action[] {
  const { say } = localizer
  const isNew = kind === 'booking.confirmed' || kind === 'booking.approved'
  if (!isNew || booking.status !== 'confirmed' || calendar?.method !== 'REQUEST') return []
  const { google, outlook } = addToCalendarLinks(booking, definition, localizer)
  return [
    { label: say('booking.calendar.google'), url: google },
    { label: say('booking.calendar.outlook'), url: outlook },
    { label: say('booking.calendar.file'), url: `${pageOf('manage')}/calendar.ics` },
  ]
}
