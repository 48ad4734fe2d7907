import type {
  AcceptOffer,
  CancelBooking,
  CancelFeedSubscription,
  ConfirmPayment,
  CreateBooking,
  CreateFeedSubscription,
  DeclineOffer,
  DeleteRegistration,
  GetBooking,
  GetFeedSubscription,
  GetRegistration,
  GetService,
  GetServiceFeed,
  GetWaitlistEntry,
  HoldSlot,
  JoinWaitlist,
  LeaveWaitlist,
  ListServices,
  ListWaitlistEntries,
  LookupServices,
  PauseFeedSubscription,
  QueryAvailability,
  RegisterBusiness,
  ReleaseHold,
  RescheduleBooking,
  ResumeFeedSubscription,
  SearchBusinesses,
  SearchServices,
  UpdateBooking,
  UpdateRegistration,
} from '../protocol/types.generated.ts'

export interface Exchange {
  input: object
  output: object
}

/** Where an operation is reached on either binding, and what it asks of the caller. */
export interface Route<T extends Exchange = Exchange> {
  rest: string
  tool: string
  /** A public operation asks for no proof; a write is sent under an idempotency key. */
  access: 'public' | 'read' | 'write'
  /** The member of the input that names the one thing the call is about, where a credential may exist for it. */
  resource: string | undefined
  /** Never there: it tells the compiler what goes in and what comes out. */
  exchange?: T
}

const route =
  (access: Route['access']) =>
  <T extends Exchange>(rest: string, tool: string, resource?: string): Route<T> => ({ rest, tool, access, resource })

export const open = route('public')
export const read = route('read')
export const write = route('write')

const SUBSCRIPTIONS = '/services/feed/subscriptions'
const ONE = `${SUBSCRIPTIONS}/{subscription_id}`
const BOOKING = '/bookings/{booking_id}'
const ENTRY = '/waitlist/{entry_id}'
const LISTING = '/registry/businesses/{id}'

/** Every operation that the client has a method for. */
export const operations = {
  listServices: open<ListServices>('POST /services/list', 'usp_services_list'),
  getService: open<GetService>('GET /services/{service_id}', 'usp_services_get'),
  lookupServices: open<LookupServices>('POST /services/lookup', 'usp_services_lookup'),
  getServiceFeed: open<GetServiceFeed>('GET /services/feed', 'usp_services_feed'),
  createFeedSubscription: write<CreateFeedSubscription>(`POST ${SUBSCRIPTIONS}`, 'usp_services_feed_subscribe'),
  getFeedSubscription: read<GetFeedSubscription>(`GET ${ONE}`, 'usp_services_feed_subscription_get'),
  pauseFeedSubscription: write<PauseFeedSubscription>(`POST ${ONE}/pause`, 'usp_services_feed_subscription_pause'),
  resumeFeedSubscription: write<ResumeFeedSubscription>(`POST ${ONE}/resume`, 'usp_services_feed_subscription_resume'),
  cancelFeedSubscription: write<CancelFeedSubscription>(`DELETE ${ONE}`, 'usp_services_feed_unsubscribe'),
  queryAvailability: open<QueryAvailability>('POST /availability/query', 'usp_availability_query'),
  holdSlot: write<HoldSlot>('POST /availability/holds', 'usp_availability_hold'),
  releaseHold: write<ReleaseHold>('DELETE /availability/holds/{hold_id}', 'usp_availability_release', 'hold_id'),
  createBooking: write<CreateBooking>('POST /bookings', 'usp_bookings_create'),
  getBooking: read<GetBooking>(`GET ${BOOKING}`, 'usp_bookings_get', 'booking_id'),
  updateBooking: write<UpdateBooking>(`PUT ${BOOKING}`, 'usp_bookings_update', 'booking_id'),
  cancelBooking: write<CancelBooking>(`POST ${BOOKING}/cancel`, 'usp_bookings_cancel', 'booking_id'),
  rescheduleBooking: write<RescheduleBooking>(`POST ${BOOKING}/reschedule`, 'usp_bookings_reschedule', 'booking_id'),
  confirmPayment: write<ConfirmPayment>(
    `POST ${BOOKING}/confirm-payment`,
    'usp_bookings_confirm_payment',
    'booking_id',
  ),
  joinWaitlist: write<JoinWaitlist>('POST /waitlist', 'usp_waitlist_join'),
  listWaitlistEntries: read<ListWaitlistEntries>('POST /waitlist/list', 'usp_waitlist_list'),
  getWaitlistEntry: read<GetWaitlistEntry>(`GET ${ENTRY}`, 'usp_waitlist_get', 'entry_id'),
  leaveWaitlist: write<LeaveWaitlist>(`DELETE ${ENTRY}`, 'usp_waitlist_leave', 'entry_id'),
  acceptOffer: write<AcceptOffer>(`POST ${ENTRY}/accept`, 'usp_waitlist_accept', 'entry_id'),
  declineOffer: write<DeclineOffer>(`POST ${ENTRY}/decline`, 'usp_waitlist_decline', 'entry_id'),
  registerBusiness: write<RegisterBusiness>('POST /registry/businesses', 'usp_registry_register'),
  getRegistration: open<GetRegistration>(`GET ${LISTING}`, 'usp_registry_get'),
  updateRegistration: write<UpdateRegistration>(`PUT ${LISTING}`, 'usp_registry_update'),
  deleteRegistration: write<DeleteRegistration>(`DELETE ${LISTING}`, 'usp_registry_delete'),
  searchBusinesses: open<SearchBusinesses>('POST /registry/search_business', 'usp_registry_search_business'),
  searchServices: open<SearchServices>('POST /registry/search_services', 'usp_registry_search_services'),
}
