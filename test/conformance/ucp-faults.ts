import { asMembers, type Members } from '../../packages/conformance/caller/answer.ts'
import { codeOf, jsonOf, listOf, success, withItems, withMember } from '../../packages/conformance/mutants/answers.ts'
import type { Fault, SeenCall } from '../../packages/conformance/mutants/fault.ts'

/** One fault of a checkout, and the rule whose checks must find it. */
export interface UcpFault extends Omit<Fault, 'only'> {
  rule: string
}

const isUcp = ({ path }: SeenCall): boolean => path.startsWith('/ucp/')

/** Changes each checkout and order in an answer. */
const inCheckouts =
  (change: (checkout: Members, call: SeenCall) => Members | undefined) =>
  (result: Members, call: SeenCall): Members | undefined =>
    isUcp(call) && result.id !== undefined ? change(result, call) : undefined

const withTerms = (checkout: Members, change: (schedule: Members) => Members): Members | undefined =>
  withMember(checkout, 'payment', (payment) =>
    withItems(payment, 'terms', (terms) => terms.map((term) => withItems(term, 'schedules', (all) => all.map(change)))),
  )

const withoutErrors = ({ messages: _, ...checkout }: Members): Members => checkout

const totalOf = ({ totals }: Members): unknown => listOf(totals).find(({ type }) => type === 'total')?.amount

const hasCode = ({ messages }: Members, code: string): boolean => listOf(messages).some((one) => one.code === code)

const confirmed = { status: 'confirmed', booking_status: 'confirmed' }

export const ucpFaults: UcpFault[] = [
  {
    name: 'declares no orders of UCP',
    rule: 'LIV-122',
    answer: (answer, { path }) => {
      if (path !== '/.well-known/ucp') return undefined
      const profile = withMember(jsonOf(answer.body), 'ucp', (ucp) =>
        withMember(ucp, 'capabilities', ({ 'dev.ucp.shopping.order': _, ...others }) => others),
      )
      return { ...answer, body: JSON.stringify(profile) }
    },
  },
  {
    name: 'shows another slot in the booking of a checkout',
    rule: 'BKG-020',
    result: inCheckouts((checkout) =>
      withMember(checkout, 'booking', (booking) =>
        withMember(booking, 'slot', (slot) => ({ ...slot, end: slot.start })),
      ),
    ),
  },
  {
    name: 'adds one cent to each subtotal',
    rule: 'CAT-102',
    result: inCheckouts((checkout) =>
      withItems(checkout, 'totals', (totals) =>
        totals.map((one) => (one.type === 'subtotal' ? { ...one, amount: Number(one.amount) + 1 } : one)),
      ),
    ),
  },
  {
    name: 'needs no address for a visit to the buyer',
    rule: 'LIV-120',
    result: inCheckouts((checkout) =>
      checkout.status === 'incomplete' ? { ...withoutErrors(checkout), status: 'ready_for_complete' } : undefined,
    ),
  },
  {
    name: 'says slot_unavailable although only the hold has ended',
    rule: 'LIV-118',
    result: inCheckouts((checkout) =>
      withItems(checkout, 'messages', (messages) =>
        messages.map((one) => (one.code === 'hold_expired' ? { ...one, code: 'slot_unavailable' } : one)),
      ),
    ),
  },
  {
    name: 'leaves the booking of a canceled checkout pending',
    rule: 'LIV-119',
    result: inCheckouts((checkout) =>
      checkout.status === 'canceled'
        ? withMember(checkout, 'booking', (booking) => ({ ...booking, booking_status: 'pending' }))
        : undefined,
    ),
  },
  {
    name: 'names no settlement for a price that is paid at the service',
    rule: 'LIV-124',
    result: inCheckouts(({ settlement: _, ...checkout }) => checkout),
  },
  {
    name: 'makes a price that is paid at the service due a day early',
    rule: 'LIV-125',
    result: inCheckouts((checkout) =>
      withTerms(checkout, ({ due_at, ...schedule }) => ({
        ...schedule,
        ...(due_at !== undefined && { due_at: new Date(Date.parse(String(due_at)) - 86_400_000).toISOString() }),
      })),
    ),
  },
  {
    name: 'accepts an instrument for a price that is paid at the service',
    rule: 'LIV-127',
    answer: (answer, call) =>
      isUcp(call) && codeOf(answer, call) === 'validation_error'
        ? success(answer, call, { id: 'checkout', status: 'completed', booking: confirmed })
        : undefined,
  },
  {
    name: 'asks for the whole price instead of the deposit',
    rule: 'LIV-123',
    result: inCheckouts((checkout) =>
      withTerms(checkout, (schedule) =>
        schedule.type === 'immediate' ? { ...schedule, amount: totalOf(checkout) } : schedule,
      ),
    ),
  },
  {
    name: 'completes a checkout without a payment',
    rule: 'LIV-116',
    result: inCheckouts((checkout) =>
      hasCode(checkout, 'missing') ? { ...withoutErrors(checkout), status: 'completed' } : undefined,
    ),
  },
  {
    name: 'shows a payment in a booking of UCP',
    rule: 'PAY-084',
    result: ({ booking, ...result }, { path }) =>
      isUcp({ path } as SeenCall) || booking === undefined
        ? undefined
        : { ...result, booking: { ...asMembers(booking), payment: { status: 'paid' } } },
  },
  {
    name: 'makes a new order for each completion',
    rule: 'LIV-115',
    result: inCheckouts((checkout) =>
      withMember(checkout, 'order', (order) => ({ ...order, id: `ord_${Math.random()}` })),
    ),
  },
  {
    name: 'shows a checkout to every platform',
    rule: 'AUT-033',
    answer: (answer, call, memory) => {
      const result = isUcp(call) && call.binding === 'rest' ? jsonOf(answer.body) : {}
      if (result.id !== undefined) memory.set(call.path.split('/')[4] ?? String(result.id), result)
      if (result.id !== undefined) memory.set(String(result.id), result)
      const known = asMembers(memory.get(call.path.split('/')[4] ?? ''))
      return known && hasCode(result, 'not_found') ? { ...answer, body: JSON.stringify(known) } : undefined
    },
  },
  {
    name: 'lets the business confirm a booking that is not paid',
    rule: 'LIV-070',
    operations: ['confirmBooking'],
    answer: (answer, call) => success(answer, call, { booking: { ...call.input, status: 'confirmed' } }),
  },
  {
    name: 'does not know the booking of an open checkout when the business confirms it',
    rule: 'BKG-075',
    operations: ['confirmBooking'],
    answer: (answer, call) =>
      codeOf(answer, call) === 'invalid_transition'
        ? { ...answer, status: 404, body: JSON.stringify({ status: 404, code: 'booking_not_found', content: 'Gone' }) }
        : undefined,
  },
  {
    name: 'answers the credential of a checkout inside its booking',
    rule: 'BSC-014',
    result: inCheckouts(({ booking, ...checkout }) => ({
      ...checkout,
      booking: { ...asMembers(booking), credential: checkout.booking_scoped_credential },
    })),
  },
]
