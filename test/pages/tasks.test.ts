import { describe, expect, test } from 'vitest'
import { pageUrl } from '../../src/domain/bookings/booking-page-links.ts'
import { restDesk, testShop } from '../support/desk.ts'
import type { Answer } from '../support/server.ts'
import { browser, continueUrl, studio } from './shop.ts'

const shop = await testShop(studio())
const desk = restDesk(shop)
const page = browser(shop)
const { db } = shop.runtime

async function booked(service: string) {
  const [slot] = await desk.slots(service)
  return (await desk.book(slot)).data.booking
}
const now = async ({ id }: { id: string }) => (await desk.get(id)).data.booking
const peopleOf = ({ id }: { id: string }) =>
  db.selectFrom('bookings').select('people').where('id', '=', id).executeTakeFirstOrThrow()

describe('the page of a waiver', () => {
  test('shows the text, and the booking stands once it is agreed to', async () => {
    const booking = await booked('svc_waiver')
    const url = continueUrl(booking, 'waiver')
    const { status, body } = await page.open(url)
    expect(status).toBe(200)
    expect(body).toContain('I take part at my own risk.\nI am &lt;fit&gt; &amp; well.')
    expect(body).toContain('href="https://studio.example/waiver"')
    const sent = await page.send(url)
    expect([sent.status, sent.headers.location]).toEqual([303, new URL(url).pathname])
    expect(await now(booking)).toMatchObject({ status: 'confirmed' })
    const after = await page.open(url)
    expect(after.status).toBe(200)
    expect(after.body).toContain('<h1>You have agreed</h1>')
    expect(after.body).toContain('Your booking is confirmed')
  })

  test('takes a form that is sent twice at once as one', async () => {
    const booking = await booked('svc_waiver')
    const url = continueUrl(booking, 'waiver')
    const answers = await Promise.all([page.send(url), page.send(url), page.send(url)])
    expect(answers.map(({ status }) => status)).toEqual([303, 303, 303])
    const changes = await db
      .selectFrom('changes')
      .select(['actor', 'action', 'to_status'])
      .where('subject', '=', `booking ${booking.id}`)
      .orderBy('number')
      .execute()
    expect(changes.slice(1)).toEqual([{ actor: 'buyer', action: 'complete_waiver', to_status: 'confirmed' }])
  })
})

describe('the page of the questions', () => {
  test('wants what is required, and keeps what was written', async () => {
    const booking = await booked('svc_intake')
    const url = continueUrl(booking, 'intake')
    const { body } = await page.open(url)
    expect(body).toMatch(/<textarea id="question-allergies" name="allergies"[^>]* required>/)
    expect(body).not.toMatch(/<textarea id="question-music"[^>]* required>/)
    const refused = await page.send(url, { allergies: '  ', music: 'Jazz & <b>blues</b>' })
    expect(refused.status).toBe(422)
    expect(refused.body).toContain('aria-invalid="true" aria-describedby="question-allergies-error"')
    expect(refused.body).toContain('Jazz &amp; &lt;b&gt;blues&lt;/b&gt;</textarea>')
    expect(await now(booking)).toMatchObject({ status: 'requires_action', revision: booking.revision })
  })

  test('refuses answers that are too long', async () => {
    const booking = await booked('svc_intake')
    const refused = await page.send(continueUrl(booking, 'intake'), { allergies: 'x'.repeat(2001) })
    expect(refused.body).toMatch(/role="alert">.*<a href="#question-allergies".*<textarea id="question-allergies"/s)
    expect(refused.status).toBe(422)
    expect(refused.body).toContain('2000 characters or fewer')
  })

  test('keeps the first answers, and only those to its questions, with the people', async () => {
    const booking = await booked('svc_intake')
    const url = continueUrl(booking, 'intake')
    expect((await page.send(url, { allergies: ' Nuts ', music: '', card: '4242' })).status).toBe(303)
    expect(await now(booking)).toMatchObject({ status: 'confirmed' })
    expect((await page.send(url, { allergies: 'None' })).status).toBe(303)
    const { people } = await peopleOf(booking)
    expect(people).toMatchObject({ answers: { allergies: 'Nuts' } })
    expect(JSON.stringify(people)).not.toContain('4242')
    expect((await page.open(url)).body).toContain('<h1>Your answers were sent</h1>')
  })
})

test('[PAY-027] [PAY-039] each page leads on to what is left, and the last to do makes the booking stand', async () => {
  const booking = await booked('svc_all')
  const [waiver, intake, payment] = ['waiver', 'intake', 'payment'].map((type) => continueUrl(booking, type))
  const leadsTo = async (url = '') => {
    const { body } = await page.open(url)
    return [waiver, intake, payment].map((one = '') => body.includes(`href="${new URL(one).pathname}"`))
  }
  expect(await leadsTo(booking.booking_url)).toEqual([true, true, true])
  const goesOnTo = ({ headers }: Answer) => new URL(headers.location ?? '', waiver).href
  expect(goesOnTo(await page.send(waiver ?? ''))).toBe(intake)
  expect(await leadsTo(waiver)).toEqual([false, true, true])
  expect(goesOnTo(await page.send(intake ?? '', { allergies: 'None' }))).toBe(payment)
  expect(await leadsTo(intake)).toEqual([false, false, true])
  expect(await now(booking)).toMatchObject({ status: 'requires_action' })
  await desk.pay(booking)
  expect(await now(booking)).toMatchObject({ status: 'confirmed' })
  expect(await leadsTo(booking.booking_url)).toEqual([false, false, false])
})

test('[only a payment leads back] to the platform; what else is done leads to nobody', async () => {
  const [slot] = await desk.slots('svc_all')
  const wish = { post_payment_return_request: { url: 'https://platform.example/back' } }
  const { booking } = (await desk.book(slot, wish)).data
  const [waiver, payment] = [continueUrl(booking, 'waiver'), continueUrl(booking, 'payment')]
  await page.send(waiver)
  await desk.pay(booking)
  const leadsBack = async (url: string) => (await page.open(url)).body.includes('Back to platform.example')
  expect([await leadsBack(waiver), await leadsBack(payment)]).toEqual([false, true])
})

describe.each(['waiver', 'intake', 'payment'])('the page for the %s', (type) => {
  const url = (booking: object) => continueUrl(booking, type)
  const answers = { allergies: 'None' }

  test('[PAY-032] says after its time that it has expired, and takes nothing', async () => {
    const booking = await booked('svc_all')
    shop.minutesLater(24 * 60)
    const { status, body } = await page.open(url(booking))
    expect(status).toBe(410)
    expect(body).toContain('<h1>This link has expired</h1>')
    expect(body).not.toContain('<form')
    expect((await page.send(url(booking), answers)).status).toBe(303)
    expect((await page.open(url(booking))).status).toBe(410)
    expect(await now(booking)).toMatchObject({ status: 'canceled' })
  })

  test('[PAY-033] says of a canceled booking that it was canceled, and takes nothing', async () => {
    const booking = await booked('svc_all')
    const { revision } = (await desk.cancel(booking.id)).data.booking
    const { status, body } = await page.open(url(booking))
    expect(status).toBe(410)
    expect(body).toContain('<h1>This booking was canceled</h1>')
    expect(body).not.toContain('<form')
    expect((await page.send(url(booking), answers)).status).toBe(303)
    expect(await now(booking)).toMatchObject({ status: 'canceled', revision })
  })

  test('says that there is nothing to do where the booking asks for none of it', async () => {
    const { id } = await booked('svc_free')

    const { config, tag } = shop.runtime
    const address = pageUrl(config.baseUrl, tag, { id: id, record: {} }, type as 'waiver')
    const { status, body } = await page.open(address)
    expect([status, body.includes('<h1>Nothing to do here</h1>')]).toEqual([200, true])
    expect((await page.send(address, answers)).status).toBe(303)
  })
})
