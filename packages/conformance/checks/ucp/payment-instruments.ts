import { asMembers, type Members } from '../../caller/answer.ts'
import type { CheckContext } from '../../run/check-context.ts'
import { expectList, expectMembers, expectText } from '../../run/expectations.ts'
import { Skip } from '../../run/mismatch.ts'
import { type Checkout, selectedTerm, totalOf } from './checkout-steps.ts'

/** The type of the credential, by the name of its payment handler. */
const credentialTypes: Record<string, string> = { 'com.stripe.payments': 'stripe_payment_token' }

/** The members that complete a checkout with the payment token of the run. Skips the check if the run has none. */
export function completionWith(c: CheckContext, checkout: Checkout): Members {
  const { name } = handlerOf(checkout)
  const [, type = credentialTypes[name] ?? 'token', token] = /^(?:([a-z_]+):)?(.+)$/.exec(c.paymentToken) ?? []
  return { payment: { instruments: [instrumentOf(checkout, { type, token })] } }
}

/** The members that complete a checkout with a token that nobody issued. */
export function completionWithUnknownToken(checkout: Checkout): Members {
  const { name } = handlerOf(checkout)
  const credential = { type: credentialTypes[name] ?? 'token', token: 'token_of_nobody' }
  return { payment: { instruments: [instrumentOf(checkout, credential)] } }
}

/** An instrument of a payment handler that the business does not have. */
export const foreignInstrument = (): Members => ({
  id: 'instrument_1',
  handler_id: 'handler_of_nobody',
  type: 'card',
  selected: true,
  credential: { type: 'token', token: 'token_of_nobody' },
})

function instrumentOf(checkout: Checkout, credential: Members): Members {
  const { id, types } = handlerOf(checkout)
  return { id: 'instrument_1', handler_id: id, type: types[0] ?? 'card', selected: true, credential }
}

/** The first payment handler of the checkout. */
function handlerOf({ ucp }: Checkout): { name: string; id: string; types: string[] } {
  const [found] = Object.entries(asMembers(asMembers(ucp)?.payment_handlers) ?? {})
  if (!found) throw new Skip('The checkout has no payment handler.')
  const [name, handlers] = found
  const { id, available_instruments = [] } = expectMembers(expectList(handlers, name)[0], `the handler ${name}`)
  const types = expectList(available_instruments, 'available_instruments').map(({ type }) => String(type))
  return { name, id: expectText(id, `id of the handler ${name}`), types }
}

/** The amount that is due at the completion: the immediate payments of the selected term, otherwise the total. */
export function dueNow(checkout: Checkout): number {
  const term = selectedTerm(checkout)
  if (!term) return totalOf(checkout, 'total') ?? 0
  const immediate = expectList(term.schedules, 'schedules').filter(({ type }) => type === 'immediate')
  return immediate.reduce((sum, { amount }) => sum + Number(amount), 0)
}
