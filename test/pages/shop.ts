import type { BusinessDefinition, ServiceDefinition } from '../../src/protocol/types.generated.ts'
import { withDeposit, withPolicies } from '../bookings/shop.ts'
import { businessWith, service } from '../support/definitions.ts'
import type { Answer, TestServer } from '../support/server.ts'

const EVERY_DAY = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'] as const
const usual = service('svc').policies
const { payment_timing: _, ...unpaid } = usual

const free = (id: string, more: Partial<ServiceDefinition>): ServiceDefinition =>
  service(id, {
    pricing: { model: 'free', currency: 'USD' },
    policies: { ...unpaid, requires_payment: false },
    ...more,
  })

export const WAIVER = 'I take part at my own risk.\nI am <fit> & well.'
export const intake = [
  { id: 'allergies', question: 'Any allergies?', required: true },
  { id: 'music', question: 'Which music do you like?' },
]
const lateFee = { allowed: true, free_cancellation_until: 'PT24H', late_cancellation_fee: 2000 }

/** A shop whose buyers have something to do on each of its pages. */
export const studio = (more: Partial<BusinessDefinition> = {}): BusinessDefinition => ({
  ...businessWith(
    [
      withPolicies('svc_paid', { payment_timing: 'at_booking' }),
      withPolicies('svc_late', { payment_timing: 'at_booking', cancellation: lateFee }),
      withPolicies('svc_fee', { cancellation: lateFee }),
      withPolicies('svc_firm', { cancellation: { allowed: false } }),
      withDeposit('fixed', 3000),
      // Fridays cost twice as much.
      withPolicies(
        'svc_moved',
        { payment_timing: 'at_booking' },
        { price_rules: [{ name: 'Friday', days: ['friday'], amount: 15_000 }] },
      ),
      withPolicies('svc_asked', { payment_timing: 'at_booking', confirmation_mode: 'manual' }),
      withPolicies('svc_all', { payment_timing: 'at_booking' }, { waiver: { text: WAIVER }, intake }),
      free('svc_waiver', { waiver: { text: WAIVER, url: 'https://studio.example/waiver' } }),
      free('svc_intake', { intake }),
      free('svc_free', {}),
    ],
    more,
  ),
  hours: [{ days: [...EVERY_DAY], opens: '09:00', closes: '18:00' }],
})

/** The path of a link, as a browser would ask for it. */
export const pathOf = (url: string): string => new URL(url).pathname

// biome-ignore lint/suspicious/noExplicitAny: a test reads what it expects and fails where it is not
type Booking = any

export const continueUrl = ({ actions }: Booking, type: string): string =>
  actions.find((action: { type: string }) => action.type === type).continue_url

/** Where a page of a booking leads to another, such as the one that cancels. */
export const linkIn = (body: string, page: string): string | undefined => {
  const [, path] = new RegExp(`href="(/booking/[^"/]+/${page}/[^"/?]+)"`).exec(body) ?? []
  return path && `https://book.example${path}`
}

/** What a buyer's browser does, without following redirects. */
export const browser = ({ raw }: TestServer) => ({
  open: (url: string, headers: Record<string, string> = {}): Promise<Answer> =>
    raw({ method: 'GET', url: pathOf(url) + new URL(url).search, headers }),
  send: (url: string, form: Record<string, string> = {}, headers: Record<string, string> = {}): Promise<Answer> =>
    raw({
      method: 'POST',
      url: pathOf(url),
      headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
      payload: new URLSearchParams(form).toString(),
    }),
})
