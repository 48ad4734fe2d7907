import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { sendDueEvents } from '../../src/core/events/delivery-worker.ts'
import { unseal } from '../../src/core/keys/encrypt-secrets.ts'
import { eraseBookings } from '../../src/domain/desk/people/erase-personal-data.ts'
import { exportBuyer } from '../../src/domain/desk/people/export-buyer.ts'
import type { ServiceDefinition } from '../../src/protocol/types.generated.ts'
import { onBothDesks, testShop } from '../support/desk.ts'
import { studio } from './studio.ts'

const alma = {
  first_name: 'Almafirst',
  last_name: 'Almalast',
  email: 'Alma@Secret.example',
  phone_number: '+12125550171',
}
const rita = { first_name: 'Ritafirst', last_name: 'Ritalast', email: 'rita@secret.example' }
const told = [
  'Almafirst',
  'Almalast',
  'Alma@Secret',
  'alma@secret',
  '5550171',
  'Ritafirst',
  'rita@secret',
  'Almastreet',
  'Almanote',
  'Almareason',
  'Almaback',
  'Almaremark',
]

const free = studio.services.find(({ id }) => id === 'svc_asked')
const queue: ServiceDefinition[] = free
  ? [
      {
        ...free,
        id: 'svc_queue',
        type: 'group',
        capacity: { max: 1, waitlist: true },
        sessions: [{ days: ['tuesday'], starts: '09:00' }],
      },
    ]
  : []
const withQueue = { ...studio, services: [...studio.services, ...queue] }

await onBothDesks(
  () => testShop(withQueue),
  (desk, shop) => {
    const { db } = shop.runtime
    const staff = (what: string, input: object, ask = {}) =>
      desk.call(`usp_business_${what}`, { ...input }, { as: shop.staff, ...ask })
    let nth = 0
    const book = async (more = {}, ask = {}) => {
      const { data } = await desk.book((await desk.slots('svc_flat'))[nth++], { buyer: alma, ...more }, ask)
      return data.booking.id
    }
    /** All that the database holds, with what was answered before. */
    const everything = async (): Promise<string> => {
      const { rows: tables } = await sql<{ name: string }>`
        select tablename as name from pg_tables where schemaname = 'public'`.execute(db)
      const parts = await Promise.all(
        tables.map(({ name }) => sql<{ row: string }>`select t::text as row from ${sql.table(name)} t`.execute(db)),
      )
      const replies = await db.selectFrom('replies').select('reply').where('reply', 'is not', null).execute()
      const answers = replies.map(({ reply }) => (reply ? unseal(shop.runtime.replyKey, reply) : ''))
      return [...parts.flatMap(({ rows }) => rows.map(({ row }) => row)), ...answers].join('\n')
    }
    const namedIn = (text: string) => told.filter((word) => text.includes(word))

    test('[BKG-135] a buyer who is erased stands nowhere any more', async () => {
      const ask = { idempotencyKey: `create ${desk.binding}` }
      const [slot] = await desk.slots('svc_flat', { start_date: '2026-11-28' })
      const request = {
        buyer: alma,
        recipient: rita,
        notes: 'Almanote',
        delivery_address: { line1: 'Almastreet 1', city: 'Paris', country: 'FR' },
        post_payment_return_request: { url: 'https://platform.example/back', params: { who: 'Almaback' } },
      }
      const { data } = await desk.book(slot, request, ask)
      const { id } = data.booking
      await desk.pay(data.booking)
      await staff('bookings_cancel', { booking_id: id, reason: 'Almareason' })
      await sendDueEvents(shop.runtime)
      const other = await book()
      const asked = (await desk.book((await desk.slots('svc_asked'))[0], { buyer: alma })).data.booking.id
      const remark = { booking_id: asked, notes: 'Almaremark' }
      expect((await desk.call('usp_bookings_confirm', remark, { as: shop.staff })).data.booking.messages).toHaveLength(
        1,
      )
      const made = await staff('calendars_create', {})
      const calendar = async () => {
        const url = made.data.url.replace(/^https?:\/\/[^/]+/, '')
        return String((await shop.raw({ method: 'GET', url })).body)
      }
      expect(namedIn(await calendar())).toContain('Almafirst')
      expect(namedIn(await everything())).toEqual(
        expect.arrayContaining(['Almafirst', 'Almanote', 'Almareason', 'Almaback']),
      )
      const kept = await db
        .selectFrom('events')
        .select(['body', 'snapshot'])
        .where('subject', '=', `booking ${id}`)
        .execute()
      expect(namedIn(JSON.stringify(kept))).toContain('Almafirst')

      const exported = await exportBuyer(db, { email: 'alma@secret.EXAMPLE' }, shop.time.now)
      expect(namedIn(JSON.stringify(exported))).toEqual(namedIn(await everything()))
      expect(exported).toMatchObject({ bookings: { length: 3 }, payments: { length: 1 } })

      const erased = await staff('buyers_erase', { email: 'alma@secret.EXAMPLE' })
      expect(erased.data.booking_ids.toSorted()).toEqual([id, other, asked].toSorted())
      expect(namedIn(await everything())).toEqual([])
      const none = {
        bookings: [],
        payments: [],
        waitlist_entries: [],
        events: [],
        mails: [],
        customer_records: [],
        accounts: [],
      }
      expect(await exportBuyer(db, { email: alma.email }, shop.time.now)).toMatchObject(none)

      const said = [
        await desk.get(id),
        await staff('bookings_get', { booking_id: id }),
        await staff('bookings_list', {}),
        await staff('resources_day', { resource_id: 'staff_ann', date: '2026-11-28' }),
        await desk.book(slot, request, ask),
      ]
      expect(namedIn(JSON.stringify(said))).toEqual([])
      expect(namedIn(await calendar())).toEqual([])
      expect((await staff('bookings_list', { query: 'alma' })).data.bookings).toEqual([])
      // What was done under the key is not done again, and what was agreed and paid is still known.
      expect(said[4]?.code).toBe('idempotency_conflict')
      expect(said[0]?.data.booking).toMatchObject({
        status: 'canceled',
        buyer: { first_name: 'Erased', email: expect.stringMatching(/\.invalid$/) },
        cancellation: { canceled_by: 'business', refund_amount: 12000 },
        payment: { status: 'refunded', transaction_id: 'txn_1' },
      })
      expect((await staff('buyers_erase', { email: alma.email })).data.booking_ids).toEqual([])
    })

    test('[erased with the address] a note of a record that has another contact goes as well', async () => {
      const atDesk = async (buyer: object) => {
        const { data } = await staff('bookings_create', {
          service_id: 'svc_flat',
          slot_id: (await desk.slots('svc_flat'))[0].id,
          buyer,
        })
        return data.booking.id
      }
      const two = { ...alma, email: 'alma.two@secret.example', phone_number: '+12125550172' }
      const wrote = await atDesk(two)
      const called = await atDesk({ first_name: 'Bea', phone_number: '+12125550173' })
      const merged = (await staff('customers_merge', { customer_id: wrote, other_id: called })).data.customer
      await staff('customers_note', { customer_id: merged.id, note: 'Almanote' })
      // The record has the number alone, and the staff enter the address later.
      const three = { ...two, email: 'alma.three@secret.example', phone_number: '+12125550174' }
      const first = await atDesk({ first_name: 'Almafirst', phone_number: three.phone_number })
      await staff('customers_note', { customer_id: first, note: 'Almaremark' })
      const later = await atDesk(three)
      for (const { email } of [two, three]) await staff('buyers_erase', { email })
      expect(await everything()).not.toMatch(/Almanote|Almaremark|alma\.(two|three)/)
      expect((await staff('customers_get', { customer_id: called })).data.customer).toMatchObject({
        note: '',
        name: 'Bea',
      })
      for (const id of [first, later, called]) await staff('bookings_erase', { booking_id: id })
      expect(namedIn(await everything())).toEqual([])
    })

    test('[erased with their bookings] a contact that no booking has any more keeps no note', async () => {
      const id = await book({ buyer: { ...alma, email: 'alma.before@secret.example' } })
      await staff('customers_note', { customer_id: id, note: 'Almanote' })
      await staff('bookings_correct', { booking_id: id, buyer: { email: 'alma.now@secret.example' } })
      await staff('customers_note', { customer_id: id, tags: ['Almaremark'] })
      await staff('bookings_erase', { booking_id: id })
      expect(namedIn(await everything())).toEqual([])
    })

    test('[erased from kept answers] of whatever names people: notes, series, merges, splits, what was told', async () => {
      const ask = () => ({ idempotencyKey: crypto.randomUUID() })
      const both = [await book(), await book({ buyer: { ...alma, email: 'alma.other@secret.example' } })]
      const [one, other] = both
      await staff('customers_note', { customer_id: one, note: 'Almanote' }, ask())
      await staff('customers_merge', { customer_id: one, other_id: other }, ask())
      await staff('customers_split', { customer_id: one, contact: 'alma.other@secret.example' }, ask())
      const start = Date.parse((await desk.get(one)).data.booking.slot.start)
      const starts = [7, 14].map((days) => new Date(start + days * 86_400_000).toISOString())
      const repeated = await staff('bookings_series_book', { booking_id: one, starts }, ask())
      expect(repeated.data.bookings).toHaveLength(2)
      const { told } = (await staff('bookings_told', { booking_id: one })).data
      if (told[0]) await staff('bookings_tell_again', { booking_id: one, told_id: told[0].id }, ask())
      for (const email of [alma.email, 'alma.other@secret.example']) await staff('buyers_erase', { email })
      expect(namedIn(await everything())).toEqual([])
    })

    test('[BKG-135] the people of one booking are erased, and others keep theirs', async () => {
      const [one, other] = [await book(), await book()]
      expect((await staff('bookings_erase', { booking_id: one })).data.booking_ids).toEqual([one])
      expect(namedIn(JSON.stringify((await desk.get(one)).data))).toEqual([])
      expect((await desk.get(other)).data.booking.buyer).toEqual(alma)
      const { changes } = (await staff('bookings_get', { booking_id: one })).data
      expect(changes.at(-1)).toMatchObject({ action: 'erase', actor: expect.stringMatching(/^staff:/) })
      // What is done to it later does not bring anybody back.
      await staff('bookings_cancel', { booking_id: one })
      expect((await staff('bookings_list', { query: 'erased' })).data.bookings).toEqual([])
      expect((await staff('bookings_erase', { booking_id: one })).data.booking_ids).toEqual([])
      expect((await staff('bookings_erase', { booking_id: 'bkg_none' })).code).toBe('booking_not_found')
    })

    test('[an erased booking stays erased] whatever is written afterwards', async () => {
      const id = await book()
      await staff('bookings_erase', { booking_id: id })
      const changed = await desk.update(id, { buyer: rita, notes: 'Almanote' })
      expect(changed.code).toBe('invalid_transition')
      const corrected = await staff('bookings_correct', { booking_id: id, buyer: rita, notes: 'Almanote' })
      expect(corrected.code).toBe('invalid_transition')
      const { data } = await desk.cancel(id, { reason: 'Almareason' })
      expect(data.booking).toMatchObject({ status: 'canceled', buyer: { first_name: 'Erased' } })
      expect(JSON.stringify(await db.selectFrom('bookings').selectAll().where('id', '=', id).execute())).not.toMatch(
        /Rita|Almanote|Almareason/,
      )
    })

    test('[erased with whoever came after] who stood in a booking before stands in nothing that was told of it', async () => {
      const idempotencyKey = crypto.randomUUID()
      const earlier = { ...alma, email: 'alma.once@secret.example' }
      const id = await book({ buyer: earlier }, { idempotencyKey })
      await desk.update(id, { buyer: rita })
      const once = JSON.stringify(await exportBuyer(db, { email: earlier.email }, shop.time.now))
      expect([once.includes('Almafirst'), once.includes('Ritafirst')]).toEqual([true, false])
      expect((await staff('buyers_erase', { email: 'Alma.Once@secret.example' })).data.booking_ids).toEqual([])
      expect(await everything()).not.toMatch(/alma\.once/i)
      expect((await desk.get(id)).data.booking.buyer).toMatchObject(rita)
      await staff('bookings_erase', { booking_id: id })
    })

    test('whoever has an address is given nothing of who has one that it is part of', async () => {
      const id = await book({ buyer: { ...alma, email: 'part@secret.example' } })
      await desk.update(id, { buyer: { ...rita, email: 'x.part@secret.example.org' } })
      await shop.runtime.makeChange(async (tx) => {
        const told = { kind: 'booking.moved', subject: `booking ${id}`, snapshot: { buyer: rita } }
        tx.queueMail({ ...told, to: { email: 'x.part@secret.example.org' } }, shop.time.now)
      })
      const given = JSON.stringify(await exportBuyer(db, { email: 'Part@secret.example' }, shop.time.now))
      expect([given.includes('Almafirst'), given.includes('Ritafirst')]).toEqual([true, false])
      await db.deleteFrom('mails').execute()
      await staff('bookings_erase', { booking_id: id })
    })

    test('[BKG-135] what is told of a booking only as it is erased names nobody either', async () => {
      const id = await book()
      shop.minutesLater(24 * 60)
      await staff('bookings_erase', { booking_id: id })
      const events = await db.selectFrom('events').selectAll().where('subject', '=', `booking ${id}`).execute()
      expect(events.map(({ type }) => type)).toEqual(['booking.canceled'])
      expect(namedIn(JSON.stringify(events))).toEqual([])
    })

    test('[BKG-135] of what was told only the people are erased: what happened stays', async () => {
      const id = await book()
      await staff('bookings_cancel', { booking_id: id })
      const kept = () =>
        db.selectFrom('events').select(['type', 'body', 'snapshot']).where('subject', '=', `booking ${id}`).execute()
      const before = await kept()
      expect(namedIn(JSON.stringify(before))).toContain('Almafirst')
      await staff('bookings_erase', { booking_id: id })
      const after = await kept()
      expect(namedIn(JSON.stringify(after))).toEqual([])
      expect(after.map(({ type, body, snapshot }) => [type, body === null, snapshot === null])).toEqual(
        before.map(({ type, body, snapshot }) => [type, body === null, snapshot === null]),
      )
      for (const { body, snapshot } of after) expect(body ?? snapshot).toMatchObject({})
      expect(JSON.stringify(after)).toContain(id)
    })

    test('[BKG-135] mails about an erased booking name nobody, and what was not sent is not', async () => {
      const id = await book()
      const told = { kind: 'booking.moved', subject: `booking ${id}`, snapshot: { buyer: alma } }
      const { makeChange } = shop.runtime
      const alone = { kind: 'account.link', subject: 'account acc_1', snapshot: { link: 'Almanote' } }
      const to = { email: alma.email, phone: alma.phone_number }
      await makeChange(async (tx) => {
        for (const one of [told, told, alone]) tx.queueMail({ ...one, to }, shop.time.now)
      })
      const mails = () =>
        db.selectFrom('mails').selectAll().where('kind', 'in', [told.kind, alone.kind]).orderBy('number').execute()
      const [first] = await mails()
      const sent = db.updateTable('mails').set({ status: 'sent', problem: `550 ${alma.email}` })
      await sent.where('id', '=', first?.id ?? '').execute()
      expect(namedIn(JSON.stringify(await mails()))).toContain('Almafirst')
      await staff('buyers_erase', { email: alma.email })
      const left = (await mails()).map(({ status, recipient, snapshot }) => [status, recipient, snapshot])
      expect(left).toEqual([
        ['sent', '', null],
        ['dropped', '', null],
        ['dropped', '', null],
      ])
      expect(namedIn(await everything())).toEqual([])
      await db.deleteFrom('mails').execute()
    })

    test('[BKG-135] nor does what the very change tells that erases them', async () => {
      const id = await book()
      await shop.runtime.makeChange(async (tx) => {
        tx.queueMail(
          { kind: 'booking.ended', subject: `booking ${id}`, snapshot: { buyer: alma }, to: alma },
          shop.time.now,
        )
        await eraseBookings(tx, [id], 'system', shop.time.now)
      })
      expect(namedIn(await everything())).toEqual([])
    })

    test('an address that is part of another erases nobody else', async () => {
      const id = await book({ buyer: { ...alma, email: 'x.rita@secret.example.org' } })
      expect((await staff('buyers_erase', { email: rita.email })).data.booking_ids).toEqual([])
      expect((await desk.get(id)).data.booking.buyer.email).toBe('x.rita@secret.example.org')
      await staff('bookings_erase', { booking_id: id })
    })

    test('[BKG-135] whoever waits under the address leaves the waitlist, and what was told of it names nobody', async () => {
      const [slot] = await desk.slots('svc_queue')
      await desk.book(slot)
      const ask = { idempotencyKey: `join ${desk.binding}` }
      const request = { service_id: 'svc_queue', slot_id: slot.id, buyer: alma }
      const first = await desk.call('usp_waitlist_join', request, ask)
      const second = await desk.call('usp_waitlist_join', { ...request, buyer: { ...alma, email: 'b@example.com' } })
      const entry = async (said: typeof first) =>
        (await desk.call('usp_waitlist_get', { entry_id: said.data.entry.id })).data.entry
      expect(await entry(second)).toMatchObject({ status: 'waiting', position: 2 })

      await staff('buyers_erase', { email: alma.email })
      expect(await entry(first)).toMatchObject({ status: 'removed', buyer: { first_name: 'Erased' } })
      expect(await entry(second)).toMatchObject({ status: 'waiting', position: 1, buyer: { first_name: 'Almafirst' } })
      expect((await desk.call('usp_waitlist_join', request, ask)).code).toBe('idempotency_conflict')
      await staff('buyers_erase', { email: 'b@example.com' })
      expect(namedIn(await everything())).toEqual([])
    })

    test('[BKG-135] [erased with the booking that it became] the waitlist entry of an erased booking names nobody', async () => {
      const [mine] = await desk.slots('svc_queue', { start_date: '2026-12-01', end_date: '2026-12-01' })
      const theirs = (await desk.book(mine)).data.booking
      const request = { service_id: 'svc_queue', slot_id: mine.id, buyer: alma }
      const { entry } = (await desk.call('usp_waitlist_join', request)).data
      await desk.cancel(theirs.id)
      const { booking } = (await desk.call('usp_waitlist_accept', { entry_id: entry.id })).data
      expect(booking.buyer).toEqual(alma)

      expect((await staff('bookings_erase', { booking_id: booking.id })).data.booking_ids).toEqual([booking.id])
      const read = (await desk.call('usp_waitlist_get', { entry_id: entry.id })).data.entry
      expect(read).toMatchObject({ status: 'accepted', buyer: { first_name: 'Erased' } })
      const kept = await db.selectFrom('waitlist_entries').selectAll().where('id', '=', entry.id).execute()
      const told = await db.selectFrom('events').selectAll().where('subject', '=', `entry ${entry.id}`).execute()
      expect(namedIn(JSON.stringify([kept, told]))).toEqual([])
      const { changes } = (await staff('waitlist_get', { entry_id: entry.id })).data
      expect(changes.at(-1)).toMatchObject({ action: 'erase', from: 'accepted', to: 'accepted' })
    })
  },
)
