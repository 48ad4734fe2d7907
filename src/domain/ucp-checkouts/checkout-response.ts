import { rfc3339 } from '../../infra/time/time-zone.ts'
import { omitUndefined } from '../../infra/util/object-members.ts'
import { UCP_VERSION } from '../../protocol/capabilities.ts'
import type { Context, ObjectSchema } from '../../protocol/define-operation.ts'
import { shape } from '../../protocol/json-schemas.ts'
import type {
  BusinessDefinition,
  CreateCheckout,
  Message,
  UcpBookingContext,
  UcpLineItem,
  UcpLink,
  UcpPolicy,
  UcpTotal,
} from '../../protocol/types.generated.ts'
import { pageUrl } from '../bookings/booking-page-links.ts'
import type { BookingRow } from '../bookings/booking-row.ts'
import { tokenHandlers } from '../payments/payment-token-handlers.ts'
import { checkoutPageUrl, openTasks, taskMessages } from './buyer-tasks.ts'
import { buyersDeadline } from './charge-lifecycle.ts'
import { chargesOf } from './charge-queries.ts'
import { type Agreed, type CheckoutPeople, type CheckoutRow, dueNow } from './checkout-row.ts'
import { errorMessage, holdEnded } from './error-messages.ts'

type Checkout = CreateCheckout['output']

export type CheckoutWireContext = Pick<Context, 'db' | 'now' | 'tag' | 'config' | 'business'>

interface Shown {
  /** The booking of the UCP checkout. Missing if the checkout is not completed. */
  booking?: BookingRow | undefined
  /** Messages for the answer to this call, such as a refusal. */
  messages?: Message[]
}

export async function toCheckout(
  row: CheckoutRow,
  context: CheckoutWireContext,
  { booking, messages = [] }: Shown = {},
): Promise<Checkout> {
  const { now, tag, config, business } = context
  const { agreed, request } = row
  const definition = await business.get()
  const isRefused = messages.some(({ type }) => type === 'error')
  const lacks = row.status === 'open' ? [...row.faults, ...(isRefused ? [] : lapsed(row, now))] : []
  const shown = isUnfinished(row) ? disclosuresOf(agreed, 'checkout') : []
  const all = [...messages, ...lacks, ...escalations(row), ...shown]
  const people = booking ? booking.people : row.people
  return {
    ucp: { version: UCP_VERSION, payment_handlers: isPayable(row) ? tokenHandlers(definition, config) : {} },
    id: row.id,
    status: statusOf(row, [...messages, ...lacks]),
    currency: agreed.currency,
    line_items: [lineItem(request.line_id, agreed)],
    ...(people && { buyer: buyerOf(people) }),
    totals: totalsOf(agreed),
    links: linksOf(definition, agreed.service.id),
    policies: policiesOf(agreed, 'checkout'),
    ...(isUnfinished(row) && { expires_at: rfc3339(agreed.zone, (await expiryOf(row, context)).getTime()) }),
    ...paymentOf(agreed),
    ...settlementOf(agreed, definition),
    ...(isUnfinished(row) && { continue_url: checkoutPageUrl(config.baseUrl, tag, row.id) }),
    booking: { ...bookingContext(row, people), ...actionsOf(row, context) },
    ...(booking && {
      order: { id: row.order_id, permalink_url: pageUrl(config.baseUrl, tag, booking, 'manage') },
    }),
    ...(all.length > 0 && { messages: all }),
  }
}

/**
 * Tells whether the buyer can pay for the UCP checkout now. If not, the answer lists no ways to pay (payment handlers).
 */
const isPayable = (row: CheckoutRow): boolean => row.status === 'open' && dueNow(row) > 0

const buyerOf = ({ buyer: { first_name, last_name, email, phone_number } }: Pick<CheckoutPeople, 'buyer'>) =>
  omitUndefined({ first_name, last_name, email, phone_number })

/**
 * Returns the time at which the UCP checkout ends. This is the end of the hold, or of the time for the buyer to confirm
 * the payment at the bank. Without this time, a platform assumes six hours.
 */
async function expiryOf({ id, status, expires_at }: CheckoutRow, { db }: CheckoutWireContext): Promise<Date> {
  if (status !== 'escalated') return expires_at
  const waiting = (await chargesOf(db, id)).find((charge) => charge.status === 'requires_action')
  return waiting ? buyersDeadline(waiting.created_at) : expires_at
}

const lapsed = ({ expires_at }: CheckoutRow, now: Date): Message[] => (expires_at <= now ? [holdEnded()] : [])

/**
 * Returns messages that tell the platform what the buyer must do. UCP requires such a message if the checkout cannot
 * continue without the buyer.
 */
function escalations(row: CheckoutRow): Message[] {
  if (row.status === 'open') return taskMessages(row)
  if (row.status !== 'escalated') return []
  const content = 'The bank asks the buyer to confirm the payment on the page of the business.'
  return [errorMessage('payment_authentication_required', content, '$.payment.instruments', 'requires_buyer_input')]
}

const CANCELLATION = 'dev.usp-protocol.services.policy.cancellation'
const THE_LINE = '$.line_items[0]'

/** The JSON path of the payment term. The order contains only the accepted term. */
const TERM_PATHS = { checkout: '$.payment.terms[0]', order: '$.payment.accepted_term' } as const

type Document = keyof typeof TERM_PATHS

/** Tells whether the cancellation terms are about the payment term, because the business keeps the deposit. */
export const governsTerm = ({ cancellation, term }: Agreed): boolean =>
  term !== undefined && cancellation.keeps_deposit === true

export const policiesOf = (agreed: Agreed, document: Document): UcpPolicy[] => [
  {
    type: CANCELLATION,
    description: { plain: agreed.cancellation.terms },
    applies_to: [THE_LINE, ...(governsTerm(agreed) ? [TERM_PATHS[document]] : [])],
  },
]

/**
 * Returns the policies of the business, such as the cancellation terms, as messages that the platform must show to the
 * buyer. The code of a message is the type of its policy.
 */
export function disclosuresOf(agreed: Agreed, document: Document): Message[] {
  const { terms, must_be_shown } = agreed.cancellation
  const shown = { presentation: 'disclosure', path: governsTerm(agreed) ? TERM_PATHS[document] : THE_LINE }
  return must_be_shown ? [{ type: 'warning', code: CANCELLATION, content: terms, ...shown }] : []
}

/**
 * Computes the status of a UCP checkout that platforms see. Faults come first, because the platform must correct them
 * before the buyer completes the tasks.
 */
function statusOf(row: CheckoutRow, faults: Message[]): Checkout['status'] {
  const { status } = row
  if (status === 'completing') return 'complete_in_progress'
  if (status === 'escalated') return 'requires_escalation'
  if (status !== 'open') return status
  if (faults.some(({ type, code }) => type === 'error' && code !== 'payment_failed')) return 'incomplete'
  return openTasks(row).length > 0 ? 'requires_escalation' : 'ready_for_complete'
}

const isUnfinished = ({ status }: CheckoutRow): boolean => status !== 'completed' && status !== 'canceled'

/** Lists the buyer's tasks, each with its status and the URL of its page. */
function actionsOf(
  { id, status, agreed, expires_at }: CheckoutRow,
  { config, tag }: CheckoutWireContext,
): Pick<UcpBookingContext, 'actions'> {
  if (status !== 'open' || agreed.tasks.length === 0) return {}
  const continue_url = checkoutPageUrl(config.baseUrl, tag, id)
  const until = rfc3339(agreed.zone, expires_at.getTime())
  return { actions: agreed.tasks.map((task) => ({ ...task, continue_url, expires_at: until })) }
}

export const lineItem = (id: string, { service, price }: Agreed): UcpLineItem => ({
  id,
  item: { id: service.id, title: service.name, price: price.unit },
  quantity: price.quantity,
  totals: [
    { type: 'subtotal', amount: price.subtotal },
    { type: 'total', amount: price.subtotal },
  ],
})

/** Lists the subtotal, the tax and the total of the price. The tax has no separate line if the subtotal includes it. */
export function totalsOf({ price }: Agreed): UcpTotal[] {
  const { subtotal, tax, total, isTaxIncluded } = price
  const lines = [
    { display_text: 'Net', amount: subtotal - tax },
    { display_text: 'Included tax', amount: tax },
  ]
  return [
    { type: 'subtotal', amount: subtotal, ...(isTaxIncluded && tax > 0 && { lines }) },
    ...(isTaxIncluded || tax === 0 ? [] : [{ type: 'tax', amount: tax }]),
    { type: 'total', amount: total },
  ]
}

export const paymentOf = ({ term }: Agreed) => (term ? { payment: { terms: [term], selected_term_id: term.id } } : {})

/**
 * Returns the note that the buyer pays everything at the visit, so that the platform needs no payment for the checkout.
 */
export function settlementOf({ term, is_offline }: Agreed, definition: BusinessDefinition | undefined) {
  if (!term || !is_offline) return {}
  const { accepted_methods } = definition?.ucp_checkout ?? {}
  return { settlement: { mode: 'offline' as const, term_id: term.id, ...omitUndefined({ accepted_methods }) } }
}

function bookingContext(
  { status, booking_id, hold_id, agreed, request }: CheckoutRow,
  people: CheckoutPeople | BookingRow['people'] | null,
): UcpBookingContext {
  const { service, slot, resources, party, confirmation_mode } = agreed
  const { recipient, delivery_address, notes } = people ?? {}
  const { resource_ids } = request
  const chosen = resource_ids.length > 0 ? resources.filter(({ id }) => resource_ids.includes(id)) : resources
  return {
    booking_id,
    service_id: service.id,
    service_type: service.type,
    slot,
    ...(hold_id !== null && status === 'open' && { hold_id }),
    ...(chosen.length > 0 && { resources: chosen }),
    party_size: party,
    confirmation_mode,
    booking_status: bookingStatusOf(status, confirmation_mode),
    ...omitUndefined({ recipient, delivery_address, notes }),
  }
}

function bookingStatusOf(
  status: CheckoutRow['status'],
  mode: Agreed['confirmation_mode'],
): UcpBookingContext['booking_status'] {
  if (status === 'canceled') return 'canceled'
  return status === 'completed' && mode === 'auto' ? 'confirmed' : 'pending'
}

/** Lists links to pages that the buyer should read, such as the terms of the business or of the service. */
function linksOf(definition: BusinessDefinition | undefined, serviceId: string): UcpLink[] {
  const service = definition?.services.find(({ id }) => id === serviceId)
  return [...(service?.links ?? []), ...(definition?.business.links ?? [])].map(({ type, url }) => ({ type, url }))
}

const list = (name: string, description: string) => ({ type: 'array', items: shape(name), description })

export const checkoutOutput: ObjectSchema = {
  type: 'object',
  required: ['ucp', 'id', 'status', 'currency', 'line_items', 'totals', 'links', 'booking'],
  properties: {
    ucp: shape('UcpMeta'),
    id: { type: 'string', description: 'Id of the checkout.' },
    status: {
      enum: [
        'incomplete',
        'requires_escalation',
        'ready_for_complete',
        'complete_in_progress',
        'completed',
        'canceled',
      ],
      description: 'What the checkout needs next.',
    },
    currency: { type: 'string', description: 'ISO 4217.' },
    line_items: list('UcpLineItem', 'The service.'),
    buyer: shape('UcpBuyer'),
    totals: list('UcpTotal', 'The price and its parts.'),
    links: list('UcpLink', 'Pages that the buyer should read.'),
    policies: list('UcpPolicy', 'The cancellation terms.'),
    expires_at: {
      type: 'string',
      format: 'date-time',
      description: 'The end of the hold, or of the time to confirm the payment at the bank.',
    },
    continue_url: { type: 'string', format: 'uri', description: 'The page where the buyer goes on.' },
    payment: {
      type: 'object',
      required: ['terms', 'selected_term_id'],
      properties: { terms: list('UcpTerm', 'When the price is due.'), selected_term_id: { type: 'string' } },
      description: 'When the price is due; left out if all of it is due at completion.',
    },
    settlement: shape('UcpSettlement'),
    booking: shape('UcpBookingContext'),
    booking_scoped_credential: shape('BookingScopedCredential'),
    order: {
      type: 'object',
      required: ['id', 'permalink_url'],
      properties: { id: { type: 'string' }, permalink_url: { type: 'string', format: 'uri' } },
      description: 'The order, once the checkout is completed.',
    },
  },
}
