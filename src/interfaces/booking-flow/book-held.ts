import { createBooking } from '../../domain/bookings/create-booking.ts'
import type { Localizer } from '../../infra/i18n/localizer.ts'
import { callAsVisitor } from '../../pipeline/call-from-page.ts'
import type { Booking, Message } from '../../protocol/types.generated.ts'
import { digestOfForm } from '../pages/form-token.ts'
import { refusalText } from '../pages/refusals.ts'
import { addressOf, buyerOf, needsAddress, type Written, withRefusedAddress } from './buyer-form.ts'
import { detailsPage } from './details-page.ts'
import type { Held } from './find-hold-or-booking.ts'
import { showAgainAtLimit } from './repeat-form-at-rate-limit.ts'
import type { BookDependencies, StepRequest } from './step-request.ts'

type Sent = Pick<StepRequest, 'peer' | 'localizer' | 'form'>

/**
 * Creates the booking, only once even if the form arrives several times.
 * Then redirects to the first open task, or to the booking.
 */
export const bookHeld = (held: Held, written: Written, sent: Sent, dependencies: BookDependencies) =>
  showAgainAtLimit(
    () => book(held, written, sent, dependencies),
    (note) => detailsPage(held, { written, note }, sent.localizer, dependencies),
    sent.localizer,
  )

async function book(held: Held, written: Written, { peer, localizer, form }: Sent, dependencies: BookDependencies) {
  const { hold, plan, visitor } = held
  const { notes } = written.values
  const input = {
    service_id: hold.service_id,
    slot_id: hold.slot_id,
    hold_id: hold.id,
    party_size: hold.spots,
    buyer: buyerOf(written),
    ...(needsAddress(plan.service) && { delivery_address: addressOf(written) }),
    ...(notes !== '' && { notes }),
  }
  const visit = { visitor, peer, locale: localizer.locale, sentForm: digestOfForm(form) }
  const answer = await callAsVisitor(createBooking, input, visit, dependencies)
  if (!answer.refusal) return { to: nextStep(answer.result.booking), opened: answer.result.booking.id }
  return refusedPage(answer.refusal, { held, written }, localizer, dependencies)
}

function nextStep({ actions = [], booking_url = '' }: Booking): string {
  const open = actions.find(({ status }) => status === 'pending')
  return pathOf(open?.continue_url ?? booking_url)
}

const pathOf = (url: string) => new URL(url).pathname

/** Shows a business refusal at the field that it concerns, with all input preserved. */
function refusedPage(
  { code, path = '' }: Message,
  { held, written }: { held: Held; written: Written },
  localizer: Localizer,
  dependencies: BookDependencies,
) {
  if (path.startsWith('$.delivery_address'))
    return detailsPage(held, { written: withRefusedAddress(written, path) }, localizer, dependencies)
  if (code === 'slot_unavailable' || code === 'hold_expired' || code === 'booking_window_violated') return undefined
  return detailsPage(held, { written, note: refusalText(code, localizer, 'book.refused') }, localizer, dependencies)
}
