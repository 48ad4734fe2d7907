import type { Config } from '../../infra/config/read-config.ts'
import type { BusinessDefinition, CompleteCheckout, Message } from '../../protocol/types.generated.ts'
import { TOKEN_HANDLER, TOKEN_TYPE, tokenHandlers } from '../payments/payment-token-handlers.ts'
import { errorMessage } from './error-messages.ts'

const AT = '$.payment.instruments'

/**
 * Returns the payment token (a permission to take money) that the buyer selected. If there is no valid token, the
 * function returns messages for the platform instead.
 */
export function instrumentIn(
  { payment }: CompleteCheckout['input'],
  definition: BusinessDefinition | undefined,
  config: Pick<Config, 'stripe'>,
): { token: string } | { messages: Message[] } {
  const instruments = payment?.instruments ?? []
  const selected = instruments.filter((one) => one.selected ?? instruments.length === 1)
  const [instrument] = selected
  if (!instrument || selected.length > 1)
    return refused('missing', 'Send exactly one selected instrument: it pays the whole amount that is due now.')
  const known = Object.values(tokenHandlers(definition, config)).flat()
  if (!known.some(({ id }) => id === instrument.handler_id))
    return refused('invalid', `handler_id must be ${TOKEN_HANDLER}, as in the payment handlers of the checkout.`)
  const types = known.flatMap(({ available_instruments = [] }) => available_instruments.map((one) => one.type))
  if (!types.includes(instrument.type)) return refused('invalid', `type must be one of: ${types.join(', ')}.`)
  const { type, token } = instrument.credential ?? {}
  if (type !== TOKEN_TYPE || token === undefined)
    return refused('invalid', `The credential must have the type ${TOKEN_TYPE}, and a token.`)
  return { token }
}

const refused = (code: string, content: string) => ({ messages: [errorMessage(code, content, AT)] })
