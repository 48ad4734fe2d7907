import { expect, test } from 'vitest'
import { businessDefinition } from '../../../src/core/business/queries.ts'
import { deskSalon } from './receptionist.ts'

const { shop, signedIn, booked } = await deskSalon()

test('[inbox] what a change of the definition strands is shown with why, until somebody keeps it', async () => {
  const [staff, viewer] = [await signedIn('staff'), await signedIn('viewer')]
  const { booking, slot } = await booked('svc_auto')
  const inbox = async (who = staff) => (await who.open('/desk/inbox')).body
  expect(await inbox()).not.toContain('No longer match your settings')
  const definition = await businessDefinition(shop.runtime.db)
  if (!definition) throw new Error('The salon has a definition')
  const day = slot.start.slice(0, 10)
  await shop.apply({ ...definition, closures: [{ from: day, to: day }] })

  expect(await inbox()).toContain('No longer match your settings (1)')
  expect(await inbox()).toContain('closed at this time')
  expect(await inbox()).toContain(`name="keep" value="${booking.id}"`)
  expect(await inbox()).toContain(`href="/desk/bookings/${booking.id}/move"`)
  expect(await inbox()).toMatch(new RegExp(`href="/desk/bookings/${booking.id}">Cancel this booking<`))
  expect(await inbox(viewer)).not.toMatch(/name="keep"|\/move"|Cancel this booking/)
  expect((await viewer.send('/desk/inbox', { keep: booking.id })).status).toBe(403)
  expect((await staff.send('/desk/inbox', { keep: booking.id })).status).toBe(303)
  expect(await inbox()).not.toContain('No longer match your settings')
  // Somebody else was faster, or there is no such booking: it is as it is.
  expect((await staff.send('/desk/inbox', { keep: booking.id })).status).toBe(303)
  expect((await staff.send('/desk/inbox', { keep: 'bkg_none' })).status).toBe(303)
})
