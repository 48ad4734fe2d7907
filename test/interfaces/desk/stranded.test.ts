import { expect, test } from 'vitest'
import { businessDefinition } from '../../../src/core/business/definition-queries.ts'
import { deskSalon } from './receptionist.ts'

const { shop, signedIn, booked } = await deskSalon()

test('[inbox] what a change of the definition strands is shown with why, until somebody keeps it', async () => {
  const [staff, viewer] = [await signedIn('staff'), await signedIn('viewer')]
  const { booking, slot } = await booked('svc_auto')
  const inbox = async (who = staff) => (await who.open('/desk/inbox')).body
  expect(await inbox()).not.toContain('Bookings that no longer match your settings')
  const definition = await businessDefinition(shop.runtime.db)
  if (!definition) throw new Error('The salon has a definition')
  const day = slot.start.slice(0, 10)
  await shop.apply({ ...definition, closures: [{ from: day, to: day }] })
  await shop.runtime.business.seenBy(shop.runtime.db)

  expect(await inbox()).toContain('Bookings that no longer match your settings (1)')
  expect(await inbox()).toContain('closed at this time')
  expect(await inbox()).toContain(`name="keep" value="${booking.id}"`)
  expect(await inbox()).toContain(`href="/desk/bookings/${booking.id}/move"`)
  expect(await inbox()).toMatch(new RegExp(`href="/desk/bookings/${booking.id}">Cancel booking<`))
  expect(await inbox(viewer)).not.toMatch(/name="keep"|\/move"|Cancel booking/)
  expect((await viewer.send('/desk/inbox', { keep: booking.id })).status).toBe(403)
  expect((await staff.send('/desk/inbox', { keep: booking.id })).status).toBe(303)
  expect(await inbox()).not.toContain('Bookings that no longer match your settings')
  // Somebody else was faster, or there is no such booking: it is as it is.
  expect((await staff.send('/desk/inbox', { keep: booking.id })).status).toBe(303)
  expect((await staff.send('/desk/inbox', { keep: 'bkg_none' })).status).toBe(303)
})

test('a booking of a service that is gone cannot be moved or enlarged, and the page says why', async () => {
  const owner = await signedIn('owner')
  const { booking } = await booked('svc_auto')
  const definition = await businessDefinition(shop.runtime.db)
  if (!definition) throw new Error('The salon has a definition')
  await shop.apply({ ...definition, services: definition.services.filter(({ id }) => id !== 'svc_auto') })
  await shop.runtime.business.seenBy(shop.runtime.db)
  const buyer = { first_name: 'Alice', last_name: 'Williams', phone_number: '', email: 'alice@example.com' }
  const moved = await owner.send(`/desk/bookings/${booking.id}/move`, { start: '2026-12-09T10:00' })
  const enlarged = await owner.send(`/desk/bookings/${booking.id}/correct`, { ...buyer, party: '2', notes: '' })
  for (const { status, body } of [moved, enlarged]) {
    expect(status).toBe(409)
    expect(body).toContain('This service can no longer be booked here.')
  }
})
