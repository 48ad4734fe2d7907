import { expect, test } from 'vitest'
import { oneOf } from '../support/case-sampling.ts'
import { freshDatabase } from '../support/database.ts'
import { slowOf } from './measure.ts'

/** Milliseconds of processor time for all of a request, of which no part can be more. */
const LIMIT = 60

test('[no single request stalls the server] every route, header and input, on the largest that is let in', async () => {
  const given = { databaseUrl: await freshDatabase() }
  const how = { given, limit: LIMIT, oneOf: oneOf() }
  const { measured, slow } = await slowOf(new URL('./requests.ts', import.meta.url), how)
  expect(measured).toBeGreaterThan(5_000 / oneOf())
  expect(slow).toEqual([])
}, 600_000)

test('[no single request stalls the server] every route and tool of the checkout of UCP, on the largest that is let in', async () => {
  const given = { databaseUrl: await freshDatabase(), hasCheckout: true }
  const how = { given, limit: LIMIT, oneOf: oneOf() }
  const { measured, slow } = await slowOf(new URL('./requests.ts', import.meta.url), how)
  expect(measured).toBeGreaterThan(200 / oneOf())
  expect(slow).toEqual([])
}, 600_000)
