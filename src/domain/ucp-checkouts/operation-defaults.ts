import { shape } from '../../protocol/json-schemas.ts'
import type { CreateCheckout } from '../../protocol/types.generated.ts'
import { checkoutOutput } from './checkout-response.ts'

export const checkoutId = { type: 'string', minLength: 1, maxLength: 100, description: 'Id of the checkout.' }

/** The properties of a UCP checkout that the platform sends. An update replaces all of them. */
export const written = {
  line_items: {
    type: 'array',
    minItems: 1,
    maxItems: 100,
    items: shape('UcpLineItemInput'),
    description: 'The service that is booked.',
  },
  buyer: shape('UcpBuyer'),
  booking: shape('UcpBookingInput'),
  payment: shape('UcpPaymentInput'),
  signals: shape('UcpSignals'),
  context: { type: 'object', description: 'What the buyer said about their region and language.' },
  attribution: { type: 'object', description: 'How the buyer came here.' },
}

type Checkout = CreateCheckout['output']

export const onCheckouts = {
  protocol: 'ucp',
  capability: 'dev.ucp.shopping.checkout',
  access: 'privileged_platform',
  output: checkoutOutput,
  people: ({ booking }: Checkout) => [`booking ${booking.booking_id}`],
  summary: ({ id, status }: Checkout) => `Checkout ${id} is ${status.replaceAll('_', ' ')}.`,
} as const
