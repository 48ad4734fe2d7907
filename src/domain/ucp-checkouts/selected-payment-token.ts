import type { Config } from '../../infra/config/read-config.ts'
import type { BusinessDefinition, CompleteCheckout, Message } from '../../protocol/types.generated.ts'
import { INSTRUMENT_TYPES, type InstrumentType } from '../payments/payment-provider.ts'
import { TOKEN_HANDLER, TOKEN_TYPE, tokenHandlers } from '../payments/payment-token-handlers.ts'
import { errorMessage } from './error-messages.ts'

/** A buyer's permission to take money once, and the type of the instrument that pays. */
export interface PaymentToken {
  id: string
  instrument: InstrumentType
}

const AT = '$.payment.instruments'

/**
 * Returns the payment token (a permission to take money) that the buyer selected. If there is no valid token, the
 * function returns messages for the platform instead.
 */
export function instrumentIn(
  { payment }: CompleteCheckout['input'],
  definition: BusinessDefinition | undefined,
  config: Pick<Config, 'stripe'>,
): { token: PaymentToken } | { messages: Message[] } {
  const instruments = payment?.instruments ?? []
  const selected = instruments.filter((one) => one.selected ?? instruments.length === 1)
  const [instrument] = selected
  if (!instrument || selected.length > 1)
    return refused('missing', 'Send exactly one selected instrument: it pays the whole amount that is due now.')
  const known = Object.values(tokenHandlers(definition, config)).flat()
  if (!known.some(({ id }) => id === instrument.handler_id))
    return refused('invalid', `handler_id must be ${TOKEN_HANDLER}, as in the payment handlers of the checkout.`)
  const selectedType = INSTRUMENT_TYPES.find((one) => one === instrument.type)
  if (!selectedType) return refused('invalid', `type must be one of: ${INSTRUMENT_TYPES.join(', ')}.`)
  const { type, token } = instrument.credential ?? {}
  if (type !== TOKEN_TYPE || token === undefined)
    return refused('invalid', `The credential must have the type ${TOKEN_TYPE}, and a token.`)
  return { token: { id: token, instrument: selectedType } }
}

const refused = (code: string, content: string) => ({ messages: [errorMessage(code, content, AT)] })
