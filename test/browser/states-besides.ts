import type { Page } from 'playwright-core'
import { addStaff, findStaff } from '../../src/authentication/staff.ts'
import { staffLinkMake } from '../../src/authentication/staff-links.ts'
import { ProtocolError } from '../../src/protocol/errors.ts'
import { restDesk } from '../support/desk.ts'
import type { State } from './every-state.ts'
import type { OpenShop } from './open-shop.ts'

/** What nobody looks for: all that goes wrong, and what only the staff see. */
export const statesBesides = async (shop: OpenShop, booking: string): Promise<State[]> => [
  ...failures(shop, booking),
  ...(await desk(shop)),
]

/** Sends a form from where one is, as a browser does. */
const send = (page: Page, action: string, { text = '', enctype = 'application/x-www-form-urlencoded' } = {}) =>
  Promise.all([
    page.waitForNavigation(),
    page.evaluate(`{
      const form = document.createElement('form')
      Object.assign(form, { method: 'post', action: ${JSON.stringify(action)}, enctype: ${JSON.stringify(enctype)} })
      form.append(Object.assign(document.createElement('textarea'), { name: 'text', value: ${JSON.stringify(text)} }))
      document.body.append(form)
      form.submit()
    }`),
  ])

function failures(shop: OpenShop, booking: string): State[] {
  const failing = (error: Error) => async (page: Page) => {
    const { now } = shop.time
    Object.defineProperty(shop.time, 'now', { configurable: true, get: () => raise(error) })
    await page.reload()
    Object.defineProperty(shop.time, 'now', { configurable: true, writable: true, value: now })
  }
  return [
    ['a form of another site', shop.site, (page) => send(page, booking)],
    ['a form that is too long', booking, (page) => send(page, booking, { text: 'a'.repeat(300_000) })],
    ['a form that is none', booking, (page) => send(page, booking, { enctype: 'text/plain' })],
    ['pages that are opened too often', booking, failing(new ProtocolError('rate_limited', 'x', { retryAfter: 30 }))],
    ['what fails', booking, failing(new Error('broken'))],
    ['what fails for now', booking, failing(new ProtocolError('service_unavailable', 'x'))],
  ]
}

const raise = (error: Error): never => {
  throw error
}

async function desk(shop: OpenShop): Promise<State[]> {
  const { db } = shop.runtime
  await addStaff(db, 'Jo', 'owner', shop.time.now)
  const [jo] = await findStaff(db, 'Jo')
  /** Each works once. */
  const link = () => staffLinkMake(db, shop.url, jo?.id ?? '', shop.time.now)
  const { booking } = (await restDesk(shop).book((await restDesk(shop).slots('svc_consult')).at(-1))).data
  return [
    ['the desk of nobody', '/desk'],
    ['a link to the desk', await link()],
    [
      'the day at the desk',
      '/desk',
      async (page) => {
        await page.goto(await link())
        await page.locator('main form button').click()
        await page.waitForURL(/\/desk$/)
      },
    ],
    ['what needs somebody at the desk', '/desk/inbox'],
    ['the bookings at the desk', '/desk/bookings?query=Alice'],
    ['a booking at the desk', `/desk/bookings/${booking.id}`],
    ['what is put elsewhere', `/desk?put=${booking.id}&date=${booking.slot.start.slice(0, 10)}`],
    ['everybody’s week', '/desk?view=week', (page) => page.evaluate('document.querySelector(".which").open = true')],
    ['somebody’s week', '/desk?view=week&with=staff_ann'],
    ['a booking to repeat', `/desk/bookings/${booking.id}/series?times=3`],
    ['booking at the desk', '/desk/book?service=svc_haircut'],
    ['the devices of the desk', '/desk/devices'],
  ]
}
