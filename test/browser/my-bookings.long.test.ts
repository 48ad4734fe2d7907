import { describe, expect, test } from 'vitest'
import { salon } from '../booking-flow/visitor.ts'
import { ways } from '../my-bookings/visitor.ts'
import { newEmail } from '../oauth/browser.ts'
import { buyer, restDesk } from '../support/desk.ts'
import { hasBrowser } from './chromium.ts'
import { bookingOf, openShop } from './open-shop.ts'
import { comes, WAYS } from './visitor.ts'

describe.runIf(hasBrowser)('[finding bookings again, in a real browser]', async () => {
  const shop = await openShop(salon())
  const desk = restDesk(shop)
  const { linkTo } = ways(shop)
  const tables = await desk.slots('svc_table')

  test.each(WAYS)('%s a link is asked for, opens the bookings of the address, and leads to each', async (_, way) => {
    const slot = tables.shift()
    const email = `rosa-${tables.length}@example.com`
    const { booking } = (await desk.book(slot, { buyer: { ...buyer, email } })).data

    const visitor = await comes(shop, way, 'svc_table')
    // From a frame it leads to a window of its own.
    visitor.leaveFrame()
    if (way.isFramed) await visitor.open('/my')
    else await visitor.press('footer a[href="/my"]', /\/my$/)
    await visitor.write({ email })
    await visitor.press('main form button')
    await visitor.reads('my.sent')
    await visitor.open(await linkTo(email))
    await visitor.press('main form button', /\/my$/)
    await visitor.reads('my.signed_in', { email })
    await visitor.press('.bookings a', /\/manage\//)
    expect(await bookingOf(shop, visitor.frame)).toMatchObject({ id: booking.id })

    await visitor.press('footer a[href="/my"]', /\/my$/)
    await visitor.press('main form button[value="leave"]')
    await visitor.frame.locator('#email').waitFor()
  })

  test.each(WAYS)(
    '%s an account is made by a link, and a password chosen with it signs in the next time',
    async (_, way) => {
      const email = newEmail()
      const password = 'correct horse battery'
      const visitor = await comes(shop, way, 'svc_table')
      visitor.leaveFrame()
      await visitor.open('/account')
      await visitor.write({ 'link-email': email })
      await visitor.press('main form[action="/my"] button')
      await visitor.reads('my.sent')
      await visitor.open(await linkTo(email))
      await visitor.write({ 'new-password': password })
      await visitor.press('main button[value="choose"]', /\/account$/)
      await visitor.reads('account.signed_in', { buyer: email })
      await visitor.press('main button[value="leave"]')
      await visitor.frame.locator('#password').waitFor()
      await visitor.write({ email, password })
      await visitor.press('main button[value="sign_in"]')
      await visitor.reads('account.signed_in', { buyer: email })
    },
  )
})
