import { expect, test } from 'vitest'
import { openapi } from '../../src/interfaces/docs/openapi.ts'
import { openrpc } from '../../src/interfaces/docs/openrpc.ts'
import { operations } from '../../src/server/all-operations.ts'

const document = JSON.parse(JSON.stringify(openapi(operations)))

test.each([
  ['bookingEvent', 'BookingEvent'],
  ['waitlistEvent', 'WaitlistEvent'],
  ['catalogEvent', 'CatalogEvent'],
])('the description lists %s with the published shape', (name, shape) => {
  const { schema } = document.webhooks[name].post.requestBody.content['application/json']
  expect(schema).toEqual({ $ref: `#/components/schemas/${shape}` })
  expect(document.components.schemas[shape].required).toContain('event_id')
})

test('[410 ends it] the description says what else a receiver can answer, and what that ends', () => {
  const gone = (name: string) => document.webhooks[name].post.responses[410].description
  expect(gone('catalogEvent')).toBe('After 410 the subscription is canceled.')
  for (const name of ['bookingEvent', 'waitlistEvent']) expect(gone(name)).toContain('does not publish')
})

test.each(['Booking', 'Catalog', 'Waitlist'])('the tools name the notification about a %s', (about) => {
  const { schemas } = JSON.parse(JSON.stringify(openrpc(operations))).components
  expect(schemas[`${about}WebhookEvent`]).toEqual({ $ref: `#/components/schemas/${about}Event` })
  expect(schemas[`${about}Event`].required).toEqual(expect.arrayContaining(['event', 'event_id', 'timestamp']))
})
