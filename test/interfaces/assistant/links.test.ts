import { expect, test } from 'vitest'
import { verify } from '../../../src/core/ledger/verify-ledger.ts'
import { daily } from '../../availability/week.ts'
import { ROSA, visitor } from '../../booking-flow/visitor.ts'
import { businessWith, service } from '../../support/definitions.ts'
import { type Shop, testShop } from '../../support/desk.ts'
import { START } from '../../support/server.ts'
import { assistant, pathOf } from './talk.ts'

/** Eight times that do not overlap on each day, and a class of eight places: a quarter of both is two. */
const definition = businessWith(
  [
    service('svc_cut'),
    service('svc_class', {
      type: 'group',
      capacity: { max: 8, waitlist: true },
      sessions: [{ days: ['monday', 'tuesday', 'wednesday', 'thursday', 'friday'], starts: '10:00' }],
    }),
  ],
  { hours: daily('09:00', '17:00') },
)
const shop = await testShop(definition)
const helper = assistant(shop)
const rosa = visitor(shop)

let day = 24
/** A day that no other test looks at. */
async function freshDay(service_id = 'svc_cut', on = shop) {
  on.time.now = START
  const date = new Date(Date.UTC(2026, 10, day++)).toISOString().slice(0, 10)
  const { data } = await assistant(on).call('find_times', {
    service_ids: [service_id],
    from: date,
    to: date,
    limit: 25,
  })
  return data.times.map(({ slots }: { slots: { slot_id: string }[] }) => slots[0]?.slot_id ?? '')
}
const book = (slot_id: string, more: object = {}) => helper.call('book', { slot_id, ...more })
const statusOf = async (status_code: string) => (await helper.call('booking_status', { status_code })).data.state
const isFree = async (slot_id: string, on: Shop = shop) => {
  const { body } = await on.rest('POST', '/availability/query', {
    service_id: 'svc_cut',
    start_date: '2026-11-24',
    end_date: '2026-12-24',
    limit: 200,
  })
  return body.slots.some(({ id }: { id: string }) => id === slot_id)
}

test('[a link of an assistant] keeps the time for five minutes, and for ten from when it is opened, once', async () => {
  const [slot] = await freshDay()
  const { text, data } = await book(slot)
  expect(text).toContain(data.link)
  expect(text).toContain(data.status_code)
  expect(await isFree(slot)).toBe(false)
  expect(await statusOf(data.status_code)).toBe('waiting_for_person')

  shop.minutesLater(4)
  expect((await rosa.open(pathOf(data.link))).status).toBe(200)
  expect(await statusOf(data.status_code)).toBe('opened')
  shop.minutesLater(9)
  await rosa.open(pathOf(data.link))
  expect(await isFree(slot)).toBe(false)
  shop.minutesLater(2)
  expect(await isFree(slot)).toBe(true)
  expect(await statusOf(data.status_code)).toBe('lapsed')
})

test('[a link of an assistant] that nobody opens lets the time go, and takes it anew for who comes late', async () => {
  const [slot, , other] = await freshDay()
  const [late, later] = [(await book(slot)).data, (await book(other)).data]
  shop.minutesLater(6)
  expect(await isFree(slot)).toBe(true)
  expect(await statusOf(late.status_code)).toBe('lapsed')
  expect((await rosa.open(pathOf(late.link))).status).toBe(200)
  expect(await isFree(slot)).toBe(false)
  expect(await statusOf(late.status_code)).toBe('opened')

  await rosa.book(`/book/svc_cut?day=${later.start.slice(0, 10)}`, ROSA, String(Date.parse(later.start)))
  const gone = await rosa.open(pathOf(later.link))
  expect(gone.status).toBe(410)
  expect(gone.body).toContain('That time was just booked.')
  expect((await verify(shop.runtime.db, shop.time.now)).findings.listed).toEqual([])
})

test.each([
  ['svc_cut', 2],
  ['svc_class', 2],
])('[nobody may block a day] links that nobody opens keep a quarter of %s within an hour', async (id, share) => {
  const slots = await freshDay(id)
  const at = (index: number) => slots[id === 'svc_class' ? 0 : index * 2] ?? ''
  const states = []
  for (let index = 0; index < 4; index++) states.push((await book(at(index))).data.state)
  expect(states).toEqual(['waiting_for_person', 'waiting_for_person', 'not_kept', 'not_kept'])
  expect(states.filter((state) => state === 'waiting_for_person')).toHaveLength(share)

  // What lapsed still counts: the same would else be held again and again.
  shop.minutesLater(6)
  expect((await book(at(0))).data.state).toBe('not_kept')
  shop.minutesLater(55)
  expect((await book(at(0))).data.state).toBe('waiting_for_person')
})

test('[nobody may block a day] who comes at the same moment is no exception', async () => {
  const slots = await freshDay()
  const all = await Promise.all([0, 2, 4, 6, 8, 10].map((index) => book(slots[index] ?? '')))
  expect(all.filter(({ data }) => data.state === 'waiting_for_person')).toHaveLength(2)
  expect((await verify(shop.runtime.db, shop.time.now)).findings.listed).toEqual([])
})

test('[nobody may block a day] a time that is not kept is still booked, by the link', async () => {
  const slots = await freshDay()
  await book(slots[0] ?? '')
  await book(slots[2] ?? '')
  const { data, isError } = await book(slots[4] ?? '')
  expect(isError).toBe(false)
  const { done } = await rosa.book(pathOf(data.link), ROSA, String(Date.parse(data.start)))
  expect(done.status).toBe(303)
})

test('[a link that was opened counts as its opener’s] so nobody holds more by way of an assistant', async () => {
  const narrow = await testShop({ ...definition, limits: { visitors: { holds: 1 } } })
  const slots = await freshDay('svc_cut', narrow)
  const links = []
  for (const [index, remoteAddress] of ['203.0.113.1', '203.0.113.2'].entries())
    links.push((await assistant(narrow, { remoteAddress }).call('book', { slot_id: slots[index * 4] })).data)
  const reader = visitor(narrow)
  for (const { link } of links) expect((await reader.open(pathOf(link))).status).toBe(200)
  narrow.minutesLater(6)
  expect(await Promise.all([0, 4].map((index) => isFree(slots[index] ?? '', narrow)))).toEqual([false, true])
})

test('[a link of an assistant] books as the visitor’s own, and says where it came from', async () => {
  const [slot] = await freshDay()
  const { data } = await book(slot)
  const done = await rosa.fill(pathOf(data.link), ROSA)
  expect(done.status).toBe(303)
  const told = await helper.call('booking_status', { status_code: data.status_code })
  expect(told.data).toMatchObject({ state: 'booked', booking_status: 'confirmed', start: data.start })
  expect(JSON.stringify(told)).not.toMatch(/Rosa|Díaz|rosa@/)

  const { body } = await shop.rest(
    'POST',
    '/business/bookings/list',
    { came_from: 'assistant' },
    { authorization: `Bearer ${shop.staff.bearer}` },
  )
  expect(body.bookings.map(({ slot }: { slot: { start: string } }) => slot.start)).toEqual([data.start])

  const as = { authorization: `Bearer ${shop.staff.bearer}` }
  await shop.rest('POST', `/business/bookings/${body.bookings[0].id}/cancel`, { reason: 'Ill' }, as)
  const ended = await helper.call('booking_status', { status_code: data.status_code })
  expect(ended.text).toMatch(/^Was booked, and is canceled: /)
  expect(ended.data).toMatchObject({ state: 'canceled', booking_status: 'canceled' })
})

test('[a link of an assistant] leads to another time, which is then kept in its place', async () => {
  const [slot, , , , other] = await freshDay()
  const { data } = await book(slot)
  const details = await rosa.open(pathOf(data.link))
  const [, back = ''] = /<a class="way" href="([^"]+change=[^"]+)"/.exec(details.body) ?? []
  const times = await rosa.open(back.replaceAll('&amp;', '&'))
  const wish = rosa.times(times).find(({ start }) => Number(start) === Date.parse(data.start) + 2 * 3_600_000)
  const held = await rosa.press(times, wish?.time ?? '')
  expect(await Promise.all([slot, other].map((one) => isFree(one)))).toEqual([true, false])
  expect((await rosa.fill(held.headers.location ?? '', ROSA)).status).toBe(303)
  const told = await helper.call('booking_status', { status_code: data.status_code })
  expect(Date.parse(told.data.start)).toBe(Date.parse(data.start) + 2 * 3_600_000)
})

test.each(['', 'hold_none.AAAAAAAAAAAAAAAA', 'x'.repeat(200)])(
  'a code that nobody was given tells nothing: %s',
  async (code) => {
    const { isError, text } = await helper.call('booking_status', { status_code: code })
    expect(isError).toBe(true)
    expect(text).toContain('unknown')
  },
)
