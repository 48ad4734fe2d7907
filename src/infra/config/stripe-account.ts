import { isThisMachine } from '../net/addresses.ts'
import { refuseMissing } from './require-all-or-none.ts'

export interface StripeAccount {
  secretKey: string
  /** The secret that signs the webhook calls of Stripe. */
  webhookSecret: string
  /** The address of Stripe's API, or of a test server on this machine. */
  apiBase: string
}

/**
 * Reads the settings of the Stripe account. Requires both secrets or none: without the webhook secret, the server would
 * not record payments.
 */
export function stripeAccount(
  settings: Record<string, unknown>,
  hints: Record<string, string>,
): StripeAccount | undefined {
  const { STRIPE_SECRET_KEY: key, STRIPE_WEBHOOK_SECRET: secret, STRIPE_API_BASE: base } = settings
  if (key === undefined && secret === undefined) return undefined
  refuseMissing(['STRIPE_SECRET_KEY', 'STRIPE_WEBHOOK_SECRET'], settings, hints)
  return { secretKey: String(key), webhookSecret: String(secret), apiBase: String(base) }
}

/**
 * Whether the address is Stripe's API or a test server on this machine. No other address is allowed, because the server
 * sends the secret key there.
 */
export function isStripeOrStandIn(address: string) {
  if (!URL.canParse(address)) return false
  const url = new URL(address)
  const isLocal = isThisMachine(url) && /^https?:$/.test(url.protocol)
  return address.replace(/\/$/, '') === url.origin && (url.origin === 'https://api.stripe.com' || isLocal)
}
