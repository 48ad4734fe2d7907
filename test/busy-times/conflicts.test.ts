import { beforeEach, describe, expect, test } from 'vitest'
import { claimEnd, claimTake } from '../../src/core/ledger/resource-claims.ts'
import { verify } from '../../src/core/ledger/verify-ledger.ts'
import { buyer, type Slot } from '../support/desk.ts'
import { calendarOf } from './calendar-text.ts'
import { connectedShop, hour } from './connected-shop.ts'

const DAY = '2026-11-24'
const onDay = { start_date: DAY, end_date: DAY }
const at = (time: string) => `${DAY}T${time}:00-05:00`

const open = await Promise.all([connectedShop(), connectedShop()])

describe.each([
  ['REST', open[0], open[0].rest],
  ['MCP', open[1], open[1].mcp],
] as const)(
  '[a busy time that arrives later is a question for the staff] over %s',
  (_, { shop, busy, readLater, clear }, desk) => {
    const call = (tool: string, input: object = {}) =>
      desk.call(`usp_business_${tool}`, { ...input }, { as: shop.staff })
    beforeEach(clear)
    const listed = async () => (await call('stranded_list')).data.stranded
    const conflicts = async (): Promise<string[]> =>
      (await listed()).map(({ booking }: { booking: { id: string } }) => booking.id)
    const waiting = async () => (await call('inbox')).data.inbox.stranded
    const slotAt = async (time: string, who = 'staff_ann') =>
      (await desk.slots('svc_cut', { ...onDay, resource_id: who })).find(({ start }: Slot) =>
        start.includes(`T${time}`),
      )
    const bookedAt = async (time: string, more: object = {}) =>
      (await desk.book(await slotAt(time), { ...more })).data.booking
    /** A booking at 11:00 that an event overlaps half an hour later. */
    const conflict = async () => {
      const booking = await bookedAt('11:00')
      shop.minutesLater(1)
      return { booking, ...(await busy(desk, hour('dentist', DAY, 11, ['DURATION:PT2H']))) }
    }
    const endsSound = async () => expect((await verify(shop.runtime.db, shop.time.now)).findings.listed).toEqual([])

    test('the booking stays, and the list says who is busy when, until it is kept', async () => {
      const { booking } = await conflict()
      const span = { resource_id: 'staff_ann', start: at('11:00'), end: at('13:00') }
      expect(await listed()).toEqual([
        { booking: expect.objectContaining({ id: booking.id, status: 'confirmed' }), reasons: [], busy: [span] },
      ])
      expect(await waiting()).toBe(1)
      expect((await call('bookings_get', { booking_id: booking.id })).data.details.busy).toEqual([span])
      expect((await call('bookings_keep', { booking_id: booking.id })).data.booking.id).toBe(booking.id)
      expect(await conflicts()).toEqual([])
      expect(await waiting()).toBe(0)
      expect((await call('bookings_get', { booking_id: booking.id })).data.details.busy).toBeUndefined()
      expect((await call('bookings_keep', { booking_id: booking.id })).code).toBe('invalid_transition')
      await endsSound()
    })

    test('an event of another time or of another person is no conflict', async () => {
      await bookedAt('10:00')
      await desk.book(await slotAt('11:00', 'staff_ben'))
      await busy(desk, hour('dentist', DAY, 11))
      expect(await conflicts()).toEqual([])
      await endsSound()
    })

    test('a decision holds until one of both moves', async () => {
      const { booking, published } = await conflict()
      await call('bookings_keep', { booking_id: booking.id })
      // Another event, and the same event once more, ask nothing about this one.
      published.text = calendarOf(...hour('dentist', DAY, 11, ['DURATION:PT2H']), ...hour('far', DAY, 15))
      await readLater()
      expect(await conflicts()).toEqual([])
      // The event moves.
      published.text = published.text.replace('T110000', 'T100000')
      await readLater()
      expect(await conflicts()).toEqual([booking.id])
      await call('bookings_keep', { booking_id: booking.id })
      // The booking moves within the event.
      const moved = await call('bookings_reschedule', { booking_id: booking.id, start: at('11:30') })
      expect(moved.code).toBeUndefined()
      expect(await conflicts()).toEqual([booking.id])
      await endsSound()
    })

    test('a change that moves nothing leaves the decision', async () => {
      const { booking } = await conflict()
      await call('bookings_keep', { booking_id: booking.id })
      expect((await call('bookings_correct', { booking_id: booking.id, notes: 'Short.' })).code).toBeUndefined()
      // The server claims the same time anew.
      const { db, makeChange } = shop.runtime
      await makeChange(async (tx) => {
        const row = await db.selectFrom('bookings').selectAll().where('id', '=', booking.id).executeTakeFirstOrThrow()
        await claimEnd(tx, { kind: 'booking', id: booking.id })
        const time = { from: row.starts_at.getTime(), to: row.ends_at.getTime() }
        const claim = { resources: row.resource_ids, time, holder: { kind: 'booking' as const, id: booking.id } }
        expect(await claimTake(tx, claim, shop.time.now)).toBe(true)
      })
      expect(await conflicts()).toEqual([])
      await endsSound()
    })

    test('it ends when the event goes, and when the booking goes', async () => {
      const { booking, published } = await conflict()
      published.text = calendarOf()
      await readLater()
      expect(await conflicts()).toEqual([])
      published.text = calendarOf(...hour('dentist', DAY, 11))
      await readLater()
      expect(await conflicts()).toEqual([booking.id])
      await desk.cancel(booking.id)
      expect([await conflicts(), await waiting()]).toEqual([[], 0])
      await endsSound()
    })

    test('it ends when the booking moves away, and when its time has come', async () => {
      const { booking, published } = await conflict()
      expect((await call('bookings_reschedule', { booking_id: booking.id, start: at('15:00') })).code).toBeUndefined()
      expect(await conflicts()).toEqual([])
      published.text = calendarOf(...hour('dentist', DAY, 15))
      await readLater()
      expect(await conflicts()).toEqual([booking.id])
      const { now } = shop.time
      shop.minutesLater((Date.parse(at('15:00')) - now.getTime()) / 60_000)
      expect(await conflicts()).toEqual([])
      shop.minutesLater((now.getTime() - shop.time.now.getTime()) / 60_000)
    })

    test('a hold that becomes a booking is a conflict then', async () => {
      const slot = await slotAt('11:00')
      const { hold } = (await desk.hold(slot)).data
      shop.minutesLater(1)
      await busy(desk, hour('dentist', DAY, 11))
      expect(await conflicts()).toEqual([])
      const { booking } = (await desk.book(slot, { hold_id: hold.id })).data
      expect(await conflicts()).toEqual([booking.id])
      await endsSound()
    })

    test('a booking that no longer fits the definition either is one question', async () => {
      const { booking } = await conflict()
      const { db } = shop.runtime
      const row = await db.selectFrom('bookings').selectAll().where('id', '=', booking.id).executeTakeFirstOrThrow()
      const { starts_at, ends_at, resource_ids } = row
      await db
        .insertInto('stranded_bookings')
        .values({ booking_id: booking.id, starts_at, ends_at, resource_ids, location_id: null, reasons: ['closed'] })
        .execute()
      expect(await listed()).toEqual([
        expect.objectContaining({ reasons: ['closed'], busy: [expect.objectContaining({ resource_id: 'staff_ann' })] }),
      ])
      expect(await waiting()).toBe(1)
      await call('bookings_keep', { booking_id: booking.id })
      expect([await conflicts(), await waiting()]).toEqual([[], 0])
    })

    test('the staff learn that another calendar is in the way of a booking, and a buyer does not', async () => {
      const slot = await slotAt('11:00')
      const other = await bookedAt('15:00')
      await busy(desk, hour('dentist', DAY, 11))
      const wish = { service_id: 'svc_cut', start: at('11:00'), resource_ids: ['staff_ann'], buyer }
      const taken_by = [{ kind: 'busy', resource_id: 'staff_ann', start: at('11:00'), end: at('12:00') }]
      for (const answer of [
        await call('bookings_create', wish),
        await call('bookings_reschedule', { booking_id: other.id, start: at('11:00'), resource_ids: ['staff_ann'] }),
      ]) {
        expect(answer.code).toBe('slot_unavailable')
        expect(answer.data.messages).toEqual([
          expect.objectContaining({
            content: expect.stringContaining(`Busy in another calendar: staff_ann (${at('11:00')} to ${at('12:00')})`),
            taken_by,
          }),
        ])
      }
      for (const answer of [await desk.book(slot), await desk.hold(slot), await desk.reschedule(other.id, slot)]) {
        expect(answer.code).toBe('slot_unavailable')
        expect(JSON.stringify(answer.data)).not.toMatch(/calendar|busy/i)
      }
      const { booking: weekly } = (await call('bookings_create', { ...wish, start: '2026-12-01T11:00:00-05:00' })).data
      const repeated = { booking_id: weekly.id, starts: [at('11:00')] }
      const series = await call('bookings_series_book', { ...repeated, starts: [at('14:00')] })
      expect(series.code).toBeUndefined()
      for (const answer of [
        await call('bookings_series_book', repeated),
        await call('bookings_series_move', { booking_id: series.data.bookings[0].id, start: at('11:00') }),
      ])
        expect(answer.data.messages).toEqual([
          expect.objectContaining({
            content: expect.stringContaining('Busy in another calendar: staff_ann'),
            taken_by,
          }),
        ])
      // Ben is free, so anybody can be booked.
      const anybody = await call('bookings_create', { ...wish, resource_ids: ['staff_ben'] })
      expect(anybody.code).toBeUndefined()
    })
  },
)
