import { expect, test } from 'vitest'
import { freshDatabase } from '../support/database.ts'
import { costs, slowOf } from './measure.ts'

/** Milliseconds of processor time for all of a request, of which no part can be more. */
const LIMIT = 60

test('[no single request stalls the server] every route, header and input, on the largest that is let in', async () => {
  const measured = await costs(new URL('./requests.ts', import.meta.url), { databaseUrl: await freshDatabase() })
  expect(measured.size).toBeGreaterThan(5_000)
  expect(slowOf(measured, LIMIT)).toEqual([])
}, 600_000)
