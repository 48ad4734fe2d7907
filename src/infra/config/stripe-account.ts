import { isThisMachine } from '../net/addresses.ts'
import { refuseMissing } from './refuse-missing.ts'

export interface StripeAccount {
  secretKey: string
  /** What its notifications are signed with. */
  webhookSecret: string
  /** Another address than Stripe's own is that of a stand-in on this machine. */
  apiBase: string
}

/** With half of it money would be taken that nobody hears of, or the other way round. */
export function stripeAccount(
  given: Record<string, unknown>,
  hints: Record<string, string>,
): StripeAccount | undefined {
  const { STRIPE_SECRET_KEY: key, STRIPE_WEBHOOK_SECRET: secret, STRIPE_API_BASE: base } = given
  if (key === undefined && secret === undefined) return undefined
  refuseMissing(['STRIPE_SECRET_KEY', 'STRIPE_WEBHOOK_SECRET'], given, hints)
  return { secretKey: String(key), webhookSecret: String(secret), apiBase: String(base) }
}

/** The secret key goes there, so it goes nowhere else. */
export function isStripeOrStandIn(address: string) {
  if (!URL.canParse(address)) return false
  const url = new URL(address)
  const here = isThisMachine(url) && /^https?:$/.test(url.protocol)
  return address.replace(/\/$/, '') === url.origin && (url.origin === 'https://api.stripe.com' || here)
}
