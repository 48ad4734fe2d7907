import { expect, test } from 'vitest'
import { localPartOfDay, preferenceFilter } from '../../src/domain/waitlist/time-preferences.ts'
import { businessWith } from '../support/definitions.ts'
import { onBothDesks } from '../support/desk.ts'
import { CLASS, classOfOne, lineOf, openShop } from './queue.ts'

const day = '2026-11-24'
const at = (time: string, on = day) => localPartOfDay({ start: Date.parse(`${on}T${time}Z`) }, 'UTC')

test.each([
  ['morning', ['00:00', '11:59'], ['12:00', '23:59']],
  ['afternoon', ['12:00', '16:59'], ['00:00', '11:59', '17:00']],
  ['evening', ['17:00', '23:59'], ['00:00', '16:59']],
  ['Evening', ['17:00'], ['16:59']],
  ['whenever', ['00:00', '12:00', '23:59'], []],
])('[WTL-032] %s begins and ends on the minute', (time_of_day, within, without) => {
  const wish = { preferred: [{ time_of_day }] }
  for (const time of within) expect([time, preferenceFilter(wish)(at(time))]).toEqual([time, true])
  for (const time of without) expect([time, preferenceFilter(wish)(at(time))]).toEqual([time, false])
})

test.each(['constructor', 'toString', '__proto__', 'hasOwnProperty', ''])(
  '[WTL-056] %j is no part of the day either, and restricts nothing',
  (time_of_day) => {
    for (const time of ['00:00', '12:00', '23:59'])
      expect(preferenceFilter({ preferred: [{ time_of_day }] })(at(time))).toBe(true)
  },
)

test.each([
  [{ start_date: day, end_date: day }, true],
  [{ start_date: '2026-11-25' }, false],
  [{ end_date: '2026-11-23' }, false],
  [{ start_date: '2026-11-23', end_date: '2026-11-25' }, true],
  [{ start_date: day, end_date: day, time_of_day: 'evening' }, false],
])('[WTL-032] of a class on that day at noon %j is %s', (window, expected) => {
  expect(preferenceFilter({ preferred: [window] })(at('12:00'))).toBe(expected)
})

test('[WTL-032] one of several times is enough, and none named is any', () => {
  const evening = { time_of_day: 'evening' }
  expect(preferenceFilter({ preferred: [evening, { start_date: day }] })(at('12:00'))).toBe(true)
  expect(preferenceFilter({ preferred: [evening, evening] })(at('12:00'))).toBe(false)
  for (const preferred of [null, []]) expect(preferenceFilter({ preferred })(at('12:00'))).toBe(true)
})

test('[WTL-032] of many times, one after the other, each is judged by itself', () => {
  const times = ['11:00', '11:00', '12:00', '13:00', '11:00', '18:00']
  const all = ['2026-11-24', '2026-11-25', '2026-11-24'].flatMap((day) => times.map((time) => at(time, day)))
  for (const window of [{ time_of_day: 'morning' }, { start_date: '2026-11-25', time_of_day: 'afternoon' }]) {
    const wish = { preferred: [window] }
    expect(all.map(preferenceFilter(wish))).toEqual(all.map((one) => preferenceFilter(wish)(one)))
  }
})

const business = businessWith([
  {
    ...classOfOne,
    sessions: [
      { days: ['tuesday'], starts: '12:00' },
      { days: ['wednesday'], starts: '17:00' },
    ],
  },
])

await onBothDesks(
  () => openShop(business),
  (desk) => {
    const { wait, fill, entry } = lineOf(desk)

    test('[WTL-032] noon is the afternoon, and five is the evening', async () => {
      const [noon, five] = await fill()
      const waits = (time_of_day: string) =>
        wait(time_of_day, { service_id: CLASS, preferred_slots: [{ time_of_day }] })
      const [morning, afternoon, evening] = [await waits('morning'), await waits('afternoon'), await waits('evening')]
      await desk.cancel(five.id)
      expect((await entry(evening.id)).offered_slot.slot_id).toBe(five.slot.id)
      expect((await entry(afternoon.id)).status).toBe('waiting')
      await desk.cancel(noon.id)
      expect((await entry(afternoon.id)).offered_slot.slot_id).toBe(noon.slot.id)
      expect((await entry(morning.id)).status).toBe('waiting')
    })
  },
)

await onBothDesks(
  () => openShop(business),
  (desk) => {
    const { wait, fill, entry, decline } = lineOf(desk)

    test('[WTL-056] [WTL-028] a wish that restricts nothing keeps nobody from being offered what comes free', async () => {
      const [taken] = await fill()
      const preferred_slots = [{ time_of_day: 'constructor' }]
      const first = await wait('Jo', { slot_id: taken.slot.id, preferred_slots })
      const second = await wait('Kim', { preferred_slots })
      expect([first.status, second.status]).toEqual(['waiting', 'waiting'])
      expect((await desk.cancel(taken.id)).code).toBeUndefined()
      expect((await entry(first.id)).offered_slot.slot_id).toBe(taken.slot.id)
      expect((await decline(first.id)).code).toBeUndefined()
      expect((await entry(second.id)).offered_slot.slot_id).toBe(taken.slot.id)
    })
  },
)
