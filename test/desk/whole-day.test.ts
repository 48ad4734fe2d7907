import { describe, expect, test } from 'vitest'
import { at, inStudio, tuesday } from './studio.ts'

describe('[a day says who is there, taken or not]', async () => {
  await inStudio((desk, staff) => {
    test('each by their own hours, within those of the business', async () => {
      const [slot] = await desk.slots('svc_cut', { resource_id: 'staff_ann' })
      await desk.book(slot)
      const { data } = await staff('day', { date: '2026-11-24' })
      const there = Object.fromEntries(data.resources.map((one: { id: string; there: unknown }) => [one.id, one.there]))
      expect(there.staff_ann).toEqual([{ start: tuesday('09:00'), end: tuesday('18:00') }])
      expect(there.staff_ben).toEqual([{ start: tuesday('12:00'), end: tuesday('18:00') }])
      expect(there.room_1).toEqual(there.staff_ann)
    })
  })
})

describe('[what was not resolved in time] stands in no day any more', async () => {
  await inStudio((desk, staff, shop) => {
    test('from the moment on at which it lapses', async () => {
      const [slot] = await desk.slots('svc_paid')
      const { data } = await desk.book(slot)
      const { id, expires_at } = data.booking
      const shown = async (instant: string) => {
        const { data: day } = await at(shop, instant, () => staff('day', { date: '2026-11-24' }))
        return day.bookings.map((one: { id: string }) => one.id).includes(id)
      }
      const lapses = Date.parse(expires_at)
      expect(await shown(new Date(lapses - 1).toISOString())).toBe(true)
      expect(await shown(new Date(lapses).toISOString())).toBe(false)
    })
  })
})
