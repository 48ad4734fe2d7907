import { createBooking } from '../../domain/bookings/create-booking.ts'
import type { Localizer } from '../../infra/i18n/localizer.ts'
import { callAsVisitor } from '../../pipeline/call-operation-from-page.ts'
import type { Booking, Message } from '../../protocol/types.generated.ts'
import { digestOfForm } from '../pages/form-token.ts'
import { refusalText } from '../pages/refusal-texts.ts'
import { detailsPage } from './buyer-details-page.ts'
import { addressOf, type BuyerForm, buyerOf, needsAddress, withRefusedAddress } from './buyer-form.ts'
import type { Held } from './find-hold-or-booking.ts'
import { showAgainAtLimit } from './repeat-form-at-rate-limit.ts'
import type { BookDependencies, StepRequest } from './step-request.ts'

type Sent = Pick<StepRequest, 'peer' | 'localizer' | 'form'>

/**
 * Creates the booking for a held (reserved) slot. Then redirects the buyer to the first open task, such as the payment,
 * or to the booking. If the browser sends the form several times, the server creates only one booking.
 */
export const bookHeld = (held: Held, buyerForm: BuyerForm, sent: Sent, dependencies: BookDependencies) =>
  showAgainAtLimit(
    () => book(held, buyerForm, sent, dependencies),
    (note) => detailsPage(held, { buyerForm, note }, sent.localizer, dependencies),
    sent.localizer,
  )

async function book(held: Held, buyerForm: BuyerForm, { peer, localizer, form }: Sent, dependencies: BookDependencies) {
  const { hold, plan, visitor } = held
  const { notes } = buyerForm.values
  const input = {
    service_id: hold.service_id,
    slot_id: hold.slot_id,
    hold_id: hold.id,
    party_size: hold.spots,
    buyer: buyerOf(buyerForm),
    ...(needsAddress(plan.service) && { delivery_address: addressOf(buyerForm) }),
    ...(notes !== '' && { notes }),
  }
  const visit = { visitor, peer, locale: localizer.locale, sentForm: digestOfForm(form) }
  const answer = await callAsVisitor(createBooking, input, visit, dependencies)
  if (!answer.refusal) return { to: nextStep(answer.result.booking), opened: answer.result.booking.id }
  return refusedPage(answer.refusal, { held, buyerForm }, localizer, dependencies)
}

function nextStep({ actions = [], booking_url = '' }: Booking): string {
  const open = actions.find(({ status }) => status === 'pending')
  return pathOf(open?.continue_url ?? booking_url)
}

const pathOf = (url: string) => new URL(url).pathname

/**
 * Shows the buyer's form again after a refusal, with all input and the reason for the refusal. Returns undefined if the
 * slot is no longer available.
 */
function refusedPage(
  { code, path = '' }: Message,
  { held, buyerForm }: { held: Held; buyerForm: BuyerForm },
  localizer: Localizer,
  dependencies: BookDependencies,
) {
  if (path.startsWith('$.delivery_address'))
    return detailsPage(held, { buyerForm: withRefusedAddress(buyerForm, path) }, localizer, dependencies)
  if (code === 'slot_unavailable' || code === 'hold_expired' || code === 'booking_window_violated') return undefined
  return detailsPage(held, { buyerForm, note: refusalText(code, localizer, 'book.refused') }, localizer, dependencies)
}
