import type { Members } from '../../caller/answer.ts'
import { type OperationName, operations } from '../../caller/operations.ts'
import type { Target } from '../../target/target.ts'

const buyer = { first_name: 'Conformance', last_name: 'Check', email: 'check@conformance.example' }
const slot = { service_id: 'service_of_nobody', slot_id: 'slot_of_nobody' }
const booking = { booking_id: 'booking_of_nobody' }
const entry = { entry_id: 'entry_of_nobody' }
const subscription = { subscription_id: 'subscription_of_nobody' }
const registration = {
  profile_url: 'https://business.example/.well-known/usp',
  deployment_mode: 'standalone',
  name: 'Conformance',
  verticals: ['appointment'],
  categories: ['conformance'],
  timezone: 'UTC',
}

/** Complete inputs of all operations. The ids in these inputs do not exist. */
export const sampleInputs: Record<OperationName, Members> = {
  listServices: {},
  getService: { service_id: slot.service_id },
  lookupServices: { ids: [slot.service_id] },
  readFeed: {},
  subscribe: { callback_url: 'https://platform.invalid/feed' },
  getSubscription: subscription,
  pauseSubscription: subscription,
  resumeSubscription: subscription,
  unsubscribe: subscription,
  queryAvailability: { service_id: slot.service_id, start_date: '2030-01-07', end_date: '2030-01-08' },
  hold: slot,
  release: { hold_id: 'hold_of_nobody' },
  book: { ...slot, buyer },
  getBooking: booking,
  updateBooking: { ...booking, notes: 'Conformance' },
  cancelBooking: booking,
  reschedule: { ...booking, slot_id: slot.slot_id },
  confirmBooking: booking,
  confirmPayment: {
    ...booking,
    payment_result: { status: 'paid', transaction_id: 'conformance', amount_paid: 1, currency: 'USD' },
  },
  joinWaitlist: { service_id: slot.service_id, buyer },
  listWaitlist: {},
  getEntry: entry,
  leaveWaitlist: entry,
  acceptOffer: entry,
  declineOffer: entry,
  register: registration,
  getRegistration: { id: 'registration_of_nobody' },
  updateRegistration: { id: 'registration_of_nobody', ...registration },
  deleteRegistration: { id: 'registration_of_nobody' },
  searchBusinesses: {},
  searchServices: {},
}

const CAPABILITIES: Record<string, OperationName[]> = {
  'services.catalog': ['listServices', 'getService', 'lookupServices', 'readFeed'],
  'services.catalog.subscriptions': [
    'subscribe',
    'getSubscription',
    'pauseSubscription',
    'resumeSubscription',
    'unsubscribe',
  ],
  'services.availability': ['queryAvailability', 'hold', 'release'],
  'services.waitlist': ['joinWaitlist', 'listWaitlist', 'getEntry', 'leaveWaitlist', 'acceptOffer', 'declineOffer'],
  'discovery.registry': [
    'register',
    'getRegistration',
    'updateRegistration',
    'deleteRegistration',
    'searchBusinesses',
    'searchServices',
  ],
}

/** Whether platforms may call the operation. Only the staff of the business confirm bookings. */
export const isForPlatforms = (name: OperationName): boolean => name !== 'confirmBooking'

/** Whether a platform must name its profile in a call of this operation. */
export const needsPlatform = (name: OperationName): boolean =>
  operations[name].access !== 'public' && isForPlatforms(name)

/** Returns the operations of the capabilities that the business offers. */
export function offeredOperations(target: Target): OperationName[] {
  const names = Object.keys(operations) as OperationName[]
  return names.filter((name) => {
    const isHold = name === 'hold' || name === 'release'
    const capability = target.capability(capabilityOf(name))
    return capability && (!isHold || capability.holds === true)
  })
}

/** Returns the capability of an operation, such as `services.bookings`. */
const capabilityOf = (name: OperationName): string =>
  Object.entries(CAPABILITIES).find(([, names]) => names.includes(name))?.[0] ?? 'services.bookings'
