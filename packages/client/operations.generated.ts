// Generated from the operations by `npm run generate`. Do not edit.
import type * as types from '../../src/protocol/types.generated.ts'
import { open, read, write } from './operation-routes.ts'

/** Every operation that the client has a method for: all but those of the staff. */
export const operations = {
  listServices: open<types.ListServices>('POST /services/list', 'usp_services_list'),
  getService: open<types.GetService>('GET /services/{service_id}', 'usp_services_get'),
  lookupServices: open<types.LookupServices>('POST /services/lookup', 'usp_services_lookup'),
  getServiceFeed: open<types.GetServiceFeed>('GET /services/feed', 'usp_services_feed'),
  createFeedSubscription: write<types.CreateFeedSubscription>('POST /services/feed/subscriptions', 'usp_services_feed_subscribe'),
  getFeedSubscription: read<types.GetFeedSubscription>('GET /services/feed/subscriptions/{subscription_id}', 'usp_services_feed_subscription_get'),
  pauseFeedSubscription: write<types.PauseFeedSubscription>('POST /services/feed/subscriptions/{subscription_id}/pause', 'usp_services_feed_subscription_pause'),
  resumeFeedSubscription: write<types.ResumeFeedSubscription>('POST /services/feed/subscriptions/{subscription_id}/resume', 'usp_services_feed_subscription_resume'),
  cancelFeedSubscription: write<types.CancelFeedSubscription>('DELETE /services/feed/subscriptions/{subscription_id}', 'usp_services_feed_unsubscribe'),
  queryAvailability: open<types.QueryAvailability>('POST /availability/query', 'usp_availability_query'),
  explainAvailability: open<types.ExplainAvailability>('POST /availability/explain', 'usp_availability_explain'),
  holdSlot: write<types.HoldSlot>('POST /availability/holds', 'usp_availability_hold'),
  releaseHold: write<types.ReleaseHold>('DELETE /availability/holds/{hold_id}', 'usp_availability_release', 'hold_id'),
  createBooking: write<types.CreateBooking>('POST /bookings', 'usp_bookings_create'),
  getBooking: read<types.GetBooking>('GET /bookings/{booking_id}', 'usp_bookings_get', 'booking_id'),
  updateBooking: write<types.UpdateBooking>('PUT /bookings/{booking_id}', 'usp_bookings_update', 'booking_id'),
  cancelBooking: write<types.CancelBooking>('POST /bookings/{booking_id}/cancel', 'usp_bookings_cancel', 'booking_id'),
  rescheduleBooking: write<types.RescheduleBooking>('POST /bookings/{booking_id}/reschedule', 'usp_bookings_reschedule', 'booking_id'),
  confirmPayment: write<types.ConfirmPayment>('POST /bookings/{booking_id}/confirm-payment', 'usp_bookings_confirm_payment', 'booking_id'),
  joinWaitlist: write<types.JoinWaitlist>('POST /waitlist', 'usp_waitlist_join'),
  listWaitlistEntries: read<types.ListWaitlistEntries>('POST /waitlist/list', 'usp_waitlist_list'),
  getWaitlistEntry: read<types.GetWaitlistEntry>('GET /waitlist/{entry_id}', 'usp_waitlist_get', 'entry_id'),
  leaveWaitlist: write<types.LeaveWaitlist>('DELETE /waitlist/{entry_id}', 'usp_waitlist_leave', 'entry_id'),
  acceptOffer: write<types.AcceptOffer>('POST /waitlist/{entry_id}/accept', 'usp_waitlist_accept', 'entry_id'),
  declineOffer: write<types.DeclineOffer>('POST /waitlist/{entry_id}/decline', 'usp_waitlist_decline', 'entry_id'),
  registerBusiness: write<types.RegisterBusiness>('POST /registry/businesses', 'usp_registry_register'),
  getRegistration: open<types.GetRegistration>('GET /registry/businesses/{id}', 'usp_registry_get'),
  updateRegistration: write<types.UpdateRegistration>('PUT /registry/businesses/{id}', 'usp_registry_update'),
  deleteRegistration: write<types.DeleteRegistration>('DELETE /registry/businesses/{id}', 'usp_registry_delete'),
  searchBusinesses: open<types.SearchBusinesses>('POST /registry/search_business', 'usp_registry_search_business'),
  searchServices: open<types.SearchServices>('POST /registry/search_services', 'usp_registry_search_services'),
}
