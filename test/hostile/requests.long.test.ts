import { expect, test } from 'vitest'
import { freshDatabase } from '../support/database.ts'
import { slowOf } from './measure.ts'

/** Milliseconds of processor time for all of a request, of which no part can be more. */
const LIMIT = 60

test('[no single request stalls the server] every route, header and input, on the largest that is let in', async () => {
  const given = { databaseUrl: await freshDatabase() }
  const { measured, slow } = await slowOf(new URL('./requests.ts', import.meta.url), { given, limit: LIMIT })
  expect(measured).toBeGreaterThan(5_000)
  expect(slow).toEqual([])
}, 600_000)
