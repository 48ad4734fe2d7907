import { expect, test } from 'vitest'
import { remind } from '../../src/domain/bookings/send-reminders.ts'
import { TEXT_CONSENT } from '../../src/domain/bookings/text-message-consent.ts'
import { exportBuyer } from '../../src/domain/desk/people/export-buyer.ts'
import { studio } from '../desk/studio.ts'
import { onBothDesks } from '../support/desk.ts'
import { metricsOf } from '../support/metrics.ts'
import { gatewaySettings, gatewayStandIn, twilioSettings, twilioStandIn } from './provider-stand-ins.ts'
import { AGREED, ANN, bookAtDesk, textingShop } from './texting-shop.ts'

const [twilio, gateway] = await Promise.all([twilioStandIn(), gatewayStandIn()])
const agreed = { ...ANN, ...AGREED }
/** Another number for each test: one number gets a few messages a day. */
let next = 200

await onBothDesks(
  () => textingShop(studio),
  (desk, shop) => {
    const staff = (tool: string, input: object) => desk.call(`usp_business_${tool}`, { ...input }, { as: shop.staff })
    const bookFor = (buyer: object) => bookAtDesk(desk, shop, buyer)
    const sentBy = async (provider: typeof twilio, work: () => Promise<unknown>) => {
      const before = provider.sent.length
      await work()
      await shop.send()
      return provider.sent.slice(before)
    }
    const last = async () => (await shop.texts()).at(-1)
    const someone = () => ({ ...agreed, phone_number: `+1212555${String(next++).padStart(4, '0')}` })

    test('[text messages] a buyer who agreed gets a confirmation, a new time, a reminder and a cancellation', async () => {
      await shop.enter(desk, twilioSettings(twilio))
      const booking = await bookFor(agreed)
      await shop.send()
      expect(twilio.sent.at(-1)).toMatchObject({ to: '+12125550171', from: '+12125550100' })
      expect(twilio.sent.at(-1)?.text).toMatch(
        /^Test Studio: Your booking is confirmed\. Service svc_cut, Tue, Nov 24.* https?:\/\/\S+\/booking\/\S+\/manage\/\S+$/,
      )
      const moved = await sentBy(twilio, () =>
        staff('bookings_reschedule', { booking_id: booking.id, slot_id: booking.slots.at(-1).id }),
      )
      shop.minutesLater(5)
      await shop.send()
      expect([...moved, ...twilio.sent].at(-1)?.text).toMatch(/^Test Studio: Your booking has a new time\./)
      const { now } = shop.time
      shop.time.now = new Date(Date.parse(booking.slots.at(-1).start) - 24 * 3_600_000)
      const reminded = await sentBy(twilio, () => remind(shop.runtime, shop.time.now))
      expect(reminded.map(({ text }) => text)).toEqual([
        expect.stringMatching(/^Test Studio: Reminder of your booking\./),
      ])
      const canceled = await sentBy(twilio, () => staff('bookings_cancel', { booking_id: booking.id, reason: 'Ill' }))
      expect(canceled.map(({ text }) => text)).toEqual([
        expect.stringMatching(/^Test Studio had to cancel your booking: Service svc_cut, /),
      ])
      // What the staff typed is in the mail only.
      expect(canceled[0]?.text).not.toContain('Ill')
      shop.time.now = now
    })

    test('[text messages] without a consent, or without a number, there is none', async () => {
      expect(await sentBy(twilio, () => bookFor(ANN))).toEqual([])
      expect(await sentBy(twilio, () => bookFor({ ...agreed, consent: { [TEXT_CONSENT]: false } }))).toEqual([])
      const { phone_number: _, ...noNumber } = agreed
      expect(await sentBy(twilio, () => bookFor(noNumber))).toEqual([])
    })

    test('[text messages] a buyer without an email address gets them', async () => {
      const { email: _, ...nobody } = someone()
      expect(await sentBy(twilio, () => bookFor(nobody))).toHaveLength(1)
      expect(
        await shop.runtime.db.selectFrom('mails').selectAll().where('recipient', 'like', '%.invalid').execute(),
      ).toMatchObject([{ channel: 'text', status: 'sent' }])
    })

    test.each([
      ['212 555 0191', ['+12125550191']],
      ['+49 1512 3456789', ['+4915123456789']],
      ['+43 664 1234567', []],
      ['+1 876 555 0171', []],
    ])('[text messages] %s gets them only in a country that is allowed', async (phone_number, to) => {
      const sent = await sentBy(twilio, () => bookFor({ ...agreed, phone_number }))
      expect(sent.map((one) => one.to)).toEqual(to)
    })

    test('[text messages] a platform cannot agree for a buyer, but the staff can note it', async () => {
      const person = someone()
      const [slot] = await desk.slots('svc_cut')
      const { data } = await desk.book(slot, { buyer: person })
      expect(data.booking.buyer.consent ?? {}).not.toHaveProperty(TEXT_CONSENT)
      await shop.send()
      const { id } = data.booking
      await desk.update(id, { buyer: person })
      expect((await desk.get(id)).data.booking.buyer.consent ?? {}).not.toHaveProperty(TEXT_CONSENT)
      const noted = await staff('bookings_correct', { booking_id: id, buyer: AGREED })
      expect(noted.data.booking.buyer.consent).toEqual(AGREED.consent)
      // To note it is no news for the buyer.
      expect(await sentBy(twilio, async () => {})).toEqual([])
      const canceled = await sentBy(twilio, () => staff('bookings_cancel', { booking_id: id }))
      expect(canceled.map(({ to }) => to)).toEqual([person.phone_number])
    })

    test('[text messages] a consent does not move to another number', async () => {
      const booking = await bookFor(someone())
      await shop.send()
      const { data } = await staff('bookings_correct', {
        booking_id: booking.id,
        buyer: { phone_number: '+12125550199' },
      })
      expect(data.booking.buyer.consent ?? {}).not.toHaveProperty(TEXT_CONSENT)
      expect(await sentBy(twilio, () => staff('bookings_cancel', { booking_id: booking.id }))).toEqual([])
    })

    test('[text messages] the owner chooses what they are about', async () => {
      await shop.enter(desk, twilioSettings(twilio, { topics: ['reminder'] }))
      expect(await sentBy(twilio, () => bookFor(someone()))).toEqual([])
      await shop.enter(desk, twilioSettings(twilio))
    })

    test.each([
      [{ status: 429, body: { code: 20_429, message: 'Too many requests' } }, 'waiting', /429, error 20429/],
      [{ status: 401, body: { code: 20_003, message: 'Authenticate' } }, 'waiting', /401, error 20003/],
      [{ status: 503 }, 'waiting', /503/],
      [{ status: 400, body: { code: 21_211, message: 'Invalid To' } }, 'given_up', /21211/],
      [{ status: 500 }, 'given_up', /may have arrived/],
      ['hang up', 'given_up', /may have arrived/],
      ['lose the answer', 'given_up', /may have arrived/],
    ] as const)('[text messages] Twilio that answers %j: the message is %s', async (answer, status, problem) => {
      twilio.next = answer
      const before = twilio.calls
      await bookFor(someone())
      await shop.send()
      expect(await last()).toMatchObject({ status, attempts: 1, problem: expect.stringMatching(problem) })
      twilio.next = 'send'
      shop.minutesLater(2)
      await shop.send()
      // What may have arrived is not repeated. What was refused for now is.
      expect([(await last())?.status, twilio.calls - before]).toEqual(
        status === 'waiting' ? ['sent', 2] : ['given_up', 1],
      )
    })

    test('[text messages] a message whose attempt a crash interrupted is not repeated at Twilio', async () => {
      await bookFor(someone())
      const row = await last()
      await shop.runtime.db
        .updateTable('mails')
        .set({ begun: 1 })
        .where('id', '=', row?.id ?? '')
        .execute()
      expect(await sentBy(twilio, async () => {})).toEqual([])
      expect(await last()).toMatchObject({ status: 'given_up', problem: expect.stringContaining('may have arrived') })
      // The staff see it, and may decide.
      const told = await staff('inbox_given_up', {})
      expect(told.data.given_up.map(({ id }: { id: string }) => id)).toContain(row?.id)
      const subject = row?.subject.split(' ')[1]
      expect(
        await sentBy(twilio, () => staff('bookings_tell_again', { booking_id: subject, told_id: row?.id })),
      ).toHaveLength(1)
    })

    test('[text messages] a program of the business gets a lost message again, and sends it once', async () => {
      await shop.enter(desk, gatewaySettings(gateway))
      gateway.next = 'lose the answer'
      const person = someone()
      await bookFor(person)
      await shop.send()
      expect(await last()).toMatchObject({ status: 'waiting', attempts: 1 })
      gateway.next = 'send'
      shop.minutesLater(2)
      await shop.send()
      const row = await last()
      expect(row).toMatchObject({ status: 'sent', segments: 2 })
      expect(gateway.sent.filter(({ to }) => to === person.phone_number)).toHaveLength(1)
      // If the staff send it again, it is another message.
      const subject = row?.subject.split(' ')[1]
      await staff('bookings_tell_again', { booking_id: subject, told_id: row?.id })
      await shop.send()
      expect(gateway.sent.filter(({ to }) => to === person.phone_number)).toHaveLength(2)
      await shop.enter(desk, twilioSettings(twilio))
    })

    test('[text messages] a number that the provider knows as stopped gets no further message', async () => {
      const person = someone()
      twilio.next = { status: 400, body: { code: 21_610, message: 'Attempt to send to unsubscribed recipient' } }
      const booking = await bookFor(person)
      await shop.send()
      expect(await last()).toMatchObject({ status: 'dropped' })
      twilio.next = 'send'
      const before = twilio.calls
      await staff('bookings_cancel', { booking_id: booking.id })
      await shop.send()
      await bookFor(person)
      await shop.send()
      expect([await last().then((one) => one?.status), twilio.calls - before]).toEqual(['dropped', 0])
    })

    test('[text messages] during the quiet hours they wait, and one that would come too late is dropped', async () => {
      await shop.enter(desk, twilioSettings(twilio, { quiet_from: '21:00', quiet_until: '08:00' }))
      const { now } = shop.time
      // 23:00 in New York, three days before the first slots.
      shop.time.now = new Date('2026-11-21T04:00:00Z')
      const booking = await bookFor(someone())
      expect(await sentBy(twilio, async () => {})).toEqual([])
      expect(await last()).toMatchObject({ status: 'waiting', attempts: 0, next_at: new Date('2026-11-21T13:00:00Z') })
      // It is no reason for an alarm.
      shop.minutesLater(60)
      expect((await metricsOf(shop)).get('usp_waiting_oldest_seconds{kind="mails"}')).toBe(0)
      shop.time.now = new Date('2026-11-21T13:00:00Z')
      expect(await sentBy(twilio, async () => {})).toHaveLength(1)
      // 07:00 on the day of a visit that begins before the quiet hours end.
      const start = Date.parse(booking.start ?? booking.slots[0].start)
      shop.time.now = new Date(start - 3_600_000)
      await shop.runtime.db.updateTable('text_provider').set({ quiet_from: '00:00', quiet_until: '23:59' }).execute()
      await shop.enter(desk, twilioSettings(twilio, { quiet_from: '00:00', quiet_until: '23:59' }))
      expect(await sentBy(twilio, () => staff('bookings_cancel', { booking_id: booking.id }))).toEqual([])
      expect(await last()).toMatchObject({ status: 'dropped', problem: expect.stringContaining('too late') })
      shop.time.now = now
      await shop.enter(desk, twilioSettings(twilio))
    })

    test('[text messages] a reminder that waits in the quiet hours does not go out if the visit was canceled or moved', async () => {
      const { now } = shop.time
      const onlyReminders = { quiet_from: '21:00', quiet_until: '08:00', topics: ['reminder'] }
      await shop.enter(desk, twilioSettings(twilio, onlyReminders))
      const slots = await desk.slots('svc_cut', { start_date: '2026-11-30', end_date: '2026-11-30' })
      const bookAt = async (slot_id: string, buyer: object) =>
        (await staff('bookings_create', { service_id: 'svc_cut', slot_id, buyer })).data.booking
      const [canceled, moved, kept] = [
        await bookAt(slots[0].id, someone()),
        await bookAt(slots[8].id, someone()),
        await bookAt(slots.at(-1).id, someone()),
      ]
      // 22:00 in New York, on the evening before the visits.
      const start = Date.parse(slots[0].start)
      shop.time.now = new Date(start - 11 * 3_600_000)
      await remind(shop.runtime, shop.time.now)
      expect(await sentBy(twilio, async () => {})).toEqual([])
      await staff('bookings_cancel', { booking_id: canceled.id })
      await staff('bookings_reschedule', { booking_id: moved.id, slot_id: slots.at(-8).id, notify_buyer: false })
      shop.time.now = new Date(start - 3_600_000)
      const sent = await sentBy(twilio, async () => {})
      expect(sent).toEqual([expect.objectContaining({ to: kept.buyer.phone_number })])
      const ended = (await shop.texts()).slice(-3).map(({ status }) => status)
      expect(ended.toSorted()).toEqual(['dropped', 'dropped', 'sent'])
      shop.time.now = now
      await shop.enter(desk, twilioSettings(twilio))
    })

    test('[text messages] of several that waited, only the last one goes out', async () => {
      const person = someone()
      twilio.next = { status: 503 }
      const booking = await bookFor(person)
      await shop.send()
      await staff('bookings_cancel', { booking_id: booking.id })
      twilio.next = 'send'
      shop.minutesLater(2)
      const sent = await sentBy(twilio, async () => {})
      await shop.send()
      const all = [...sent, ...twilio.sent].filter(({ to }) => to === person.phone_number)
      expect(new Set(all.map(({ text }) => text.slice(0, 40)))).toEqual(
        new Set(['Test Studio had to cancel your booking: ']),
      )
    })

    test('[text messages] one number gets ten messages a day, and all numbers as many as the owner allows', async () => {
      const person = someone()
      const sent = await sentBy(twilio, async () => {
        for (let nth = 0; nth < 12; nth++) {
          await bookFor(person)
          await shop.send()
        }
      })
      expect(sent).toHaveLength(10)
      expect(await last()).toMatchObject({ status: 'dropped' })
      await shop.enter(desk, twilioSettings(twilio, { daily_limit: 1 }))
      expect(await sentBy(twilio, () => bookFor(someone()))).toEqual([])
      expect(await last()).toMatchObject({ status: 'waiting', problem: expect.stringContaining('limit of 1') })
      await shop.enter(desk, twilioSettings(twilio))
    })

    test('[text messages] the staff see them with the number, and no log has the number', async () => {
      const person = someone()
      const booking = await bookFor(person)
      await shop.send()
      const { data } = await staff('bookings_told', { booking_id: booking.id })
      expect(data.told).toContainEqual(
        expect.objectContaining({ way: 'text', status: 'sent', to: person.phone_number, what: 'booking.confirmed' }),
      )
      expect(shop.logged.join()).not.toContain(person.phone_number.slice(2))
    })

    test('[text messages] the export of a person has their messages, also without an email address', async () => {
      const [one, { email: _, ...other }] = [{ ...someone(), email: 'own@example.com' }, someone()]
      for (const buyer of [one, other]) await bookFor(buyer)
      await shop.send()
      for (const subject of [{ email: one.email }, { phone_number: other.phone_number }]) {
        const { mails } = await exportBuyer(shop.runtime.db, subject, shop.time.now)
        const phone = 'email' in subject ? one.phone_number : other.phone_number
        expect(mails).toContainEqual(expect.objectContaining({ channel: 'text', phone, kind: 'booking.confirmed' }))
      }
    })

    test('[text messages] the erasure of a person erases their messages', async () => {
      const person = { ...someone(), email: 'gone@example.com' }
      await bookFor(person)
      await shop.send()
      await staff('buyers_erase', { email: person.email })
      const rows = JSON.stringify([
        await shop.texts(),
        await shop.runtime.db.selectFrom('bookings').selectAll().execute(),
        await shop.runtime.db.selectFrom('stopped_numbers').selectAll().execute(),
      ])
      expect(rows).not.toContain(person.phone_number)
    })
  },
)
