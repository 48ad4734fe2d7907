import { shape } from '../../protocol/schemas.ts'

const event = (
  name: 'BookingEvent' | 'CatalogEvent' | 'WaitlistEvent',
  operationId: string,
  summary: string,
  where: string,
  gone: string,
) => ({
  post: {
    operationId,
    summary,
    description:
      `Sent to ${where}, signed with a key of the business profile (RFC 9421, RFC 9530). Answer 2xx within ten ` +
      'seconds; after any other answer the server tries again. The same event may arrive twice: compare its ' +
      `event_id. ${gone}`,
    tags: ['Events'],
    security: [],
    requestBody: { required: true, content: { 'application/json': { schema: shape(name) } } },
    responses: { '2XX': { description: 'Received.' }, 410: { description: gone } },
  },
})

const platform = "the `webhook_url` of the platform's profile"
const strangersGone =
  'After 410 the server sends no more events for keys that the profile does not publish, if it publishes others.'

export const webhooks = {
  bookingEvent: event(
    'BookingEvent',
    'usp_booking_webhook',
    'Something happened to a booking',
    platform,
    strangersGone,
  ),
  waitlistEvent: event(
    'WaitlistEvent',
    'usp_waitlist_webhook',
    'Something happened to a waitlist entry',
    platform,
    strangersGone,
  ),
  catalogEvent: event(
    'CatalogEvent',
    'usp_catalog_webhook',
    'A service changed',
    "a feed subscription's `callback_url`",
    'After 410 the subscription is canceled.',
  ),
}
