import { expect, test } from 'vitest'
import { pageUrl } from '../../src/domain/bookings/booking-page-links.ts'
import { createBooking } from '../../src/domain/bookings/create-booking.ts'
import { callAsVisitor } from '../../src/pipeline/call-operation-from-page.ts'
import { businessWith, service } from '../support/definitions.ts'
import { buyer, restDesk, testShop } from '../support/desk.ts'
import { fileOf, read } from './calendar-file.ts'

const { business, ...rest } = businessWith([
  service('svc_table', {
    channel: { type: 'virtual' },
    capacity: { max: 4 },
    resources: [
      { type: 'staff', name: 'Host', options: ['ann'] },
      { type: 'room', name: 'Room', options: ['hall'] },
    ],
  }),
  service('svc_class', {
    type: 'group',
    capacity: { max: 8 },
    sessions: [{ days: ['tuesday'], starts: '10:00' }],
  }),
])
const resources = [
  { id: 'ann', type: 'staff', name: 'Ann' },
  { id: 'hall', type: 'room', name: 'Hall' },
] as const
const shop = await testShop({ ...rest, business: { ...business, language: 'fr' }, resources: [...resources] })
const desk = restDesk(shop)

async function booked(locale?: string) {
  const [slot] = await desk.slots('svc_table')
  if (locale === undefined) return (await desk.book(slot, { party_size: 3 })).data.booking
  const input = { service_id: 'svc_table', slot_id: slot.id, party_size: 3, buyer }
  const visit = { visitor: 'somebody', peer: { address: '203.0.113.7' }, locale }
  const answer = await callAsVisitor(createBooking, input, visit, shop.runtime)
  if (!('result' in answer)) throw new Error(answer.refusal.content)
  return answer.result.booking
}

function told(file: string) {
  const [event] = read(file).events
  return [event?.description, event?.event.getFirstProperty('conference')?.getFirstParameter('label')]
}

/** As a browser that speaks this gets it from the page of the booking. */
async function fileOnPage({ id }: { id: string }, language: string): Promise<string> {
  const url = `${new URL(pageUrl('http://127.0.0.1', shop.runtime.tag, { id: id, record: {} }, 'manage')).pathname}/calendar.ics`
  return (await shop.raw({ method: 'GET', url, headers: { 'accept-language': language } })).body
}

test('the file of a booking speaks the language that was booked in, whatever the browser speaks', async () => {
  const booking = await booked('de-AT')
  expect(told(await fileOnPage(booking, 'nl'))).toEqual(['Mit: Ann und Hall\nFür: 3 Personen', 'Online'])
})

test('where that is not known it speaks as the page does, and over REST as the business', async () => {
  const booking = await booked()
  expect(told(await fileOnPage(booking, 'nl'))).toEqual(['Met: Ann en Hall\nVoor: 3 personen', 'Online'])
  expect(told((await fileOf(shop, booking.id)).body)).toEqual(['Avec: Ann et Hall\nPour: 3 personnes', 'En ligne'])
})

test('the calendar of the staff speaks the language of the business', async () => {
  const [slot] = await desk.slots('svc_class')
  await desk.book(slot, { party_size: 2 })
  const time = { start: '2026-11-27T15:00:00Z', end: '2026-11-27T16:00:00Z' }
  for (const block of [{ resource_id: 'ann' }, { resource_id: 'hall', reason: 'Peinture' }])
    await desk.call('usp_business_blocks_create', { ...block, ...time }, { as: shop.staff })
  const { data } = await desk.call('usp_business_calendars_create', {}, { as: shop.staff })
  const { body } = await shop.raw({ method: 'GET', url: new URL(data.url).pathname })
  const titles = read(body).events.map(({ summary }) => summary)
  expect(titles).toEqual(
    expect.arrayContaining(['Service svc_class (2 sur 8)', 'Créneau bloqué', 'Créneau bloqué\u00a0: Peinture']),
  )
})
