import { afterAll, describe, expect, test } from 'vitest'
import { startCalendarReader } from '../../src/domain/busy-times/source-worker.ts'
import { startCalendarWriter } from '../../src/domain/calendar-writing/calendar-writer.ts'
import { caldavServer, kinds, PASSWORD, USER } from '../busy-times/caldav-servers.ts'
import { salon } from '../busy-times/connected-shop.ts'
import { buyer, restDesk, type Slot } from '../support/desk.ts'
import { receptionist, WAYS } from './at-desk.ts'
import { hasBrowser } from './chromium.ts'
import { openShop } from './open-shop.ts'
import { expectWellMade } from './well-made.ts'

const DAY = '2026-11-24'

/** Where pictures of the pages go, if somebody wants to look at them. */
const PICTURES = process.env.USP_PICTURES

const kind = kinds.find(({ python }) => python !== undefined)

describe.runIf(hasBrowser && kind !== undefined)('[bookings in a calendar] in a real browser', async () => {
  if (!kind) return
  const [shop, server] = [await openShop(salon), await caldavServer(kind)]
  const desk = restDesk(shop)
  const workers = [startCalendarReader(shop.runtime), startCalendarWriter(shop.runtime)]
  afterAll(() => Promise.all(workers.map((worker) => worker.close())))

  test.each(WAYS)('%s a calendar is chosen, and a deleted event is written again from the inbox', async (way, at) => {
    const calendar = `Work ${way}`.replaceAll(' ', '-')
    await server.makeCalendar(calendar)
    const jo = await receptionist(shop, at)
    const { page } = jo
    const picture = async (name: string) => {
      await expectWellMade(page)
      if (PICTURES)
        await page.screenshot({ path: `${PICTURES}/${name}-${way.replaceAll(' ', '-')}.png`, fullPage: true })
    }
    const [slot] = await desk.slots('svc_cut', { start_date: DAY, end_date: DAY, resource_id: 'staff_ann' })
    const { data } = await desk.book(slot as Slot, { buyer: { ...buyer, first_name: 'Mia', last_name: 'Klein' } })

    await page.goto(`${shop.url}/desk/calendars`)
    await jo.take({ For: 'Ann', 'ICS address': server.address })
    await jo.press('CalDAV account (with a password)')
    await jo.take({ 'User name': USER, Password: PASSWORD, 'Write bookings into this calendar (optional)': calendar })
    await jo.press('With the names of customers')
    await picture('form')
    await jo.press('Connect calendar')
    await expect.poll(async () => (await server.objects(calendar)).length).toBe(1)
    await page.goto(`${shop.url}/desk/calendars`)
    await page.getByText(`Bookings are written into ${calendar}`).waitFor()
    await picture('written')

    const [event] = await server.objects(calendar)
    expect(event?.text).toContain('Mia Klein')
    await server.erase(event?.path ?? '')
    await jo.press('Read now')
    await page.goto(`${shop.url}/desk/inbox`)
    await expect
      .poll(async () => {
        await page.reload()
        return page.getByText(`was deleted in ${calendar}`).count()
      })
      .toBe(1)
    await picture('inbox')
    await jo.press(['Mia Klein', 'Write the event again'])
    await expect.poll(async () => (await server.objects(calendar)).length).toBe(1)
    await page.goto(`${shop.url}/desk/inbox`)
    await page.getByText('All done.').waitFor()

    await desk.call('usp_business_bookings_cancel', { booking_id: data.booking.id }, { as: shop.staff })
    await expect.poll(async () => (await server.objects(calendar)).length).toBe(0)
    await page.goto(`${shop.url}/desk/calendars`)
    await jo.press('Disconnect')
    await page.locator('button.danger').click()
    await page.getByText('No calendar is connected yet.').waitFor()
    await page.context().close()
  })
})
