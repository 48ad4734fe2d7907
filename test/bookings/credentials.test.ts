import { afterEach, describe, expect, test } from 'vitest'
import type { Status, Step } from '../../src/domain/bookings/lifecycle.ts'
import { lockAndExpire, saveBooking } from '../../src/domain/bookings/lock-and-save-booking.ts'
import { runUnitOfWork } from '../../src/infra/db/run-unit-of-work.ts'
import { type Binding, call, type Shown } from '../access/callers.ts'
import { businessWith } from '../support/definitions.ts'
import { buyer, WEEK } from '../support/desk.ts'
import { testKey } from '../support/platform.ts'
import { START, testServer } from '../support/server.ts'
import { by, credentialShop, endOf, toolOf } from './credential-shop.ts'
import { tillDefinition } from './till.ts'

const HOUR = 3_600_000
const { server, platform, published, client, desk } = await credentialShop()
afterEach(() => {
  server.time.now = START
})

describe.each<Binding>(['REST', 'MCP'])('over %s', (binding) => {
  const { ask, slots, hold, book, read } = desk(binding)

  test('[BSC-009] [BSC-010] [BSC-025] a hold and a booking come with credentials of their own, bound to the key', async () => {
    const key = testKey()
    const [slot] = await slots('svc_paid')
    const held = await hold(slot, by(key))
    const booked = await book(slot, by(key), { hold_id: held.hold.id })
    for (const { booking_scoped_credential: credential } of [held, booked]) {
      expect(credential).toEqual({
        value: expect.stringMatching(/^bsc_[\w-]{43}$/),
        expires_at: expect.any(String),
        cnf: { jkt: key.thumbprint },
      })
    }
    expect(endOf(held)).toBe(Date.parse(held.hold.expires_at))
    expect(held.booking_scoped_credential.value).not.toBe(booked.booking_scoped_credential.value)
    for (const thing of [held.hold, booked.booking]) expect(JSON.stringify(thing)).not.toContain('bsc_')
  })

  test.each<[string, () => Partial<Shown>]>([
    ['an API key', () => ({ bearer: client.key })],
    ['a signature', () => ({ signature: { key: published, keyid: 'k1' } })],
  ])('[BSC-009] [BSC-010] with %s they are bound to no key', async (_, shown) => {
    const [slot] = await slots('svc_free')
    const held = await hold(slot, shown())
    expect(held.booking_scoped_credential).not.toHaveProperty('cnf')
    expect((await book(slot, shown(), { hold_id: held.hold.id })).booking_scoped_credential).not.toHaveProperty('cnf')
  })

  describe('[BSC-007] the credential of a booking lasts until', () => {
    test.each([
      ['it can be canceled no more', 'svc_early', 24],
      ['it begins, where it can be moved until then', 'svc_movable', 0],
      ['it begins, where no other moment is set', 'svc_free', 0],
      ['it begins, where nothing can be done', 'svc_firm', 0],
    ])('%s', async (_, id, hoursBefore) => {
      const [slot] = (await slots(id)).slice(-1)
      expect(endOf(await book(slot, by(testKey())))).toBe(Date.parse(slot.start) - hoursBefore * HOUR)
    })

    test('it begins, months ahead', async () => {
      const [slot] = await slots('svc_far', { start_date: '2027-09-01', end_date: '2027-09-02' })
      expect(endOf(await book(slot, by(testKey())))).toBe(Date.parse(slot.start))
    })

    test('an hour has passed, where it can be canceled no more from the start', async () => {
      const day = { start_date: '2026-11-20', end_date: '2026-11-20' }
      const [slot] = await slots('svc_sudden', day)
      expect(endOf(await book(slot, by(testKey())))).toBe(START.getTime() + HOUR)
    })
  })

  test('[BSC-015] nothing but the two creations, a read of its own and a move hands out a credential', async () => {
    const key = testKey()
    const [earlier, , , slot] = await slots('svc_paid')
    const { hold: held } = await hold(slot, by(key))
    const released = await ask('usp_availability_release', { hold_id: held.id }, by(key))
    const { booking } = await book(slot, by(key))
    const booking_id = booking.id
    const answers = [
      released,
      await ask('usp_availability_query', { service_id: 'svc_paid', ...WEEK }),
      await ask('usp_bookings_update', { booking_id, notes: 'Window seat' }, by(key)),
      await ask(
        'usp_bookings_confirm_payment',
        {
          booking_id,
          payment_result: { status: 'paid', transaction_id: 't', amount_paid: 13200, currency: 'USD' },
        },
        by(key),
      ),
      await read(booking_id, by(key)),
      await ask('usp_bookings_reschedule', { booking_id, slot_id: earlier.id }, by(key)),
      await ask('usp_bookings_cancel', { booking_id }, by(key)),
      await read(booking_id, by(key)),
    ]
    for (const { code, outcome, payload } of answers) {
      expect([code, outcome]).toEqual([undefined, undefined])
      expect(JSON.stringify(payload)).not.toMatch(/bsc_|booking_scoped_credential/)
    }
  })

  test('[BSC-021] the credential of a hold releases it, ends with it and opens no booking', async () => {
    const key = testKey()
    const [slot, , , other] = await slots('svc_free')
    const first = await hold(slot, by(key))
    const scoped = { ...by(key), scoped: first.booking_scoped_credential.value }
    expect((await ask('usp_availability_release', { hold_id: first.hold.id }, scoped)).payload.hold.status).toBe(
      'released',
    )
    expect((await ask('usp_availability_release', { hold_id: first.hold.id }, scoped)).code).toBe(
      'authentication_required',
    )

    const second = await hold(other, by(key))
    const own = { ...by(key), scoped: second.booking_scoped_credential.value }
    const { booking } = await book(other, by(key), { hold_id: second.hold.id })
    expect((await ask('usp_availability_release', { hold_id: second.hold.id }, own)).code).toBe(
      'authentication_required',
    )
    expect((await read(booking.id, own)).code).toBe('authentication_required')
  })

  describe('[BSC-027] the credential of a booking ends with it, and the owner still reads it:', () => {
    test('canceled', async () => {
      const key = testKey()
      const booked = await book((await slots('svc_free'))[0], by(key))
      const scoped = { ...by(key), scoped: booked.booking_scoped_credential.value }
      const { id } = booked.booking
      expect((await ask('usp_bookings_cancel', { booking_id: id }, scoped)).payload.booking.status).toBe('canceled')
      for (const tool of ['usp_bookings_get', 'usp_bookings_update', 'usp_bookings_cancel'])
        expect((await ask(tool, { booking_id: id }, scoped)).code).toBe('authentication_required')
      expect((await read(id, by(key))).payload.booking.status).toBe('canceled')
    })

    test.each<[Status, boolean, Step[]]>([
      ['in_progress', true, ['start']],
      ['completed', false, ['start', 'finish']],
      ['no_show', false, ['miss']],
    ])('%s', async (status, isGood, steps) => {
      const key = testKey()
      const booked = await book((await slots('svc_free'))[0], by(key))
      const { id } = booked.booking
      await runUnitOfWork(server.runtime.db, async (tx) => {
        let row = await lockAndExpire(tx, id, undefined, START)
        for (const step of steps)
          row =
            row &&
            (await saveBooking(tx, row, { change: { step }, by: { actor: 'staff:stf_jo', action: 'test' } }, START))
      })
      const scoped = { ...by(key), scoped: booked.booking_scoped_credential.value }
      expect((await read(id, scoped)).code).toBe(isGood ? undefined : 'authentication_required')
      expect((await read(id, by(key))).payload.booking.status).toBe(status)
    })

    test('given up unpaid', async () => {
      const key = testKey()
      const booked = await book((await slots('svc_paid'))[0], by(key))
      server.time.now = new Date(booked.booking.expires_at)
      const scoped = { ...by(key), scoped: booked.booking_scoped_credential.value }
      expect((await read(booked.booking.id, scoped)).code).toBe('authentication_required')
      expect((await read(booked.booking.id, by(key))).payload.booking.status).toBe('canceled')
    })
  })

  test('[BSC-039] after a move the credential opens the booking as before', async () => {
    const key = testKey()
    const all = await slots('svc_movable')
    const booked = await book(all[8], by(key))
    const booking_id = booked.booking.id
    const scoped = { ...by(key), scoped: booked.booking_scoped_credential.value }
    const moved = await ask('usp_bookings_reschedule', { booking_id, slot_id: all[20].id }, scoped)
    expect(moved.payload.booking.slot.id).toBe(all[20].id)
    expect((await read(booking_id, scoped)).payload.booking).toEqual(moved.payload.booking)
    server.time.now = new Date(endOf(booked))
    expect((await read(booking_id, scoped)).code).toBe('authentication_required')
  })
})

test('[BSC-013] where credentials are not accepted, nothing comes with one', async () => {
  const plain = await testServer({
    ...businessWith(tillDefinition.services, { authorization: { accepted_mechanisms: ['platform_key_pop'] } }),
  })
  const key = testKey()
  for (const binding of ['REST', 'MCP'] as const) {
    const shown = () => ({ now: START, platform, proof: { key } })
    const { payload } = await call(
      plain,
      binding,
      toolOf('usp_availability_query'),
      { service_id: 'svc_free', ...WEEK },
      shown(),
    )
    const [{ id: slot_id, service_id }] = payload.slots
    const held = await call(plain, binding, toolOf('usp_availability_hold'), { slot_id, service_id }, shown())
    const more = { slot_id, service_id, buyer, hold_id: held.payload.hold.id }
    const booked = await call(plain, binding, toolOf('usp_bookings_create'), more, shown())
    const booking_id = booked.payload.booking.id
    const got = await call(plain, binding, toolOf('usp_bookings_get'), { booking_id }, shown())
    for (const answer of [held, booked, got]) expect(JSON.stringify(answer.payload)).not.toContain('credential')
  }
})
