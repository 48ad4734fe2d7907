import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { claimPayment } from '../../src/domain/bookings/report-payment-by-buyer.ts'
import { onBothDesks, testShop } from '../support/desk.ts'
import { CLASS, classOfOne, lineOf } from '../waitlist/queue.ts'
import { studio } from './studio.ts'

const definition = { ...studio, services: [...studio.services.filter(({ id }) => id !== CLASS), classOfOne] }

await onBothDesks(
  () => testShop(definition),
  (desk, shop) => {
    const { db, makeChange } = shop.runtime
    const staff = (what: string, input: Record<string, unknown> = {}) =>
      desk.call(`usp_business_${what}`, input, { as: shop.staff })
    const inbox = async () => (await staff('inbox')).data.inbox
    const givenUp = async () => (await staff('inbox_given_up')).data.given_up as { id: string; about: string }[]
    let nth = 0
    const booked = async (service: string) => (await desk.book((await desk.slots(service))[nth++])).data.booking
    const giveUp = (table: 'mails' | 'deliveries', { id }: { id: string }) =>
      sql`update ${sql.table(table)} set status = 'given_up', ended_at = now(), attempts = 9
        where subject = ${`booking ${id}`}`.execute(db)
    const moved = async () => {
      const booking = await booked('svc_counter')
      const slot = (await desk.slots('svc_counter')).at(-1 - nth)
      await staff('bookings_reschedule', { booking_id: booking.id, slot_id: slot.id })
      return booking as { id: string }
    }

    test('all of it is counted in one answer, as long as it waits', async () => {
      const before = await inbox()
      expect(before.total).toBe(0)
      await booked('svc_asked')
      const { id } = await booked('svc_paid')
      await makeChange((tx) => claimPayment(tx, id, shop.time.now))
      await booked('svc_bike')
      const line = lineOf(desk)
      const [full] = await line.fill()
      await line.wait('Ann')
      await desk.cancel(full.id)
      expect(await inbox()).toMatchObject({ requests: 1, payments_claimed: 1, offers_lapsing: 1, total: 3 })
      await shop.apply({ ...definition, services: definition.services.filter((one) => one.id !== 'svc_bike') })
      expect(await inbox()).toMatchObject({ stranded: 1, total: 4 })
      shop.minutesLater(31)
      expect(await inbox()).toMatchObject({ offers_lapsing: 0, total: 3 })
    })

    test('what nobody received is listed until it is sent again, and again if it is given up once more', async () => {
      const booking = await moved()
      await giveUp('mails', booking)
      await giveUp('deliveries', booking)
      expect(await inbox()).toMatchObject({ mails_given_up: 1, deliveries_given_up: 1 })
      const all = await givenUp()
      expect(all).toEqual([
        expect.objectContaining({ about: `booking ${booking.id}`, status: 'given_up', attempts: 9 }),
        expect.objectContaining({ about: `booking ${booking.id}`, status: 'given_up', attempts: 9 }),
      ])
      for (const { id } of all) expect((await staff('inbox_send_again', { told_id: id })).status).toBe(200)
      expect(await inbox()).toMatchObject({ mails_given_up: 0, deliveries_given_up: 0 })
      const { told } = (await staff('bookings_told', { booking_id: booking.id })).data
      expect(told.map(({ status, attempts }: { status: string; attempts: number }) => [status, attempts])).toEqual([
        ['waiting', 0],
        ['waiting', 0],
      ])
      expect((await staff('inbox_send_again', { told_id: all[0]?.id })).code).toBe('not_found')
      await giveUp('mails', booking)
      expect(await inbox()).toMatchObject({ mails_given_up: 1 })
      await staff('inbox_send_again', { told_id: (await givenUp())[0]?.id })
    })

    test('what need not be sent leaves the inbox and stays in the list of who was told what', async () => {
      const booking = await moved()
      await giveUp('mails', booking)
      const [mail] = await givenUp()
      expect((await staff('inbox_dismiss', { told_id: mail?.id })).data.inbox.mails_given_up).toBe(0)
      expect(await givenUp()).toEqual([])
      const { told } = (await staff('bookings_told', { booking_id: booking.id })).data
      expect(told).toContainEqual(expect.objectContaining({ id: mail?.id, status: 'given_up' }))
      for (const told_id of [mail?.id, 'mail_none', '0', '9'.repeat(40)])
        expect((await staff('inbox_dismiss', { told_id })).code).toBe('not_found')
    })

    test('[an erased booking stays erased] what names nobody any more waits for nobody', async () => {
      const booking = await moved()
      await giveUp('mails', booking)
      await staff('bookings_erase', { booking_id: booking.id })
      expect(await inbox()).toMatchObject({ mails_given_up: 0 })
      expect(await givenUp()).toEqual([])
    })
  },
)
