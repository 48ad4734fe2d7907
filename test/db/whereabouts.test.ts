import { expect, test } from 'vitest'
import { Whereabouts } from '../../src/infra/db/whereabouts.ts'
import { hostsOf } from '../../src/infra/net/database-hosts.ts'
import { freshDatabase } from '../support/database.ts'
import { openSilence } from '../support/silence.ts'

test('[a primary is lost] whoever asks while it is looked for, and nobody answers, is told within a second', async () => {
  const silence = await openSilence(await freshDatabase())
  const whereabouts = new Whereabouts(hostsOf(silence.url))
  silence.begin('all')
  whereabouts.lose()
  const asked = Array.from({ length: 3 }, async () => {
    const began = performance.now()
    await expect(whereabouts.known()).rejects.toThrow('The database has not been found yet.')
    return performance.now() - began
  })
  for (const took of await Promise.all(asked)) expect(took).toBeLessThan(1_000)
})

test('[one connection is lost] a pooler that lets in and then says nothing may be busy: nobody is turned away for that', async () => {
  const busy = await openSilence(await freshDatabase(), { after: 'the welcome' })
  const whereabouts = new Whereabouts(hostsOf(busy.url))
  whereabouts.lose()
  await whereabouts.known()
  expect(whereabouts.isKnown).toBe(true)
})
