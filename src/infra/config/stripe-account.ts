import { isThisMachine } from '../net/ip-addresses.ts'
import { refuseMissing } from './require-settings-together.ts'

export interface StripeAccount {
  secretKey: string
  /** The secret with which Stripe signs its webhook calls. */
  webhookSecret: string
  /** The URL of Stripe's API, or of a test server on this machine. */
  apiBase: string
  /**
   * The ids of this Stripe account. The server needs them to accept payment tokens from AI assistants. Undefined if the
   * server accepts no payment tokens.
   */
  tokens?: StripeTokens | undefined
}

export interface StripeTokens {
  networkId: string
  accountId: string
  environment: 'sandbox' | 'production'
}

/**
 * Reads the settings of the Stripe account. The operator must set both secrets or neither. Without the webhook secret,
 * the server would not record payments.
 */
export function stripeAccount(
  settings: Record<string, unknown>,
  hints: Record<string, string>,
): StripeAccount | undefined {
  const { STRIPE_SECRET_KEY: key, STRIPE_WEBHOOK_SECRET: secret, STRIPE_API_BASE: base } = settings
  if (key === undefined && secret === undefined) return undefined
  refuseMissing(['STRIPE_SECRET_KEY', 'STRIPE_WEBHOOK_SECRET'], settings, hints)
  return {
    secretKey: String(key),
    webhookSecret: String(secret),
    apiBase: String(base),
    tokens: tokensOf(settings, hints),
  }
}

/**
 * Reads the two Stripe ids that payment tokens need. The operator must set both ids or neither. If the Stripe key is a
 * test key, the payment tokens come from the test system of Stripe.
 */
function tokensOf(given: Record<string, unknown>, hints: Record<string, string>): StripeTokens | undefined {
  const { STRIPE_NETWORK_ID: network, STRIPE_ACCOUNT_ID: account, STRIPE_SECRET_KEY: key } = given
  if (network === undefined && account === undefined) return undefined
  refuseMissing(['STRIPE_NETWORK_ID', 'STRIPE_ACCOUNT_ID'], given, hints)
  const environment = /^[sr]k_test_/.test(String(key)) ? 'sandbox' : 'production'
  return { networkId: String(network), accountId: String(account), environment }
}

/**
 * Whether the URL is Stripe's API or a test server on this machine. The server refuses other URLs, because it sends the
 * secret Stripe key to this URL.
 */
export function isStripeOrStandIn(address: string) {
  if (!URL.canParse(address)) return false
  const url = new URL(address)
  const isLocal = isThisMachine(url) && /^https?:$/.test(url.protocol)
  return address.replace(/\/$/, '') === url.origin && (url.origin === 'https://api.stripe.com' || isLocal)
}
