import { expect, test } from 'vitest'
import { salon } from '../booking-flow/visitor.ts'
import { fileOf, read } from '../calendar/calendar-file.ts'
import { restDesk, testShop } from '../support/desk.ts'
import { calendarReaders } from './programs.ts'
import { ask, installed } from './tools.ts'

const shop = await testShop(salon())
const desk = restDesk(shop)

/** Text with all characters that a calendar file must escape, in lines that it must fold. */
const notes = `Short, please; C:\\temp, "quoted": ${'später 漢字 😀, '.repeat(12)}end\nSecond line`
const [first] = await desk.slots('svc_haircut')
const booking = (await desk.book(first, { notes })).data.booking
await desk.reschedule(booking.id, (await desk.slots('svc_haircut')).at(-1))
const { url } = (await desk.call('usp_business_calendars_create', {}, { as: shop.staff })).data

const files = {
  'the calendar file of a booking': () => fileOf(shop, booking.id),
  'the calendar feed of the staff': () => shop.raw({ method: 'GET', url: new URL(url).pathname }),
}

const eventsIn = (file: string) =>
  read(file).events.map(({ uid, start, end, sequence, status, summary, description, location }) => ({
    ...{ uid, start, end, sequence, status, summary },
    ...(description !== null && { description }),
    ...(location !== null && { location }),
  }))

const cases = Object.entries(calendarReaders).flatMap(([reader, find]) =>
  Object.entries(files).map(([file, load]) => ({ reader, find, file, load })),
)

test.for(cases)(
  '[calendars in other libraries] $reader reads $file without a fault, and finds the same events as ical.js',
  async ({ find, load }, context) => {
    const program = await installed(context, find)
    const { body } = await load()
    const { faults, events } = await ask(program, body)
    expect(faults).toEqual([])
    expect(events).toEqual(eventsIn(body))
    expect(JSON.stringify(events)).toContain(JSON.stringify(notes).slice(1, -1))
  },
)
