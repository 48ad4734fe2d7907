import { expect, test } from 'vitest'
import { planOf } from '../../src/availability/plan.ts'
import { scheduledTimes } from '../../src/availability/scheduled-times.ts'
import { placesRefused } from '../definition/reading.ts'
import { businessWith, service } from '../support/definitions.ts'
import { slowness } from '../support/slowness.ts'

const DAY = 24 * 3_600_000
/** Milliseconds of processor time, of which this alone is not to take more. */
const AT_MOST = 200

/** So many people and so many rooms, of which the buyer chooses one each, every half an hour of the day. */
function salon(people: number, rooms: number) {
  const some = (type: 'staff' | 'room', count: number) =>
    Array.from({ length: count }, (_, nth) => ({ id: `${type}_${nth}`, type, name: `${type} ${nth}` }))
  const resources = [...some('staff', people), ...some('room', rooms)]
  const options = (type: string) => resources.filter((one) => one.type === type).map(({ id }) => id)
  const one = service('svc_one', {
    resources: [
      { type: 'staff', name: 'Stylist', selectable: true, options: options('staff') },
      { type: 'room', name: 'Room', selectable: true, options: options('room') },
    ],
  })
  one.policies.booking_window.slot_interval = 'PT30M'
  return businessWith([one], { resources })
}

test('[no stored value stalls the server] a service of more times a day than can be reckoned in one go is refused', () => {
  expect(placesRefused(salon(40, 40))).toEqual(['services[svc_one].resources'])
})

test('[no stored value stalls the server] the most times a day that are accepted', () => {
  const most = salon(32, 26)
  expect(placesRefused(most)).toEqual([])
  const turns = Array.from({ length: 5 }, (_, nth) => {
    const plan = planOf(structuredClone(most), 'svc_one')
    const before = process.threadCpuUsage()
    if (plan) scheduledTimes(plan, [nth * DAY, (nth + 1) * DAY])
    const { user, system } = process.threadCpuUsage(before)
    return (user + system) / 1000
  })
  expect(Math.min(...turns)).toBeLessThan(AT_MOST * slowness())
})
