import { expect, test } from 'vitest'
import { openapi } from '../../src/bindings/openapi.ts'
import { operations } from '../../src/operations.ts'

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
