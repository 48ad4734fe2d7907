import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { salon } from '../booking-flow/visitor.ts'
import { restDesk } from '../support/desk.ts'
import { hasBrowser } from './chromium.ts'
import { bookingOf, openShop } from './open-shop.ts'
import { ADDRESS, comes, SEE, WAYS } from './visitor.ts'

describe.runIf(hasBrowser)('[the buyer’s side of a booking, in a real browser]', async () => {
  const shop = await openShop(salon())

  test.each(WAYS)('%s a haircut is booked, put into a calendar, kept, moved and canceled', async (_, way) => {
    const visitor = await comes(shop, way, 'svc_haircut')
    const { frame, localizer } = visitor
    await visitor.bookFirst()
    expect(await bookingOf(shop, frame)).toMatchObject({ service_id: 'svc_haircut', status: 'confirmed' })

    const file = await visitor.download('main a[href$=".ics"]')
    expect(file.suggestedFilename()).toBe('booking.ics')
    const name = localizer.language === 'de' ? 'Damenhaarschnitt und Styling' : 'Women’s Haircut & Style'
    expect(readFileSync(await file.path(), 'utf8')).toContain(`SUMMARY:${name}`)

    // It begins within a day, so that canceling costs something.
    await visitor.press('main a[href*="/cancel/"]', /\/cancel\//)
    await visitor.reads('booking.cancel.owed', { fee: localizer.money(2_500, 'USD') })
    await visitor.press(SEE, /\/manage\//)
    const before = await visitor.row('booking.when')

    await visitor.press('main a[href*="/move/"]', /\/move\//)
    await visitor.press('.days a:not([aria-current])', /day=/)
    await visitor.press('.times a', /time=/)
    expect(await visitor.row('booking.move.from')).toBe(before)
    const after = await visitor.row('booking.move.to')
    await visitor.reads('booking.move.free')
    await visitor.press('main form button', /\/manage\//)
    expect(await visitor.row('booking.when')).toBe(after)
    expect(after).not.toBe(before)
    expect(await bookingOf(shop, frame)).toMatchObject({ status: 'confirmed', record: { reschedules: 1 } })

    await visitor.press('main a[href*="/cancel/"]', /\/cancel\//)
    await visitor.write({ reason: 'I am ill' })
    await visitor.press('main form button', /\/manage\//)
    await visitor.reads('booking.canceled')
    expect(await frame.locator('main a[href*="/move/"], main a[href*="/cancel/"]').count()).toBe(0)
    expect(await bookingOf(shop, frame)).toMatchObject({
      status: 'canceled',
      record: { cancellation: { canceled_by: 'buyer', reason: 'I am ill' } },
    })
  })

  // Which times there are to move to depends on what is booked, and how somebody comes is the same for all: so each comes in one way.
  const others = [
    ['a table', 'svc_table', {}],
    ['a bike', 'svc_bike', {}],
    ['a plumber', 'svc_plumbing', ADDRESS],
    ['a class', 'svc_yoga', {}],
  ] as const
  const each = WAYS.flatMap(([name, way], index) => {
    const other = others[index]
    return other ? [[name, other[0], way, other[1], other[2]] as const] : []
  })

  test.each(each)('%s %s is moved and canceled', async (_, __, way, service, details) => {
    const visitor = await comes(shop, way, service)
    const { frame } = visitor
    await visitor.bookFirst(details)
    const { id, status, ends_at, starts_at } = await bookingOf(shop, frame)
    if (status === 'requires_action') {
      await restDesk(shop).call('usp_business_bookings_mark_paid', { booking_id: id }, { as: shop.staff })
      await visitor.open(frame.url())
      await visitor.press(SEE, /\/manage\//)
    }
    await visitor.press('main a[href*="/move/"]', /\/move\//)
    await visitor.press('.days a:not([aria-current])', /day=/)
    await visitor.press('.times a', /time=/)
    const after = await visitor.row('booking.move.to')
    await visitor.press('main form button', /\/manage\//)
    expect(await visitor.row('booking.when')).toBe(after)
    const moved = await bookingOf(shop, frame)
    expect(moved.ends_at.getTime() - moved.starts_at.getTime()).toBe(ends_at.getTime() - starts_at.getTime())
    expect(moved).toMatchObject({ status: 'confirmed', record: { reschedules: 1 } })

    await visitor.press('main a[href*="/cancel/"]', /\/cancel\//)
    await visitor.press('main form button', /\/manage\//)
    await visitor.reads('booking.canceled')
    expect(await bookingOf(shop, frame)).toMatchObject({ status: 'canceled' })
  })
})
