import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import type { Page } from 'playwright-core'
import { staffLinkMake } from '../../src/core/authentication/desk-sign-in-links.ts'
import { addStaff, findStaff } from '../../src/core/authentication/staff-members.ts'
import { ProtocolError } from '../../src/protocol/errors.ts'
import { buyer, restDesk } from '../support/desk.ts'
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

/** Asks what a change of the settings would bring about. */
async function review(page: Page, field: string, text: string) {
  await page.fill(`[name="${field}"]`, text)
  await Promise.all([page.waitForNavigation(), page.locator('main .save-bar button[value=review]').click()])
}

/** Sends the form for a picture without a file. */
async function saveNothing(page: Page) {
  await page.locator('main button[value=save]').click()
  await page.getByRole('alert').waitFor()
}

async function desk(shop: OpenShop): Promise<State[]> {
  const { db } = shop.runtime
  await addStaff(db, 'Jo', 'owner', shop.time.now)
  const [jo] = await findStaff(db, 'Jo')
  /** Each works once. */
  const link = () => staffLinkMake(db, shop.url, jo?.id ?? '', shop.time.now)
  const { paid, takeCash } = await counter(shop)
  const { booking } = (await restDesk(shop).book((await restDesk(shop).slots('svc_consult')).at(-1))).data
  const taken = await takenTime(shop)
  await sql`update mails set status = 'given_up', problem = '550 There is nobody of this name'
    where number = (select max(number) from mails)`.execute(db)
  const asViewer = async (page: Page) => {
    const name = `Kim ${randomUUID()}`
    await addStaff(db, name, 'viewer', shop.time.now)
    const [kim] = await findStaff(db, name)
    await page.goto(await staffLinkMake(db, shop.url, kim?.id ?? '', shop.time.now))
    await page.locator('main form button').click()
    await page.goto(`${shop.url}/desk/setup`)
  }
  return [
    ['the desk of nobody', '/desk'],
    [
      'a link that was asked for',
      '/desk/enter',
      async (page) => {
        await page.fill('#email', 'nobody@example.com')
        await page.locator('main button').click()
        await page.getByRole('status').waitFor()
      },
    ],
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
    ['moving a booking at the desk', `/desk/bookings/${booking.id}/move`],
    ['what is put elsewhere', `/desk?put=${booking.id}&date=${booking.slot.start.slice(0, 10)}`],
    ['everybody’s week', '/desk?view=week', (page) => page.locator('.which > summary').click()],
    ['somebody’s week', '/desk?view=week&with=staff_ann'],
    ['a booking to repeat', `/desk/bookings/${booking.id}/series?times=3`],
    [
      'taking a payment at the desk',
      `/desk/bookings/${paid.id}`,
      (page) => page.locator('details:has([name=given]) > summary').click(),
    ],
    [
      'an amount that is none',
      `/desk/bookings/${paid.id}`,
      async (page) => {
        await page.locator('details:has([name=given]) > summary').click()
        await page.fill('#pay-tip', 'two')
        await page.locator('[name=kind]').first().click()
        await page.getByRole('alert').waitFor()
      },
    ],
    ['a payment to correct', `/desk/bookings/${paid.id}`, openAll],
    ['change to give', `/desk/bookings/${paid.id}`, takeCash],
    ['a refund at the desk', `/desk/bookings/${paid.id}/refund`],
    [
      'a refund, asked once more',
      `/desk/bookings/${paid.id}/refund`,
      async (page) => {
        await page.locator('main form button').click()
        await page.locator('button.danger').waitFor()
      },
    ],
    ['the takings', '/desk/money'],
    ['the takings of no days', '/desk/money?from=2026-11-20&to=2026-11-19'],
    ['correcting a booking at the desk', `/desk/bookings/${booking.id}/correct`],
    ['booking at the desk', '/desk/book?service=svc_haircut'],
    ['a picture to upload', '/desk/setup/services/svc_haircut/picture'],
    ['a picture that is missing', '/desk/setup/services/svc_yoga/picture', saveNothing],
    ['the logo to upload', '/desk/setup/website/logo'],
    ['the customers of the desk', '/desk/customers?query=Alice'],
    ['a customer at the desk', `/desk/customers/${booking.id}?other=Rosa`],
    ['the reports', '/desk/reports'],
    ['the reports of no days', '/desk/reports?from=2026-11-20&to=2026-11-19'],
    ['the classes at the desk', `/desk/classes?date=${DAY}`],
    ['a class at the desk', `/desk/classes/${taken.session}`, openAll],
    ['the waitlist at the desk', '/desk/waitlist', openAll],
    ['a place to offer', `/desk/waitlist/${taken.entry}`],
    ['blocked times', '/desk/blocks', openAll],
    ['somebody away', `/desk/away?with=staff_ann&date=${DAY}`],
    ['the team', '/desk/people', openAll],
    [
      'a link for somebody new',
      '/desk/people',
      async (page) => {
        await page.locator('main summary').first().click()
        await page.fill('#name-new', 'Featherstonehaugh-Cholmondeley')
        await page.fill('#email-new', `kim${Math.random()}@example.com`)
        await page.locator('[value=invite]').click()
        await page.locator('.code').waitFor()
      },
    ],
    [
      'the last owner, who stays',
      '/desk/people',
      async (page) => {
        await openAll(page)
        await page.locator('main li').first().locator('[name=role]').selectOption('viewer')
        await page.locator('main li').first().locator('[value=change]').click()
        await page.getByRole('alert').waitFor()
      },
    ],
    ['the components of the desk', '/desk/design'],
    ['the components of the pages for buyers', '/desk/design/buyers'],
    ['the devices of the desk', '/desk/devices'],
    // At an address without a name browsers have no passkeys: `passkey.test.ts` looks at the page where they have.
    ['a passkey where there can be none', '/desk/passkey'],
    ['the desk without a connection', '/desk/offline'],
    ['the settings', '/desk/setup'],
    ['the hours in the settings', '/desk/setup/hours'],
    ['a service in the settings', '/desk/setup/services/svc_haircut', openAll],
    ['weeks that alternate in the settings', '/desk/setup/resources/staff_mei', addWeek],
    ['the settings of pages', '/desk/setup/website', (page) => review(page, 'website.welcome', 'Come in.')],
    ['settings that cannot be', '/desk/setup/business', (page) => review(page, 'business.url', 'nowhere')],
    ['the settings as a file', '/desk/setup/yaml'],
    ['the mail server', '/desk/setup/mail-server'],
    ['the calendars elsewhere', '/desk/calendars', openAll],
    ['text messages', '/desk/setup/text-messages'],
    ['the app for Google calendars', '/desk/setup/google-calendar'],
    ['the app for Microsoft calendars', '/desk/setup/microsoft-calendar'],
    ['Google calendars before there is an app', '/desk/calendars/google'],
    ['a return from Google that nobody began', '/desk/calendars/google/return?state=made-up&code=made-up'],
    ['Microsoft calendars before there is an app', '/desk/calendars/microsoft'],
    ['a return from Microsoft that nobody began', '/desk/calendars/microsoft/return?state=made-up&code=made-up'],
    ['company sign-in', '/desk/setup/company-sign-in'],
    ['company sign-in before its settings', '/desk/company-sign-in'],
    ['the test of the company sign-in before its settings', '/desk/company-sign-in/test'],
    ['a return from the provider that nobody began', '/desk/company-sign-in/return?state=made-up&code=made-up'],
    ['what a role does not cover', '/desk/setup', asViewer],
  ]
}

const DAY = '2026-12-10'

/** Hours in the first of the weeks: rows within rows. */
async function addWeek(page: Page) {
  // The rota is folded away in a folded part of the form.
  for (const one of await page.locator('details:has([name="rota.begins"]) > summary').all()) await one.click()
  await page.locator('[value="add:rota.weeks"]').click()
  await page.locator('[value="add:rota.weeks.0.hours"]').click()
  await page.locator('[name="rota.weeks.0.hours.0.opens"]').waitFor()
}

/** What is folded away is looked at as well. */
async function openAll(page: Page) {
  for (const one of await page.locator('main details > summary').all()) await one.click()
}

/** A class that somebody comes to and somebody waits for, and time that is blocked. */
async function takenTime(shop: OpenShop) {
  const platform = restDesk(shop)
  const slot = (await platform.slots('svc_yoga', { end_date: '2026-12-17' })).at(-1)
  const long = { ...buyer, last_name: 'Featherstonehaugh-Cholmondeley', phone_number: '+12125550143' }
  const { booking } = (await platform.book(slot, { party_size: 8, buyer: long })).data
  const join = { service_id: 'svc_yoga', slot_id: slot?.id, buyer: { ...long, email: 'kim@example.com' } }
  const { entry } = (await platform.call('usp_waitlist_join', join)).data
  const block = { resource_id: 'staff_ben', start: `${DAY}T10:00:00-05:00`, end: `${DAY}T11:00:00-05:00` }
  await platform.call('usp_business_blocks_create', { ...block, reason: 'Dentist' }, { as: shop.staff })
  const { session_id } = await shop.runtime.db
    .selectFrom('bookings')
    .select('session_id')
    .where('id', '=', booking.id)
    .executeTakeFirstOrThrow()
  return { session: session_id, entry: entry.id }
}

/** A booking of which some was paid, and more can be. */
async function counter(shop: OpenShop) {
  const platform = restDesk(shop)
  const { booking } = (await platform.book((await platform.slots('svc_paid')).at(-1))).data
  const input = { booking_id: booking.id, amount: 100, tip: 50, kind: 'cash' }
  await platform.call('usp_business_bookings_mark_paid', input, { as: shop.staff })
  const takeCash = async (page: Page) => {
    await page.locator('details:has([name=given]) > summary').click()
    await page.fill('#pay-amount', '1')
    await page.fill('#pay-given', '5')
    await page.locator('[value=cash]').first().click()
    await page.locator('.change').waitFor()
  }
  return { paid: booking, takeCash }
}
