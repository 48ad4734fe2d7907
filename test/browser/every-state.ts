import type { Page } from 'playwright-core'
import { pageUrl } from '../../src/domain/bookings/booking-page-links.ts'
import { entryUrl } from '../../src/domain/waitlist/entry-page-link.ts'
import { salon, visitor } from '../booking-flow/visitor.ts'
import { browser, studio } from '../pages/shop.ts'
import { buyer, restDesk, type Slot } from '../support/desk.ts'
import { openShop, secondsLater } from './open-shop.ts'
import { statesBesides } from './states-besides.ts'
import { statesOfAccount } from './states-of-account.ts'
import { fillIn, ROSA, sendSlowly, submit } from './visitor.ts'

/** What a page is called here, its address, and what is done there first. */
export type Act = (page: Page) => Promise<unknown>
export type State = [name: string, address: string, act?: Act]

const EMAIL = 'rosa@example.com'
const DAY_MINUTES = 24 * 60

/** A shop in which everything that a buyer can see has come about. */
export async function everyState() {
  const base = salon()
  const limits = { visitors: { holds: 2 } }
  const services = [...base.services, ...studio().services]
  const definition = { ...base, services, limits }
  const shop = await openShop(definition, { TRUST_PROXY: '127.0.0.1' })
  const { tag } = shop.runtime
  const desk = restDesk(shop)
  const { send } = browser(shop)

  let used = 0
  const bookedAt = async (slot: Slot) => (await desk.book(slot, { buyer: { ...buyer, email: EMAIL } })).data.booking
  const booked = async (service: string) => bookedAt((await desk.slots(service))[used++])
  const bookedToday = async (service: string) =>
    bookedAt((await desk.slots(service, { start_date: '2026-11-20', end_date: '2026-11-20' }))[0])
  const byStaff = (what: string, { id }: { id: string }) =>
    desk.call(`usp_business_bookings_${what}`, { booking_id: id }, { as: shop.staff })
  const of = (
    { id }: { id: string },
    page: 'manage' | 'cancel' | 'move' | 'attend' | 'waiver' | 'intake' | 'payment',
  ) => pageUrl(shop.url, tag, { id: id, record: {} }, page)

  const classes = await desk.slots('svc_yoga', { end_date: '2026-12-17' })
  /** Somebody waits for a class that is full. */
  const inLine = async () => {
    const slot = classes.shift()
    const { booking } = (await desk.book(slot, { party_size: 8 })).data
    const join = { service_id: 'svc_yoga', slot_id: slot.id, buyer: { ...buyer, email: EMAIL } }
    const { entry } = (await desk.call('usp_waitlist_join', join)).data
    return { slot, free: () => desk.cancel(booking.id), url: entryUrl(shop.url, tag, entry.id) }
  }

  const [lapsed, offerOver] = [await booked('svc_all'), await inLine()]
  const [over, missed] = [await bookedToday('svc_free'), await bookedToday('svc_haircut')]
  await offerOver.free()
  shop.minutesLater(DAY_MINUTES + 1)
  await byStaff('start', over)
  await byStaff('complete', over)
  await byStaff('no_show', missed)
  const asked = await booked('svc_consult')

  const [stands, attended, firm, paid, canceled] = [
    await booked('svc_free'),
    await booked('svc_free'),
    await booked('svc_firm'),
    await booked('svc_late'),
    await booked('svc_late'),
  ]
  const [toPay, claimed, toAgree, agreed, toAnswer] = [
    await booked('svc_paid'),
    await booked('svc_paid'),
    await booked('svc_all'),
    await booked('svc_waiver'),
    await booked('svc_intake'),
  ]
  for (const one of [paid, canceled]) await byStaff('mark_paid', one)
  await desk.cancel(canceled.id)
  await send(of(claimed, 'payment'), { do: 'claim' })
  await send(of(agreed, 'waiver'))
  await send(of(attended, 'attend'))
  const [deposit, notYet] = [await booked('svc_deposit'), await booked('svc_asked')]
  await byStaff('mark_paid', deposit)
  const [waits, offered] = [await inLine(), await inLine()]
  await offered.free()
  const left = await inLine()
  await send(`${left.url}/leave`)
  const queue = `/book/svc_yoga/waitlist?party=1&day=${waits.slot.start.slice(0, 10)}&time=${Date.parse(waits.slot.start)}-${Date.parse(waits.slot.end)}`
  await visitor(shop).fill(queue, ROSA)

  /** As when what it costs has changed since the page was opened. */
  const onOtherTerms = async (page: Page) => {
    await page.locator('[name=terms]').waitFor({ state: 'attached' })
    await page.evaluate('document.querySelector("[name=terms]").value = "others"')
    await submit(page)
    await page.getByRole('alert').waitFor()
  }
  let networks = 0
  /** Each time from a network of its own, which may keep it. */
  const keep = async (page: Page) => {
    await page.setExtraHTTPHeaders({ 'x-forwarded-for': `198.51.100.${++networks}` })
    await page.locator('.times button').first().click()
    await page.waitForURL(/\/details\?/)
    await page.setExtraHTTPHeaders({})
  }
  const states: State[] = [
    ['all services', '/book'],
    ['a service with people', '/book/svc_haircut'],
    ['a service for several', '/book/svc_table'],
    ['a class', '/book/svc_yoga'],
    ['a service that there is not', '/book/none'],
    ['a class that is full', `/book/svc_yoga?day=${waits.slot.start.slice(0, 10)}`],
    ['the details', '/book/svc_plumbing', keep],
    [
      'the details of nobody',
      '/book/svc_plumbing',
      async (page) => {
        await keep(page)
        await sendSlowly(page, shop)
        await page.locator('[aria-invalid]').first().waitFor()
      },
    ],
    [
      'the details of what was booked by somebody else',
      '/book/svc_free',
      async (page) => {
        await keep(page)
        const details = page.url()
        await fillIn(page, ROSA)
        await sendSlowly(page, shop)
        await page.waitForURL(/\/booking\//)
        await page.context().clearCookies()
        await page.goto(details)
        await page.getByRole('alert').waitFor()
      },
    ],
    ['a booking with its receipt', of(paid, 'manage')],
    ['a canceled booking', of(canceled, 'manage')],
    ['a booking with things to do', of(toAgree, 'manage')],
    ['a booking that waits for approval', of(asked, 'manage')],
    ['a booking that is over', of(over, 'manage')],
    ['a booking to which nobody came', of(missed, 'manage')],
    ['moving it', of(stands, 'move')],
    ['moving it, asked once more', of(stands, 'move'), (page) => page.locator('.times a').first().click()],
    [
      'moving it for what it does not cost any more',
      of(stands, 'move'),
      async (page) => {
        await page.locator('.times a').first().click()
        await onOtherTerms(page)
      },
    ],
    ['moving it to what is gone', `${of(stands, 'move')}?time=0-0`],
    ['moving it while things are to do', of(toAgree, 'move')],
    ['canceling it', of(paid, 'cancel')],
    ['canceling it for what it does not cost any more', of(paid, 'cancel'), onOtherTerms],
    ['what cannot be canceled', of(firm, 'cancel')],
    ['saying whether one comes', of(stands, 'attend')],
    ['a booking whose buyer has confirmed to come', of(attended, 'manage')],
    ['paying by hand', of(toPay, 'payment')],
    ['said to be paid', of(claimed, 'payment')],
    ['left unpaid', `${of(toPay, 'payment')}/back`],
    ['said to be paid elsewhere, and not seen', `${of(toPay, 'payment')}/done`],
    ['paid', of(paid, 'payment')],
    ['a deposit that is paid', of(deposit, 'payment')],
    ['nothing to do yet', of(notYet, 'payment')],
    ['nothing to do', of(stands, 'waiver')],
    ['expired', of(lapsed, 'payment')],
    ['canceled', of(canceled, 'waiver')],
    ['a waiver', of(toAgree, 'waiver')],
    ['agreed', of(agreed, 'waiver')],
    ['questions', of(toAnswer, 'intake')],
    [
      'questions that lack an answer',
      of(toAnswer, 'intake'),
      async (page) => {
        await fillIn(page, { 'question-allergies': ' ' })
        await submit(page)
        await page.locator('[aria-invalid]').waitFor()
      },
    ],
    ['joining the waitlist', queue],
    [
      'joining it as nobody',
      queue,
      async (page) => {
        await sendSlowly(page, shop)
        await page.locator('[aria-invalid]').first().waitFor()
      },
    ],
    ['in line', waits.url],
    ['out of it', left.url],
    ['leaving the line', `${waits.url}/leave`],
    ['an offer', offered.url],
    ['declining it', `${offered.url}/decline`],
    ['an offer that is over', offerOver.url],
    ['what is searched for in vain', '/book?q=zzzzqq', (page) => page.getByRole('status').waitFor()],

    ['a day without times', '/book/svc_haircut?day=2026-11-23', (page) => page.getByRole('status').waitFor()],
    ['what there is not', '/booking/none/manage/none'],
    [
      'a time that somebody else has taken',
      '/book/svc_free?day=2026-11-26',
      async (page) => {
        const time = await page.locator('.times button').first().getAttribute('value')
        const slots = await desk.slots('svc_free')
        await desk.book(slots.find(({ start, end }) => time === `${Date.parse(start)}-${Date.parse(end)}`))
        await page.locator('.times button').first().click()
        await page.getByRole('alert').waitFor()
      },
    ],
    [
      'more times than one may keep',
      '/book/svc_haircut',
      async (page) => {
        const headers = { 'x-forwarded-for': '203.0.113.9' }
        const same = visitor(shop, headers)
        const times = await same.open('/book/svc_haircut')
        for (const { time } of same.times(times).slice(0, limits.visitors.holds)) await same.press(times, time)
        await page.setExtraHTTPHeaders(headers)
        const refused = page.waitForResponse((answer) => answer.status() === 429)
        await page.locator('.times button').last().click()
        await refused
        await page.waitForLoadState()
        await page.setExtraHTTPHeaders({})
      },
    ],
    [
      'a time that was kept too long',
      '/book/svc_call',
      async (page) => {
        await keep(page)
        secondsLater(shop, 11 * 60)
        await page.reload()
        secondsLater(shop, -11 * 60)
        await page.getByRole('alert').waitFor()
      },
    ],
  ]
  const others = [await statesOfAccount(shop, EMAIL), await statesBesides(shop, of(stands, 'manage'))]
  return { shop, definition, states: [...states, ...others.flat()] }
}
