import { describe, expect, test } from 'vitest'
import { inStudio, tuesday } from './studio.ts'

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
