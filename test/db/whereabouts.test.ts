import { expect, test } from 'vitest'
import { HostLocator } from '../../src/infra/db/find-database-host.ts'
import { hostsOf } from '../../src/infra/net/parse-database-url.ts'
import { freshDatabase } from '../support/database.ts'
import { openUnresponsivePostgres } from '../support/unresponsive-postgres.ts'

test('[a primary is lost] whoever asks while it is looked for, and nobody answers, is told within a second', async () => {
  const silence = await openUnresponsivePostgres(await freshDatabase())
  const whereabouts = new HostLocator(hostsOf(silence.url))
  silence.begin('all')
  whereabouts.markLost()
  const asked = Array.from({ length: 3 }, async () => {
    const began = performance.now()
    await expect(whereabouts.waitUntilKnown()).rejects.toThrow('The database has not been found yet.')
    return performance.now() - began
  })
  for (const took of await Promise.all(asked)) expect(took).toBeLessThan(1_000)
})

test('[one connection is lost] a pooler that lets in and then says nothing may be busy: nobody is turned away for that', async () => {
  const busy = await openUnresponsivePostgres(await freshDatabase(), { after: 'the welcome' })
  const whereabouts = new HostLocator(hostsOf(busy.url))
  whereabouts.markLost()
  await whereabouts.waitUntilKnown()
  expect(whereabouts.isKnown).toBe(true)
})
