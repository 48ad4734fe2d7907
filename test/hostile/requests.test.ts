import { expect, test } from 'vitest'
import { freshDatabase } from '../support/database.ts'
import { slowOf } from './measure.ts'

/** Milliseconds of processor time for all of a request, of which no part can be more. */
const LIMIT = 60

/** A prime, so that neither a route nor a piece is left out: requests.long.test.ts sends all of them. */
const ONE_OF = 7

test('[no single request stalls the server] some of every route, header and input, on the largest that is let in', async () => {
  const given = { databaseUrl: await freshDatabase(), oneOf: ONE_OF }
  const { measured, slow } = await slowOf(new URL('./requests.ts', import.meta.url), { given, limit: LIMIT })
  expect(measured).toBeGreaterThan(5_000 / ONE_OF)
  expect(slow).toEqual([])
}, 600_000)
