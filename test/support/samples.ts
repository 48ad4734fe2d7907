const buyer = { first_name: 'Alice', last_name: 'Williams', email: 'alice@example.com' }
const booking_id = 'bkg_none'
const subscription_id = 'sub_none'
const entry_id = 'wle_none'
const id = 'reg_none'
const listing = {
  profile_url: 'https://127.0.0.1:9443/.well-known/usp',
  deployment_mode: 'standalone',
  name: 'Sunrise Studio',
  verticals: ['appointment'],
  categories: ['wellness'],
  location: { address: '1 Main St', coordinates: { lat: 40.7484, lng: -73.9967 } },
  timezone: 'America/New_York',
}

/** A well-formed call of each operation, by its id. What it names need not exist; a test puts its own in place. */
export const samples: Record<string, Record<string, unknown>> = {
  listServices: {},
  getService: { service_id: 'svc_a' },
  lookupServices: { ids: ['svc_a'] },
  getServiceFeed: {},
  createFeedSubscription: { callback_url: 'https://127.0.0.1:9443/hook' },
  getFeedSubscription: { subscription_id },
  pauseFeedSubscription: { subscription_id },
  resumeFeedSubscription: { subscription_id },
  cancelFeedSubscription: { subscription_id },

  queryAvailability: { service_id: 'svc_a', start_date: '2026-11-24', end_date: '2026-11-30' },
  holdSlot: { service_id: 'svc_a', slot_id: 'none' },
  releaseHold: { hold_id: 'hold_none' },

  createBooking: { service_id: 'svc_a', slot_id: 'none', buyer },
  getBooking: { booking_id },
  updateBooking: { booking_id, notes: 'By the window, please.' },
  confirmBooking: { booking_id },
  cancelBooking: { booking_id },
  rescheduleBooking: { booking_id, slot_id: 'none' },
  confirmPayment: {
    booking_id,
    payment_result: { status: 'paid', transaction_id: 'txn_1', amount_paid: 100, currency: 'USD' },
  },

  joinWaitlist: { service_id: 'svc_a', buyer },
  listWaitlistEntries: {},
  getWaitlistEntry: { entry_id },
  leaveWaitlist: { entry_id },
  acceptOffer: { entry_id },
  declineOffer: { entry_id },

  registerBusiness: listing,
  getRegistration: { id },
  updateRegistration: { id, ...listing },
  deleteRegistration: { id },
  searchBusinesses: { query: 'massage' },
  searchServices: { query: 'massage' },

  listDeliveries: {},
  getDelivery: { delivery_id: 'dlv_none' },
  replayDeliveries: { since: '2026-11-20T00:00:00Z' },

  createCalendar: {},
  listCalendars: {},
  revokeCalendar: { calendar_id: 'cal_none' },

  listBusinessBookings: {},
  getBusinessBooking: { booking_id },
  listBusinessBookingChanges: { booking_id },
  getResourceDay: { resource_id: 'staff_a' },
  listSessions: { start_date: '2026-11-24', end_date: '2026-11-30' },
  createBusinessBooking: { service_id: 'svc_a', slot_id: 'none', buyer },
  declineBooking: { booking_id },
  startBooking: { booking_id },
  adjustBooking: { booking_id, end: '2026-11-24T16:00:00Z' },
  completeBooking: { booking_id },
  markNoShow: { booking_id },
  cancelBusinessBooking: { booking_id },
  rescheduleBusinessBooking: { booking_id, slot_id: 'none' },
  markBookingPaid: { booking_id },
  blockTime: { resource_id: 'staff_a', start: '2026-11-24T15:00:00Z', end: '2026-11-24T16:00:00Z' },
  unblockTime: { block_id: 'blk_none' },
  cancelSession: { session_id: 'ses_none' },
  resizeSession: { session_id: 'ses_none', capacity: 5 },
  listBusinessWaitlist: {},
  getBusinessWaitlistEntry: { entry_id },
  moveWaitlistEntry: { entry_id, position: 1 },
  offerWaitlistPlace: { entry_id, slot_id: 'none' },
  removeWaitlistEntry: { entry_id },
  refundBooking: { booking_id },
  openDispute: { booking_id, reason: 'duplicate' },
  reviewDispute: { booking_id },
  resolveDispute: { booking_id, in_favor_of: 'buyer' },
  eraseBooking: { booking_id },
  eraseBuyer: { email: 'nobody@example.com' },
}

export function sampleOf({ id }: { id: string }): Record<string, unknown> {
  const sample = samples[id]
  if (!sample) throw new Error(`test/support/samples.ts needs a well-formed call of ${id}`)
  return sample
}
