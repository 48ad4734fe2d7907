import type { Operation } from '../../protocol/define-operation.ts'

const examples: Record<string, unknown> = {
  service_id: 'svc_haircut',
  ids: ['svc_haircut', 'svc_yoga'],
  resource_id: 'staff_jane',
  start_date: '2026-12-01',
  end_date: '2026-12-07',
  slot_id: 'slot_from_queryAvailability',
  buyer: { first_name: 'Alice', last_name: 'Williams', email: 'alice@example.com' },
  notes: 'By the window, please.',
  payment_result: { status: 'paid', transaction_id: 'txn_1', amount_paid: 7500, currency: 'USD' },
  callback_url: 'https://platform.example/usp/events',

  profile_url: 'https://studio.example/.well-known/usp',
  deployment_mode: 'standalone',
  name: 'Sunrise Studio',
  verticals: ['appointment'],
  categories: ['wellness'],
  timezone: 'America/New_York',
  query: 'haircut',

  start: '2026-12-01T10:00:00-05:00',
  end: '2026-12-01T11:00:00-05:00',
  capacity: 8,
  position: 1,
  reason: 'duplicate',
  in_favor_of: 'buyer',
  email: 'alice@example.com',
  since: '2026-12-01T00:00:00Z',
  notify_buyer: false,
  told_id: 'mail_from_listBusinessBookingTold',
  every_weeks: 2,
  times: 6,
  starts: ['2026-12-15T10:00:00-05:00', '2026-12-29T10:00:00-05:00'],
  role: 'staff',
  other_id: 'bob@example.com',
  contact: 'alice@example.com',
  source: 'easyappointments',
  bookings: [
    {
      key: '4711',
      service_id: 'svc_haircut',
      start: '2026-12-01T10:00:00-05:00',
      buyer: { first_name: 'Alice', last_name: 'Williams', email: 'alice@example.com' },
    },
  ],
  definition: '# What getBusinessDefinition gives, changed',
  data: 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  use: 'logo',
  address: 'https://calendar.example/private/basic.ics',
  host: 'smtp.example.com',
  port: 587,
  security: 'starttls',
  sender: 'book@studio.example',
  to: 'owner@studio.example',
  adapter: 'twilio',
  countries: ['US'],
  topics: ['reminder'],
  daily_limit: 100,
  issuer: 'https://accounts.google.com',
  client_id: '1234.apps.googleusercontent.com',
  client_secret: 'the secret of the client',
  provider: 'google',
  domains: ['studio.example'],
  rules: [{ claim: 'hd', value: 'studio.example', role: 'staff' }],
}

/**
 * Optional parameters that the example requests in the documentation contain. Without these parameters, the answers to
 * the example requests would be too general.
 */
const OPTIONAL_EXAMPLES = ['query', 'notes', 'start', 'since', 'role', 'address', 'client_id', 'client_secret']

export function exampleBody({ input: { required = [] } }: Operation, members: string[]): Record<string, unknown> {
  const shown = members.filter((name) => required.includes(name) || OPTIONAL_EXAMPLES.includes(name))
  return Object.fromEntries(shown.map((name) => [name, examples[name]]))
}

/**
 * Returns an example value of a required parameter. Ids and other values that only the server can create have no
 * example.
 */
export const exampleParameter = (name: string, required: boolean): { example?: unknown } =>
  required && name in examples ? { example: examples[name] } : {}
