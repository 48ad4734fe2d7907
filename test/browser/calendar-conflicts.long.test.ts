import { afterAll, describe, expect, test } from 'vitest'
import { verify } from '../../src/core/ledger/verify-ledger.ts'
import { startCalendarReader } from '../../src/domain/busy-times/source-worker.ts'
import { daysLater } from '../../src/infra/time/time-zone.ts'
import { calendarOf } from '../busy-times/calendar-text.ts'
import { hour, salon } from '../busy-times/connected-shop.ts'
import { calendarProvider } from '../busy-times/provider.ts'
import { service } from '../support/definitions.ts'
import { buyer, restDesk, type Slot } from '../support/desk.ts'
import { receptionist } from './at-desk.ts'
import { hasBrowser } from './chromium.ts'
import { keyboard, mouse } from './hands.ts'
import { openShop } from './open-shop.ts'
import { expectWellMade } from './well-made.ts'

const wide = { viewport: { width: 1280, height: 900 } }
const narrow = { viewport: { width: 390, height: 844 } }

/** Where pictures of the pages go, if somebody wants to look at them. */
const PICTURES = process.env.USP_PICTURES

const yoga = service('svc_yoga', {
  name: 'Yoga',
  type: 'group',
  capacity: { max: 3 },
  sessions: [{ days: salon.hours?.[0]?.days ?? [], starts: '16:00', resources: ['staff_ann'] }],
})

describe.runIf(hasBrowser)('[a conflict with another calendar] in a real browser', async () => {
  const [shop, provider] = [await openShop({ ...salon, services: [...salon.services, yoga] }), await calendarProvider()]
  const desk = restDesk(shop)
  const { db } = shop.runtime
  const worker = startCalendarReader(shop.runtime)
  afterAll(() => worker.close())
  let day = '2026-11-23'

  async function booked(first_name: string, hours: number, service_id = 'svc_cut', more = {}): Promise<string> {
    const slots = await desk.slots(service_id, { start_date: day, end_date: day, ...more })
    const slot = slots.find(({ start }: Slot) => start.includes(`T${hours}:00`))
    return (await desk.book(slot, { buyer: { ...buyer, first_name, last_name: 'Klein' } })).data.booking.id
  }
  const ofAnn = { resource_id: 'staff_ann' }
  const rowOf = (id: string) => db.selectFrom('bookings').selectAll().where('id', '=', id).executeTakeFirstOrThrow()

  test.each([
    ['by mouse', { hand: mouse, look: wide }],
    ['by keyboard alone', { hand: keyboard, look: wide }],
    ['by mouse, 390 pixels wide', { hand: mouse, look: narrow }],
    ['by keyboard alone, 390 pixels wide', { hand: keyboard, look: narrow }],
  ])('%s a calendar is connected, and each booking that it overlaps is moved, canceled or kept', async (way, at) => {
    day = daysLater(day, 1)
    const [mia, nora, olga] = [
      await booked('Mia', 11, 'svc_cut', ofAnn),
      await booked('Nora', 12, 'svc_cut', ofAnn),
      await booked('Olga', 13, 'svc_cut', ofAnn),
    ]
    for (const name of ['Pia', 'Quin']) await booked(name, 16, 'svc_yoga')
    const hours = [11, 12, 13, 16].map((from) => hour(`busy-${from}`, day, from))
    const published = provider.publish(calendarOf(...hours.flat()))

    const jo = await receptionist(shop, at)
    const { page } = jo
    const picture = async (name: string) => {
      await expectWellMade(page)
      const path = `${PICTURES}/${name}-${way.replaceAll(/\W+/g, '-')}.png`
      if (PICTURES) await page.screenshot({ path, fullPage: true })
    }
    const openInbox = () => page.goto(`${shop.url}/desk/inbox`)
    const main = page.locator('main')

    await page.goto(`${shop.url}/desk`)
    for (const press of ['More', 'Calendars elsewhere']) await jo.press(press)
    await jo.take({ For: 'Ann', 'ICS address': published.address })
    await jo.press('Connect calendar')
    await page.getByText('4 busy times in the next 30 days').waitFor()

    await openInbox()
    for (const name of ['Mia Klein', 'Nora Klein', 'Olga Klein', 'Yoga']) await main.getByText(name).first().waitFor()
    expect(await main.getByText('Pia Klein').count()).toBe(0)
    await picture('inbox')

    await jo.press(['Mia Klein', 'Change time'])
    await jo.take({ With: 'Ben' })
    await jo.press('Reschedule booking')
    expect(await rowOf(mia)).toMatchObject({ resource_ids: ['staff_ben'], status: 'confirmed' })

    await openInbox()
    expect(await main.getByText('Mia Klein').count()).toBe(0)
    await jo.press(['Nora Klein', 'Cancel booking'])
    await (await jo.content()).getByText('Busy in another calendar: Ann').first().waitFor()
    await picture('booking')
    for (let presses = 0; presses < 3 && (await rowOf(nora)).status !== 'canceled'; presses++)
      await jo.press('Cancel booking')
    expect(await rowOf(nora)).toMatchObject({ status: 'canceled' })

    await openInbox()
    await jo.press(['Olga Klein', 'Keep both'])
    await main.getByText('Olga Klein').waitFor({ state: 'detached' })
    expect(await rowOf(olga)).toMatchObject({ resource_ids: ['staff_ann'], status: 'confirmed' })

    await jo.press('Yoga')
    await (await jo.content()).getByText('Busy in another calendar: Ann').first().waitFor()
    await picture('class')
    await openInbox()
    await jo.press(['Yoga', 'Keep both'])
    await main.getByText('All done.').waitFor()
    await picture('done')

    await page.goto(`${shop.url}/desk/calendars`)
    for (const _ of ['opens', 'confirms']) await jo.press('Disconnect')
    await page.getByText('No calendar is connected yet.').waitFor()
    expect((await verify(db, shop.time.now)).findings.listed).toEqual([])
    await page.context().close()
  })
})
