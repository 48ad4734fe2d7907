import type { Config } from '../../infra/config/read-config.ts'
import type { BusinessDefinition, UcpPaymentHandler } from '../../protocol/types.generated.ts'
import { onlineProvider } from './find-payment-provider.ts'
import { INSTRUMENT_TYPES } from './payment-provider.ts'

/**
 * The id of this server's payment handler in UCP (Universal Commerce Protocol). A payment handler is one way to pay.
 * Platforms send this id with each payment token.
 */
export const TOKEN_HANDLER = 'stripe_payments'
export const TOKEN_TYPE = 'stripe_payment_token'

/**
 * Tells whether the server can take money with payment tokens. A payment token is a buyer's permission that an AI
 * assistant sends to pay once.
 */
export const takesTokens = (definition: BusinessDefinition | undefined, config: Pick<Config, 'stripe'>): boolean =>
  onlineProvider(definition, config) === 'stripe' && config.stripe?.tokens !== undefined

/**
 * Returns the ways to pay (payment handlers) that this server offers in UCP (Universal Commerce Protocol), by name. The
 * list is empty if the settings contain no Stripe ids for payment tokens.
 */
export function tokenHandlers(
  definition: BusinessDefinition | undefined,
  config: Pick<Config, 'stripe'>,
): Record<string, UcpPaymentHandler[]> {
  const { tokens } = config.stripe ?? {}
  if (!tokens || !takesTokens(definition, config)) return {}
  const { networkId: network_id, accountId: merchant_id, environment } = tokens
  return {
    'com.stripe.payments': [
      {
        id: TOKEN_HANDLER,
        version: '2026-06-25',
        spec: 'https://docs.stripe.com/agentic-commerce/ucp/stripe-payments-handler',
        schema: 'https://ucp.stripe.com/payments/2026-06-25/schema.json',
        available_instruments: INSTRUMENT_TYPES.map((type) => ({ type, config: { network_id } })),
        config: { environment, merchant_id },
      },
    ],
  }
}
