import { expect, test } from 'vitest'
import { recountAvailability } from '../../src/domain/registry/indexing/update-next-free-days.ts'
import { list, registry } from '../registry/directory.ts'
import { longestTurn } from '../support/longest-turn.ts'
import { slowness } from '../support/slowness.ts'

/** Milliseconds of processor time; all of them in one turn take twice that. */
const AT_MOST = 60
/** What day it is in a zone that nobody asked about before takes a third of a millisecond to find out. */
const zones = Intl.supportedValuesOf('timeZone').slice(0, 400)

test('[no stored value stalls the server] where businesses are listed in all zones, past days are forgotten by turns', async () => {
  const { db } = (await registry()).runtime
  for (const [nth, timezone] of zones.entries()) await list(db, `reg_${nth}`, { timezone })
  const longest = longestTurn()
  await recountAvailability(db, new Date())
  expect(longest()).toBeLessThan(AT_MOST * slowness())
})
