import { asRecord } from '../../infra/util/object-members.ts'
import { type Charge, ProviderError } from './payment-provider.ts'
import { isId, sumOf } from './stripe-session.ts'

/** The version of Stripe's API that documents the payment tokens of AI assistants. */
export const TOKEN_API_VERSION = '2026-04-22.preview'

const statuses: Record<string, Charge['status']> = {
  requires_payment_method: 'open',
  requires_confirmation: 'open',
  requires_action: 'requires_action',
  processing: 'processing',
  succeeded: 'succeeded',
  canceled: 'ended',
}

/**
 * Reads a charge (Stripe: PaymentIntent) from a notification or a response of Stripe. Returns undefined if this server
 * did not create the charge.
 */
export function readIntent(body: unknown): (Charge & { id: string }) | undefined {
  const { object, id: reference, status, metadata, amount_received, currency, next_action } = asRecord(body)
  const { charge: id } = asRecord(metadata)
  const known = typeof status === 'string' ? statuses[status] : undefined
  if (object !== 'payment_intent' || !isId(reference) || !isId(id) || !known) return undefined
  const { url } = asRecord(asRecord(next_action).redirect_to_url)
  if (known === 'requires_action') {
    // The server can show the buyer only a page. It ends a charge that requires anything else from the buyer.
    const asked =
      typeof url === 'string' ? ({ status: known, url } as const) : ({ status: 'open', url: undefined } as const)
    return { id, reference, payment: undefined, ...asked }
  }
  if (known !== 'succeeded') return { id, reference, status: known, payment: undefined, url: undefined }
  const sum = sumOf(amount_received, currency)
  if (!sum) return undefined
  const payment = { reference, ...sum, paidAt: undefined }
  return { id, reference, status: known, payment, url: undefined }
}

/**
 * Reads a charge (Stripe: PaymentIntent) from Stripe's response. Throws an error if the response contains no charge.
 */
export function expectIntent(body: unknown): Charge {
  const intent = readIntent(body)
  if (!intent) throw new ProviderError('Stripe: answers with no PaymentIntent that can be read', { isFinal: false })
  const { id: _, ...charge } = intent
  return charge
}
