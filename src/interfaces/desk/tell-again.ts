import { tellAgain } from '../../domain/desk/bookings/tell-again.ts'
import { bookingPage } from './booking-page.ts'
import { type Asking, ask, type DeskMeans, may } from './desk-calls.ts'
import type { Answer } from './desk-page.ts'
import { mayNot } from './may-not.ts'

export async function toldAgain(id: string, form: URLSearchParams, asking: Asking, means: DeskMeans): Promise<Answer> {
  const { speech } = asking.request
  if (!may(asking.who, tellAgain)) return mayNot(tellAgain, asking)
  const answer = await ask(tellAgain, { booking_id: id, told_id: form.get('told') || '-' }, asking, means)
  if (!answer.refusal) return { to: `/desk/bookings/${encodeURIComponent(id)}` }
  return bookingPage(id, asking, means, { text: speech.say('desk.told.not'), isRefusal: true })
}
