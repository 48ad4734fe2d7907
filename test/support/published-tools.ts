/** The parameters of every tool in the protocol's specification; a question mark means optional. */
export const published: Record<string, string> = {
  usp_services_list: '_meta? query? filters? context? pagination?',
  usp_services_get: '_meta? service_id',
  usp_services_lookup: '_meta? ids context?',
  usp_services_feed: '_meta? cursor? limit? location_id?',
  usp_services_feed_subscribe: '_meta callback_url categories? events?',
  usp_services_feed_subscription_get: '_meta subscription_id',
  usp_services_feed_subscription_pause: '_meta subscription_id',
  usp_services_feed_subscription_resume: '_meta subscription_id',
  usp_services_feed_unsubscribe: '_meta subscription_id',
  usp_availability_query:
    '_meta? service_id start_date end_date timezone? resource_id? party_size? location_id? locale? cursor? limit?',
  usp_availability_hold: '_meta slot_id service_id spots?',
  usp_availability_release: '_meta hold_id',
  usp_bookings_create:
    '_meta service_id slot_id hold_id? buyer recipient? party_size? resource_id? delivery_address? notes? post_payment_return_request?',
  usp_bookings_get: '_meta booking_id',
  usp_bookings_update: '_meta booking_id buyer? recipient? notes?',
  usp_bookings_confirm: 'booking_id',
  usp_bookings_cancel: '_meta booking_id reason?',
  usp_bookings_reschedule: '_meta booking_id slot_id hold_id?',
  usp_bookings_confirm_payment: '_meta booking_id payment_result',
  usp_waitlist_join: '_meta service_id slot_id? buyer preferred_slots?',
  usp_waitlist_list: '_meta service_id? status? pagination?',
  usp_waitlist_get: '_meta entry_id',
  usp_waitlist_leave: '_meta entry_id',
  usp_waitlist_accept: '_meta entry_id hold_id?',
  usp_waitlist_decline: '_meta entry_id',
  usp_registry_register: '_meta profile_url deployment_mode name description? verticals categories location? timezone',
  usp_registry_update: '_meta id profile_url deployment_mode name description? verticals categories location? timezone',
  usp_registry_get: '_meta? id',
  usp_registry_delete: '_meta id',
  usp_registry_search_business: '_meta? location? verticals? categories? query? deployment_mode? context? pagination?',
  usp_registry_search_services:
    '_meta? location? verticals? categories? query? price_range? duration_range? context? pagination?',
}

/** Whether the tool is in the specification. The other tools are extensions of this server. */
export const isInProtocol = ({ tool }: { tool: string }): boolean => tool in published

/** Whether platforms see the tool. Only the staff see the others. */
export const isForPlatforms = ({ tool }: { tool: string }): boolean => !tool.startsWith('usp_business_')
