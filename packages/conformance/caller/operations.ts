export interface Operation {
  /** The HTTP method and the path under the REST endpoint. */
  rest: string
  /** The name of the MCP tool. */
  tool: string
  /** `public` needs no proof of identity. `read` and `write` need a proof. `write` also needs an idempotency key. */
  access: 'public' | 'read' | 'write'
}

const operation = (access: Operation['access'], rest: string, tool: string): Operation => ({ rest, tool, access })

/** The operations of the protocol, with the paths and tool names of the specification. */
export const operations = {
  listServices: operation('public', 'POST /services/list', 'usp_services_list'),
  getService: operation('public', 'GET /services/{service_id}', 'usp_services_get'),
  lookupServices: operation('public', 'POST /services/lookup', 'usp_services_lookup'),
  readFeed: operation('public', 'GET /services/feed', 'usp_services_feed'),
  subscribe: operation('write', 'POST /services/feed/subscriptions', 'usp_services_feed_subscribe'),
  getSubscription: operation(
    'read',
    'GET /services/feed/subscriptions/{subscription_id}',
    'usp_services_feed_subscription_get',
  ),
  pauseSubscription: operation(
    'write',
    'POST /services/feed/subscriptions/{subscription_id}/pause',
    'usp_services_feed_subscription_pause',
  ),
  resumeSubscription: operation(
    'write',
    'POST /services/feed/subscriptions/{subscription_id}/resume',
    'usp_services_feed_subscription_resume',
  ),
  unsubscribe: operation(
    'write',
    'DELETE /services/feed/subscriptions/{subscription_id}',
    'usp_services_feed_unsubscribe',
  ),
  queryAvailability: operation('public', 'POST /availability/query', 'usp_availability_query'),
  hold: operation('write', 'POST /availability/holds', 'usp_availability_hold'),
  release: operation('write', 'DELETE /availability/holds/{hold_id}', 'usp_availability_release'),
  book: operation('write', 'POST /bookings', 'usp_bookings_create'),
  getBooking: operation('read', 'GET /bookings/{booking_id}', 'usp_bookings_get'),
  updateBooking: operation('write', 'PUT /bookings/{booking_id}', 'usp_bookings_update'),
  cancelBooking: operation('write', 'POST /bookings/{booking_id}/cancel', 'usp_bookings_cancel'),
  reschedule: operation('write', 'POST /bookings/{booking_id}/reschedule', 'usp_bookings_reschedule'),
  confirmBooking: operation('write', 'POST /bookings/{booking_id}/confirm', 'usp_bookings_confirm'),
  confirmPayment: operation('write', 'POST /bookings/{booking_id}/confirm-payment', 'usp_bookings_confirm_payment'),
  joinWaitlist: operation('write', 'POST /waitlist', 'usp_waitlist_join'),
  listWaitlist: operation('read', 'POST /waitlist/list', 'usp_waitlist_list'),
  getEntry: operation('read', 'GET /waitlist/{entry_id}', 'usp_waitlist_get'),
  leaveWaitlist: operation('write', 'DELETE /waitlist/{entry_id}', 'usp_waitlist_leave'),
  acceptOffer: operation('write', 'POST /waitlist/{entry_id}/accept', 'usp_waitlist_accept'),
  declineOffer: operation('write', 'POST /waitlist/{entry_id}/decline', 'usp_waitlist_decline'),
  register: operation('write', 'POST /registry/businesses', 'usp_registry_register'),
  getRegistration: operation('public', 'GET /registry/businesses/{id}', 'usp_registry_get'),
  updateRegistration: operation('write', 'PUT /registry/businesses/{id}', 'usp_registry_update'),
  deleteRegistration: operation('write', 'DELETE /registry/businesses/{id}', 'usp_registry_delete'),
  searchBusinesses: operation('public', 'POST /registry/search_business', 'usp_registry_search_business'),
  searchServices: operation('public', 'POST /registry/search_services', 'usp_registry_search_services'),
}

export type OperationName = keyof typeof operations
