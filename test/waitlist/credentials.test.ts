import { describe, expect, test } from 'vitest'
import { type Binding, call, type Shown } from '../access/callers.ts'
import { toolOf } from '../bookings/credential-shop.ts'
import { buyer, WEEK } from '../support/desk.ts'
import { testKey, testPlatform } from '../support/platform.ts'
import { testServer } from '../support/server.ts'
import { business, CLASS, person } from './queue.ts'

const server = await testServer(business)
const platform = await testPlatform()

describe.each<Binding>(['REST', 'MCP'])('over %s', (binding) => {
  const key = testKey()
  const ask = (tool: string, input: Record<string, unknown>, shown: Partial<Shown> = {}) =>
    call(server, binding, toolOf(`usp_${tool}`), input, { now: server.time.now, platform, proof: { key }, ...shown })
  const on = (entry_id: string, shown: Partial<Shown>) => (what: string) => ask(`waitlist_${what}`, { entry_id }, shown)

  /** Somebody who is offered the first class, and the credential that came with joining. */
  async function offered() {
    const { slots } = (await ask('availability_query', { service_id: CLASS, ...WEEK })).payload
    const { id: slot_id } = slots.find(({ state }: { state: string }) => state !== 'waitlist')
    const { booking } = (await ask('bookings_create', { slot_id, service_id: CLASS, buyer })).payload
    const { entry, booking_scoped_credential } = (
      await ask('waitlist_join', { service_id: CLASS, slot_id, buyer: person('Ann') })
    ).payload
    await ask('bookings_cancel', { booking_id: booking.id })
    return {
      entry,
      credential: booking_scoped_credential,
      scoped: on(entry.id, { scoped: booking_scoped_credential.value }),
    }
  }

  test('[BSC-008] [BSC-011] joining comes with a credential bound to the key, which is good for the offer', async () => {
    const { entry, credential, scoped } = await offered()
    expect(credential).toMatchObject({ value: expect.stringMatching(/^bsc_/), cnf: { jkt: key.thumbprint } })
    const read = (await scoped('get')).payload.entry
    expect(read.status).toBe('offered')
    expect(Date.parse(credential.expires_at)).toBeGreaterThan(Date.parse(read.offer_expires_at))
    expect(JSON.stringify(entry)).not.toContain('bsc_')
    await scoped('leave')
  })

  test('[credentials of entries end with their window] not long after', async () => {
    const { slots } = (await ask('availability_query', { service_id: CLASS, ...WEEK })).payload
    const [slot] = slots
    const until = async (wish: object) => {
      const { payload } = await ask('waitlist_join', { service_id: CLASS, buyer: person('Eve'), ...wish })
      await ask('waitlist_leave', { entry_id: payload.entry.id })
      return Date.parse(payload.booking_scoped_credential.expires_at)
    }
    expect(await until({ slot_id: slot.id })).toBe(Date.parse(slot.start))
    const days = { start_date: '2026-11-24', end_date: '2026-11-25' }
    expect(await until({ preferred_slots: [days] })).toBe(Date.parse('2026-11-26T05:00:00Z'))
    // Whatever comes free: as far ahead as can be booked today.
    expect(await until({})).toBe(server.time.now.getTime() + 60 * 86_400_000)
  })

  test('[BSC-015] [WTL-046] accepting hands out no credential, and that of the entry does not open the booking', async () => {
    const { credential, scoped } = await offered()
    const { payload } = await scoped('accept')
    expect(payload.booking.status).toBe('confirmed')
    expect(JSON.stringify(payload)).not.toMatch(/bsc_|booking_scoped_credential/)
    const booking_id = payload.booking.id
    for (const tool of ['bookings_get', 'bookings_cancel'])
      expect((await ask(tool, { booking_id }, { scoped: credential.value })).code).toBe('authentication_required')
    expect((await ask('bookings_cancel', { booking_id })).payload.booking.status).toBe('canceled')
  })

  test.each([
    ['accepted', 'accept'],
    ['removed', 'leave'],
    ['removed', 'decline'],
  ])('[BSC-028] the credential ends with an entry that is %s, and its owner still reads it', async (status, what) => {
    const { entry, scoped } = await offered()
    const done = (await scoped(what)).payload
    for (const again of ['get', 'accept', 'decline', 'leave'])
      expect((await scoped(again)).code).toBe('authentication_required')
    expect((await ask('waitlist_get', { entry_id: entry.id })).payload.entry.status).toBe(status)
    if (done.booking) await ask('bookings_cancel', { booking_id: done.booking.id })
  })

  test('[BSC-028] and with an offer that lapsed', async () => {
    const { entry, scoped } = await offered()
    const begun = server.time.now
    server.time.now = new Date(begun.getTime() + 31 * 60_000)
    expect((await scoped('get')).code).toBe('authentication_required')
    expect((await ask('waitlist_get', { entry_id: entry.id })).payload.entry.status).toBe('expired')
    server.time.now = begun
  })
})
