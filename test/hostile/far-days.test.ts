import { expect, test } from 'vitest'
import { deskSalon } from '../interfaces/desk/receptionist.ts'
import { businessWith, service } from '../support/definitions.ts'
import { buyer } from '../support/desk.ts'
import { longestTurn } from '../support/longest-turn.ts'
import { slowness } from '../support/slowness.ts'

/** Milliseconds of processor time. When clocks change takes several times that to find out for each of these years. */
const AT_MOST = { join: 10, look: 60 }
const ENTRIES = 20
const WINDOWS = 100

const salon = await deskSalon(
  {},
  businessWith([
    service('svc_yoga', {
      type: 'group',
      capacity: { max: 1, waitlist: true },
      sessions: [{ days: ['tuesday'], starts: '16:00' }],
    }),
  ]),
)

/** Each time in years of its own, none of which any other names. */
const timesOf = (entry: number) =>
  Array.from({ length: WINDOWS }, (_, nth) => {
    const year = 2030 + 2 * (WINDOWS * entry + nth)
    return { start_date: `${year}-03-01`, end_date: `${year + 1}-03-01` }
  })

test('[no single request stalls the server] somebody waits for days of two hundred years', async () => {
  const turns: number[] = []
  for (let entry = 0; entry < ENTRIES; entry++) {
    const longest = longestTurn()
    const { data } = await salon.platform.call('usp_waitlist_join', {
      service_id: 'svc_yoga',
      preferred_slots: timesOf(entry),
      buyer: { ...buyer, email: `${entry}@example.com` },
    })
    turns.push(longest())

    expect(data.entry.status).toBe('waiting')
  }
  expect(Math.min(...turns)).toBeLessThan(AT_MOST.join * slowness())
})

test('[no stored value stalls the server] the staff look at all of them', async () => {
  const viewer = await salon.signedIn('viewer')
  const longest = longestTurn()
  const { status, body } = await viewer.open('/desk/waitlist')
  const turn = longest()
  expect([status, body.match(/March 1, \d{4}/g)?.length]).toEqual([200, 2 * WINDOWS * ENTRIES])
  expect(turn).toBeLessThan(AT_MOST.look * slowness())
})
