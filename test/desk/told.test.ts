import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { sendDueEvents } from '../../src/core/events/delivery-worker.ts'
import { sendDueMails } from '../../src/core/mails/mail-worker.ts'
import { inStudio } from './studio.ts'

interface Told {
  id: string
  what: string
  audience: string
  status: string
}

await inStudio((desk, staff, shop) => {
  const { runtime } = shop
  const buyer = { first_name: 'Rosa', last_name: 'Reyes', email: 'rosa@example.com' }
  const told = async (booking_id: string): Promise<Told[]> => (await staff('bookings_told', { booking_id })).data.told
  const again = (booking_id: string, told_id: string) => staff('bookings_tell_again', { booking_id, told_id })
  let nth = 0
  const moved = async () => {
    const slots = await desk.slots('svc_counter')
    const { booking } = (await desk.book(slots[nth++], { buyer })).data
    await staff('bookings_reschedule', { booking_id: booking.id, slot_id: slots.at(-1 - nth).id })
    return booking.id as string
  }

  test('who was told what is listed, the newest first, with what became of it', async () => {
    const id = await moved()
    await sql`update deliveries set status = 'given_up', ended_at = now() where subject = ${`booking ${id}`}`.execute(
      runtime.db,
    )
    const all = await told(id)
    expect(all.map(({ what, audience, status }) => [what, audience, status])).toEqual([
      ['booking.moved_by_business', 'buyer', 'waiting'],
      ['booking.rescheduled', 'platform', 'given_up'],
    ])
    expect(all[0]).toMatchObject({ to: buyer.email, subject: expect.stringContaining('Rescheduled by ') })
    await sendDueMails(runtime)
    expect((await told(id))[0]).toMatchObject({ status: 'sent', attempts: 1, ended_at: expect.any(String) })
  })

  test('a mail is sent again, and an event, and who had it sent stands in the journal', async () => {
    const id = await moved()
    await sendDueMails(runtime)
    await sendDueEvents(runtime)
    await sql`update deliveries set status = 'given_up', ended_at = now() where subject = ${`booking ${id}`}`.execute(
      runtime.db,
    )
    const [mail, event] = await told(id)
    for (const one of [mail, event]) {
      const said = await again(id, one?.id ?? '')
      expect(said.data.told).toMatchObject({ id: one?.id, status: 'waiting', attempts: 0 })
    }
    await sendDueMails(runtime)
    expect((await told(id)).map(({ status }) => status)).toEqual(['sent', 'waiting'])
    const { changes } = (await staff('bookings_get', { booking_id: id })).data
    expect(changes.at(-1)).toMatchObject({ action: 'tell_again', detail: { told: event?.id } })
  })

  test('nothing is sent again that still waits, names nobody, or is of another booking', async () => {
    const [id, other] = [await moved(), await moved()]
    const [mail] = await told(id)
    expect((await again(id, mail?.id ?? '')).code).toBe('invalid_transition')
    for (const strange of [mail?.id ?? '', 'mail_none', '0', '9'.repeat(40), 'x'])
      expect((await again(other, strange)).code).toBe('not_found')
    await staff('bookings_erase', { booking_id: id })
    const [erased] = await told(id)
    expect(erased).not.toHaveProperty('to')
    expect(erased).not.toHaveProperty('subject')
    expect((await again(id, erased?.id ?? '')).code).toBe('invalid_transition')
    expect((await staff('bookings_told', { booking_id: 'bkg_none' })).code).toBe('booking_not_found')
  })
})
