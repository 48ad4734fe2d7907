import { recordFirstUse } from '../../core/authentication/refuse-replayed-proofs.ts'
import { isAnsweredSince, lastTextTo, remindersTo, replyLock } from '../../core/mails/text-message-queries.ts'
import { meaningOf } from '../../core/texts/meaning-of-reply.ts'
import { numberInCountries, parsePhoneNumber } from '../../core/texts/phone-numbers.ts'
import { numberRestore, numberStop } from '../../core/texts/stopped-number-queries.ts'
import type { TextReply } from '../../core/texts/text-adapter.ts'
import type { StoredTextProvider } from '../../infra/config/text-provider.ts'
import type { UnitOfWork } from '../../infra/db/unit-of-work.ts'
import { DAY } from '../../infra/time/time-units.ts'
import type { BookingRow } from '../bookings/booking-row.ts'
import { canConfirmAttendance, confirmAttendance, isAttending } from '../bookings/confirm-attendance.ts'
import { bookingFind } from '../bookings/queries.ts'
import { textNumberOf } from '../bookings/text-message-consent.ts'
import { ATTENDING } from './text-messages.ts'
import { UNREAD_REPLY } from './unread-reply.ts'

type Provider = Pick<StoredTextProvider, 'countries'>

/** How long the server recognizes a repeated call of the provider, in seconds. It stores mails for the same time. */
const CALLS_STORED_SECONDS = 30 * 24 * 60 * 60

/**
 * Acts on the message of a buyer. STOP ends the messages to the number, and START allows them again. 1 confirms the visit of
 * the last reminder. After any other message, the server answers that the staff do not read it. The server does not store the message.
 */
export async function actOnTextReply(
  tx: UnitOfWork,
  { id, from, text }: TextReply,
  provider: Provider,
  now: Date,
): Promise<void> {
  const number = parsePhoneNumber(from)?.number
  if (number === undefined || !(await recordFirstUse(tx, `text reply ${id}`, CALLS_STORED_SECONDS, now))) return
  // Two messages at the same time must not both get this answer.
  await replyLock(tx, number)
  if (await isUnderstood(tx, text, { number, provider }, now)) return
  await answerUnread(tx, number, now)
}

/** Does what the message asks for. Returns false if the server cannot act on the message. */
async function isUnderstood(
  tx: UnitOfWork,
  text: string,
  { number, provider }: { number: string; provider: Provider },
  now: Date,
): Promise<boolean> {
  switch (meaningOf(text)) {
    case 'stop':
      await numberStop(tx, number, now)
      return true
    case 'start':
      return numberRestore(tx, number)
    case 'confirm':
      return confirmReminded(tx, number, provider, now)
    default:
      return false
  }
}

/**
 * Confirms the visit of the latest reminder that the number got, and thanks for it. If several visits are open, each further
 * answer confirms the next one. Returns false if the number got no reminder of a visit that still takes place at this time.
 */
async function confirmReminded(tx: UnitOfWork, number: string, provider: Provider, now: Date): Promise<boolean> {
  let isConfirmed = false
  for (const { bookingId, startsAt } of await remindersTo(tx, number)) {
    const booking = await bookingFind(tx, bookingId, undefined, { lock: false })
    if (!booking || booking.starts_at.getTime() !== startsAt.getTime() || !isOf(booking, number, provider)) continue
    isConfirmed ||= isAttending(booking) && booking.starts_at > now
    const saved = canConfirmAttendance(booking, now) ? await confirmAttendance(tx, bookingId, now) : undefined
    if (!saved) continue
    const to = { email: NO_LINE, textNumber: number, locale: saved.record.locale }
    tx.queueMail({ kind: ATTENDING, subject: `booking ${saved.id}`, snapshot: saved, to, onlyChannel: 'text' }, now)
    return true
  }
  return isConfirmed
}

/** Whether the buyer of the booking agreed to messages at this number, and did not change the number since the reminder. */
const isOf = ({ people }: BookingRow, number: string, { countries }: Provider): boolean =>
  numberInCountries(textNumberOf(people.buyer) ?? '', countries) === number

/**
 * Tells the sender, at most once in 24 hours, that the staff do not read the messages. Numbers that got no message from the server get
 * no answer, so that strangers cannot cause costs.
 */
async function answerUnread(tx: UnitOfWork, number: string, now: Date): Promise<void> {
  if (await isAnsweredSince(tx, number, UNREAD_REPLY, new Date(now.getTime() - DAY))) return
  const last = await lastTextTo(tx, number)
  if (!last) return
  const { subject, snapshot, locale } = last
  const to = { email: NO_LINE, textNumber: number, locale }
  tx.queueMail({ kind: UNREAD_REPLY, subject, snapshot, to, onlyChannel: 'text' }, now)
}

/** Without an email address, an answer does not wait behind other messages about the same booking. */
const NO_LINE = ''
