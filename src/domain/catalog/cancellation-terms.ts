import { englishLocalizer } from '../../infra/i18n/localizer.ts'
import { secondsOf } from '../../infra/time/units.ts'
import type { ServicePolicies } from '../../protocol/types.generated.ts'

export function* cancellationTerms(
  { allowed, ...terms }: ServicePolicies['cancellation'],
  currency: string,
): Generator<string> {
  if (!allowed) return yield 'Cannot be canceled.'
  const { free_cancellation_until: free, late_cancellation_fee: late, no_cancellation_after: last } = terms
  if (free === undefined) yield 'Canceling is free.'
  else {
    const fee = late ? `costs ${englishLocalizer().money(late, currency)}` : 'costs nothing'
    yield `Canceling is free until ${lengthText(free)} before the start; later it ${fee}.`
  }
  if (last !== undefined) yield `It cannot be canceled later than ${lengthText(last)} before the start.`
}

const lengthText = (duration: string) => englishLocalizer().length(secondsOf(duration) * 1000)
