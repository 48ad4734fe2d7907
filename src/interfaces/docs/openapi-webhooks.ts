import { shape } from '../../protocol/json-schemas.ts'

interface Webhook {
  schema: 'BookingEvent' | 'CatalogEvent' | 'WaitlistEvent'
  operationId: string
  summary: string
  /** A part of a sentence in the documentation. This part names the receiver of the event. */
  target: string
  /** A sentence in the documentation that says what the server does if the receiver answers with status 410 (gone). */
  whenGone: string
}

const event = ({ schema, operationId, summary, target, whenGone }: Webhook) => ({
  post: {
    operationId,
    summary,
    description:
      `Sent to ${target}, signed with a key of the business profile (RFC 9421, RFC 9530). Answer 2xx within ten ` +
      'seconds; after any other answer the server tries again. The same event may arrive twice: compare its ' +
      `event_id. ${whenGone}`,
    tags: ['Events'],
    security: [],
    requestBody: { required: true, content: { 'application/json': { schema: shape(schema) } } },
    responses: { '2XX': { description: 'Received.' }, 410: { description: whenGone } },
  },
})

const platform = "the `webhook_url` of the platform's profile"
const strangersGone =
  'After 410 the server sends no more events for keys that the profile does not publish, if it publishes others.'

export const webhooks = {
  bookingEvent: event({
    schema: 'BookingEvent',
    operationId: 'usp_booking_webhook',
    summary: 'Something happened to a booking',
    target: platform,
    whenGone: strangersGone,
  }),
  waitlistEvent: event({
    schema: 'WaitlistEvent',
    operationId: 'usp_waitlist_webhook',
    summary: 'Something happened to a waitlist entry',
    target: platform,
    whenGone: strangersGone,
  }),
  catalogEvent: event({
    schema: 'CatalogEvent',
    operationId: 'usp_catalog_webhook',
    summary: 'A service changed',
    target: "a feed subscription's `callback_url`",
    whenGone: 'After 410 the subscription is canceled.',
  }),
}
