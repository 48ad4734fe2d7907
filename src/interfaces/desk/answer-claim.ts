import { readBooking } from '../../domain/desk/bookings/read-booking.ts'
import { english, speechOf } from '../../infra/i18n/speech.ts'
import { claimActs, isClaimOpen } from './acts.ts'
import { bookingPage } from './booking-page.ts'
import { type Asking, ask, type DeskMeans, may } from './desk-calls.ts'
import type { Answer } from './desk-page.ts'
import { mayNot } from './may-not.ts'
import { runAct } from './run-act.ts'

/** Confirms a payment that the buyer reported, or ends the booking. Refuses if the claim is no longer open. */
export async function answerClaim(id: string, name: string, asking: Asking, means: DeskMeans): Promise<Answer> {
  const { say } = asking.request.speech
  const wanted = claimActs[name]
  if (!wanted || !may(asking.who, wanted.operation)) return mayNot(wanted?.operation, asking)
  const read = await ask(readBooking, { booking_id: id }, asking, means)
  if (read.refusal) return undefined
  if (!isClaimOpen(read.result)) return bookingPage(id, asking, means, { text: say('desk.refused'), isRefusal: true })
  const { language = 'en' } = (await means.business.get())?.business ?? {}
  const reason = wanted.reason && (speechOf(language) ?? english()).say(wanted.reason)
  const input = { booking_id: id, ...(reason !== undefined && { reason }) }
  return runAct(wanted, input, asking, means)
}
