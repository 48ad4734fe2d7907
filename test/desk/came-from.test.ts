import { expect, test } from 'vitest'
import { createBooking } from '../../src/domain/bookings/create-booking.ts'
import { joinWaitlist } from '../../src/domain/waitlist/join-waitlist.ts'
import { callAsVisitor } from '../../src/pipeline/call-operation-from-page.ts'
import { newAssistedVisit } from '../../src/pipeline/page-visitor.ts'
import { onBothDesks } from '../support/desk.ts'
import { CLASS, lineOf, openShop, person } from '../waitlist/queue.ts'

const WAYS = ['page', 'assistant', 'platform', 'staff'] as const

await onBothDesks(openShop, (desk, shop) => {
  const staff = (what: string, input: Record<string, unknown> = {}) =>
    desk.call(`usp_business_${what}`, input, { as: shop.staff })
  const visit = { visitor: 'somebody', peer: { address: '203.0.113.7' } }

  test('[where a booking came from] the staff are told, and find it by that', async () => {
    const [first, , second, , third, , fourth] = await desk.slots('svc_plain')
    const asked = { service_id: 'svc_plain', slot_id: first.id, buyer: person('Page') }
    const answer = await callAsVisitor(createBooking, asked, visit, shop.runtime)
    if (answer.refusal) throw new Error(answer.refusal.content)
    const byLink = { ...visit, visitor: newAssistedVisit() }
    const linked = await callAsVisitor(createBooking, { ...asked, slot_id: fourth.id }, byLink, shop.runtime)
    if (linked.refusal) throw new Error(linked.refusal.content)
    const ofPlatform = (await desk.book(second)).data.booking
    const { data } = await staff('bookings_create', {
      service_id: 'svc_plain',
      slot_id: third.id,
      buyer: person('Desk'),
    })
    const { booking: assistant } = linked.result
    const made = { page: answer.result.booking, assistant, platform: ofPlatform, staff: data.booking }

    const { principal, profile } = shop.platform
    for (const way of WAYS) {
      const { details } = (await staff('bookings_get', { booking_id: made[way].id })).data
      const { came_from, booked_by, profile: told } = details
      const known = way === 'platform' ? { booked_by: principal, profile } : {}
      expect({ came_from, booked_by, profile: told }).toEqual({ came_from: way, ...known })
      const { bookings } = (await staff('bookings_list', { came_from: way })).data
      expect(bookings.map(({ id }: { id: string }) => id)).toEqual([made[way].id])
    }
    expect((await staff('bookings_list', { came_from: 'elsewhere' })).code).toBe('validation_error')
    expect(JSON.stringify([ofPlatform, (await desk.get(ofPlatform.id)).data])).not.toContain('came_from')
  })

  test('[where a booking came from] so with whoever waits, and with what they are offered', async () => {
    const line = lineOf(desk)
    const [booking] = await line.fill()
    const asked = { service_id: CLASS, buyer: person('Page') }
    const answer = await callAsVisitor(joinWaitlist, asked, visit, shop.runtime)
    if (answer.refusal) throw new Error(answer.refusal.content)
    const entries = { page: answer.result.entry, platform: await line.wait('Platform') }
    for (const way of ['page', 'platform'] as const) {
      const { details } = (await staff('waitlist_get', { entry_id: entries[way].id })).data
      const known = way === 'platform' ? { joined_by: shop.platform.principal, profile: shop.platform.profile } : {}
      expect(details).toEqual({ came_from: way, ...known })
      const listed = (await staff('waitlist_list', { came_from: way })).data.entries
      expect(listed.map(({ id }: { id: string }) => id)).toEqual([entries[way].id])
    }
    expect((await staff('waitlist_list', { came_from: 'staff' })).data.entries).toEqual([])

    await staff('waitlist_remove', { entry_id: entries.page.id })
    await desk.cancel(booking.id)
    const accepted = (await line.accept(entries.platform.id)).data.booking
    expect((await staff('bookings_get', { booking_id: accepted.id })).data.details.came_from).toBe('platform')
  })
})
