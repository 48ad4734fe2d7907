import { shape } from '../protocol/schemas.ts'

const event = (
  name: 'BookingEvent' | 'CatalogEvent' | 'WaitlistEvent',
  operationId: string,
  told: string,
  where: string,
) => ({
  post: {
    operationId,
    summary: told,
    description:
      `Sent to ${where}, signed with a key of the business profile (RFC 9421, RFC 9530). Answer 2xx within ten seconds; ` +
      'anything else is tried again. The same event may come twice: its event_id tells.',
    tags: ['Events'],
    security: [],
    requestBody: { required: true, content: { 'application/json': { schema: shape(name) } } },
    responses: { '2XX': { description: 'Received.' } },
  },
})

const platform = "the `webhook_url` of the platform's profile"

/** What this server sends, as against what it serves. */
export const webhooks = {
  bookingEvent: event('BookingEvent', 'usp_booking_webhook', 'Something happened to a booking', platform),
  waitlistEvent: event('WaitlistEvent', 'usp_waitlist_webhook', 'Something happened to a waitlist entry', platform),
  catalogEvent: event(
    'CatalogEvent',
    'usp_catalog_webhook',
    'A service changed',
    "a feed subscription's `callback_url`",
  ),
}
