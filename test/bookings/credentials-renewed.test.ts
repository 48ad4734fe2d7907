import { afterEach, describe, expect, test } from 'vitest'
import { runHousekeeping } from '../../src/cli/recurring-job-list.ts'
import type { Binding, Shown } from '../access/callers.ts'
import { testKey } from '../support/platform.ts'
import { START } from '../support/server.ts'
import { by, credentialShop, endOf } from './credential-shop.ts'

const HOUR = 3_600_000
const { server, published, client, desk } = await credentialShop()
afterEach(() => {
  server.time.now = START
})

describe.each<Binding>(['REST', 'MCP'])('over %s', (binding) => {
  const { ask, slots, hold, book, read } = desk(binding)

  describe('[BSC-016] whoever reads a booking with the key that its credential is bound to', () => {
    test('gets none while there is a good one', async () => {
      const key = testKey()
      const booked = await book((await slots('svc_free'))[0], by(key))
      expect((await read(booked.booking.id, by(key))).payload).not.toHaveProperty('booking_scoped_credential')
      const shown = { ...by(key), scoped: booked.booking_scoped_credential.value }
      expect((await read(booked.booking.id, shown)).payload).not.toHaveProperty('booking_scoped_credential')
    })

    test.each([
      ['has ended', 1],
      ['is about to end', -60_000],
    ])('[BSC-017] gets another when it %s, once', async (_, after) => {
      const key = testKey()
      const booked = await book((await slots('svc_early'))[5], by(key))
      const { id } = booked.booking
      server.time.now = new Date(endOf(booked) + after)
      const { payload } = await read(id, by(key))
      expect(payload.booking_scoped_credential).toMatchObject({ cnf: { jkt: key.thumbprint } })
      // Deadlines are whole seconds.
      expect(endOf(payload)).toBe(Math.floor((server.time.now.getTime() + HOUR) / 1_000) * 1_000)
      const fresh = { ...by(key), scoped: payload.booking_scoped_credential.value }
      expect((await read(id, fresh)).payload.booking).toEqual(booked.booking)
      expect((await read(id, { ...fresh, ...by(testKey()) })).code).toBe('pop_key_mismatch')
      expect((await read(id, by(key))).payload).not.toHaveProperty('booking_scoped_credential')
    })

    test('[credentials are forgotten] what ended is gone, but for what the next one is given for', async () => {
      const key = testKey()
      const held = await hold((await slots('svc_free'))[9], by(key))
      const [kept, canceled] = [
        await book((await slots('svc_early'))[8], by(key)),
        await book((await slots('svc_early'))[9], by(key)),
      ]
      await ask('usp_bookings_cancel', { booking_id: canceled.booking.id }, by(key))
      const ids = [held.hold.id, kept.booking.id, canceled.booking.id]
      const known = async () => {
        const { db } = server.runtime
        await runHousekeeping({ ...server.runtime, clock: () => server.time.now })
        const rows = await db
          .selectFrom('scoped_credentials')
          .select('resource_id')
          .where('resource_id', 'in', ids)
          .execute()
        return rows.map(({ resource_id }) => resource_id)
      }
      expect((await known()).sort()).toEqual(ids.toSorted())
      server.time.now = new Date(Math.max(endOf(kept), endOf(canceled)) + 60_000)
      expect(await known()).toEqual([kept.booking.id])
      expect((await read(kept.booking.id, by(key))).payload.booking_scoped_credential).toBeDefined()
      server.time.now = new Date(Date.parse(kept.booking.slot.end) + 31 * 24 * HOUR)
      expect(await known()).toEqual([])
    })

    test('gets none for a booking that is over', async () => {
      const key = testKey()
      const booked = await book((await slots('svc_early'))[6], by(key))
      await ask('usp_bookings_cancel', { booking_id: booked.booking.id }, by(key))
      server.time.now = new Date(endOf(booked) + 1)
      const { payload } = await read(booked.booking.id, by(key))
      expect(payload.booking.status).toBe('canceled')
      expect(payload).not.toHaveProperty('booking_scoped_credential')
    })
  })

  describe('[LIV-076] a move to a later day answers with a new credential beside the booking,', () => {
    const { ask, slots, book, read } = desk(binding)
    const moved = async (shown: (value: string) => Partial<Shown>, owner: Partial<Shown>) => {
      const all = await slots('svc_movable')
      const booked = await book(all[0], owner)
      const old = booked.booking_scoped_credential
      const later = all.at(-1)
      const { payload } = await ask(
        'usp_bookings_reschedule',
        { booking_id: booked.booking.id, slot_id: later.id },
        shown(old.value),
      )
      const issued = payload.booking_scoped_credential
      expect(payload.booking).toMatchObject({ id: booked.booking.id, slot: { id: later.id } })
      expect(JSON.stringify(payload.booking)).not.toContain('bsc_')
      expect([endOf(payload), issued.cnf]).toEqual([Date.parse(later.start), old.cnf])
      return { id: booked.booking.id, old: old.value, issued: issued.value, end: Date.parse(old.expires_at) }
    }

    test('to the key of the owner', async () => {
      const key = testKey()
      const { id, old, issued, end } = await moved(() => by(key), by(key))
      for (const scoped of [old, issued]) expect((await read(id, { ...by(key), scoped })).code).toBe(undefined)
      expect((await read(id, by(key))).payload).not.toHaveProperty('booking_scoped_credential')
      server.time.now = new Date(end)
      expect((await read(id, { ...by(key), scoped: old })).code).toBe('authentication_required')
      expect((await read(id, { ...by(key), scoped: issued })).code).toBe(undefined)
      expect((await read(id, { ...by(testKey()), scoped: issued })).code).toBe('pop_key_mismatch')
      await ask('usp_bookings_cancel', { booking_id: id }, by(key))
    })

    test('to who shows the present credential', async () => {
      const key = testKey()
      const { id, issued } = await moved((scoped) => ({ ...by(key), scoped }), by(key))
      expect((await read(id, { ...by(key), scoped: issued })).code).toBe(undefined)
      await ask('usp_bookings_cancel', { booking_id: id }, by(key))
    })

    test.each<[string, () => Partial<Shown>]>([
      ['an API key', () => ({ bearer: client.key })],
      ['a signature', () => ({ signature: { key: published, keyid: 'k1' } })],
    ])('to an owner by %s, bound to no key as before', async (_, shown) => {
      const { id } = await moved(shown, shown())
      await ask('usp_bookings_cancel', { booking_id: id }, shown())
    })

    test('and a move to an earlier time, or a repeated one, answers without', async () => {
      const key = testKey()
      const all = await slots('svc_movable')
      const { booking } = await book(all[20], by(key))
      for (const slot of [all[3], all[3]]) {
        const { payload } = await ask('usp_bookings_reschedule', { booking_id: booking.id, slot_id: slot.id }, by(key))
        expect(payload.booking.slot.id).toBe(slot.id)
        expect(payload).not.toHaveProperty('booking_scoped_credential')
      }
    })
  })

  test.each<[string, () => Partial<Shown>]>([
    ['an API key', () => ({ bearer: client.key })],
    ['a signature', () => ({ signature: { key: published, keyid: 'k1' } })],
    ['a proof by a key that signed before', () => ({ signature: { key: published, keyid: 'k1' } })],
  ])('[BSC-017] an owner by %s gets none, whenever it reads', async (how, shown) => {
    const booked = await book((await slots('svc_early'))[7], shown())
    const { id } = booked.booking
    server.time.now = new Date(endOf(booked) + 1)
    const { code, payload } = await read(id, how.startsWith('a proof') ? by(published) : shown())
    expect([code, payload.booking.id]).toEqual([undefined, id])
    expect(payload).not.toHaveProperty('booking_scoped_credential')
    await ask('usp_bookings_cancel', { booking_id: id }, shown())
  })
})
