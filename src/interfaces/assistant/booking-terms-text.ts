import type { Plan } from '../../domain/availability/service-scheduling-plan.ts'
import { cancellationTerms } from '../../domain/catalog/describe-service.ts'
import { englishLocalizer } from '../../infra/i18n/localizer.ts'
import { secondsOf } from '../../infra/time/time-units.ts'
import type { ServicePolicies } from '../../protocol/types.generated.ts'
import { needsAddress, needsPhone } from '../booking-flow/buyer-form.ts'
import { depositText } from '../booking-flow/service-description-texts.ts'

export function* termsOf(plan: Plan): Generator<string> {
  const { service, business } = plan
  const { cancellation, rescheduling, booking_window = {}, no_show, ...policies } = service.policies
  const { currency } = service.pricing
  const money = (amount: number) => englishLocalizer().money(amount, currency)
  const fee = (amount: number | undefined) => (amount ? `costs ${money(amount)}` : 'costs nothing')

  yield* windowText(booking_window)
  if (policies.confirmation_mode === 'manual') yield 'The business confirms each booking itself.'
  if (policies.requires_payment && business.deployment_mode !== 'ucp_native') {
    const deposit = depositText(englishLocalizer(), plan)
    if (deposit !== undefined) yield `${deposit}.`
    else yield policies.payment_timing === 'at_booking' ? 'Paid when booking.' : 'Paid at the visit.'
  }
  yield* cancellationTerms(cancellation, currency)
  if (!rescheduling.allowed) yield 'Cannot be moved.'
  else {
    const { free_reschedule_until: free, max_reschedules: most } = rescheduling
    yield free === undefined
      ? `Moving ${fee(rescheduling.fee)}.`
      : `Moving is free until ${lengthOf(free)} before the start; later it ${fee(rescheduling.fee)}.`
    if (most !== undefined) yield `It can be moved ${most === 1 ? 'once' : `${most} times`}.`
  }
  if (no_show?.fee_percentage) yield `A no-show costs ${no_show.fee_percentage} % of the price.`
  else if (no_show?.fee) yield `A no-show costs ${money(no_show.fee)}.`
  if (service.waiver) yield 'The person agrees to a waiver after booking.'
  if (service.intake?.length) yield 'The person answers some questions after booking.'
  if (needsAddress(service)) yield "It requires the person's address and phone number."
  else if (needsPhone(service)) yield "It requires the person's phone number."
}

function* windowText({
  max_advance: most,
  min_advance: least,
}: NonNullable<ServicePolicies['booking_window']>): Generator<string> {
  if (most !== undefined && least !== undefined)
    yield `Can be booked from ${lengthOf(most)} to ${lengthOf(least)} ahead.`
  else if (most !== undefined) yield `Can be booked at most ${lengthOf(most)} ahead.`
  else if (least !== undefined) yield `Can be booked at least ${lengthOf(least)} ahead.`
}

const lengthOf = (duration: string) => englishLocalizer().length(secondsOf(duration) * 1000)
