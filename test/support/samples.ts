import { type Operation, restRouteOf } from '../../src/protocol/define-operation.ts'

/** Sample values by member name. The named resources need not exist; a test replaces the ids. */
const members: Record<string, unknown> = {
  service_id: 'svc_a',
  ids: ['svc_a'],
  resource_id: 'staff_a',
  start_date: '2026-11-24',
  end_date: '2026-11-30',
  start: '2026-11-24T15:00:00Z',
  end: '2026-11-24T16:00:00Z',
  buyer: { first_name: 'Alice', last_name: 'Williams', email: 'alice@example.com' },
  payment_result: { status: 'paid', transaction_id: 'txn_1', amount_paid: 100, currency: 'USD' },
  callback_url: 'https://127.0.0.1:9443/hook',
  capacity: 5,
  every_weeks: 2,
  times: 3,
  starts: ['2026-12-01T15:00:00Z'],
  position: 1,
  contact: 'alice@example.com',
  reason: 'duplicate',
  in_favor_of: 'buyer',
  email: 'nobody@example.com',
  role: 'viewer',
  source: 'elsewhere',
  bookings: [{ key: '1', service_id: 'svc_a', start: '2026-11-24T15:00:00Z', buyer: { first_name: 'Alice' } }],
  notify_buyer: false,
  host: '127.0.0.1',
  port: 587,
  security: 'starttls',
  sender: 'salon@example.com',
  adapter: 'http',
  countries: ['US'],
  topics: ['reminder'],
  daily_limit: 100,
  to: 'owner@example.com',
  profile_url: 'https://127.0.0.1:9443/.well-known/usp',
  deployment_mode: 'standalone',
  name: 'Sunrise Studio',
  verticals: ['appointment'],
  categories: ['wellness'],
  location: { address: '1 Main St', coordinates: { lat: 40.7484, lng: -73.9967 } },
  timezone: 'America/New_York',
  // A PNG file of one pixel.
  data: 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  use: 'logo',
  issuer: 'https://127.0.0.1:9443/id',
  client_id: 'desk',
  provider: 'google',
  domains: ['example.com'],
  rules: [{ claim: 'groups', value: 'salon', role: 'staff' }],
  definition:
    '{ business: { id: biz_a, name: Sunrise Studio, timezone: America/New_York, currency: USD }, services: [] }',
}

const { location } = members
/** Optional members that make a call useful. */
const optionalMembers: Record<string, Record<string, unknown>> = {
  createBusinessBooking: { slot_id: 'slot_none' },
  rescheduleBusinessBooking: { slot_id: 'slot_none' },
  registerBusiness: { location },
  updateRegistration: { location },
  updateBooking: { notes: 'By the window, please.' },
  changeStaff: { role: members.role },
  noteCustomer: { note: 'Allergic to nuts.' },
  correctBusinessBooking: { notes: 'By the window, please.' },
  adjustBooking: { end: members.end },
  listAffectedBookings: { resource_id: members.resource_id },
  clearTime: { resource_id: members.resource_id },
  applyBusinessDefinition: { dry_run: true },
  searchBusinesses: { query: 'massage' },
  searchServices: { query: 'massage' },
  connectCalendar: { address: 'https://127.0.0.1:9443/calendar.ics' },
  setCompanySignIn: { client_secret: 'a secret' },
  setTextProvider: { url: 'https://127.0.0.1:9443/texts', secret: 'a secret' },
  replayDeliveries: { since: '2026-11-20T00:00:00Z' },
}

/** A valid call of an operation, with its path parameters and required members. */
export function sampleOf(operation: Operation): Record<string, unknown> {
  const names = new Set([...restRouteOf(operation).parameters, ...(operation.input.required ?? [])])
  return { ...Object.fromEntries([...names].map((name) => [name, exampleOf(name)])), ...optionalMembers[operation.id] }
}

const exampleOf = (name: string): unknown => {
  if (name in members) return members[name]
  if (name === 'id' || name.endsWith('_id')) return `${name.replace(/_?id$/, '') || 'reg'}_none`
  throw new Error(`test/support/samples.ts needs to know what ${name} may be`)
}
