import { expect, test } from 'vitest'
import { parse, stringify } from 'yaml'
import type { BusinessDefinition } from '../../src/protocol/types.generated.ts'
import { inStudio, studio, tuesday, walkIn } from './studio.ts'

const DAY = '2026-11-24'
const at = (time: string) => `${DAY}T${time}:00-05:00`
const without = (id: string) => studio.services.filter((one) => one.id !== id)
const withResource = (id: string, more: object) =>
  (studio.resources ?? []).map((one) => (one.id === id ? { ...one, ...more } : one))
const withService = (id: string, more: object) =>
  studio.services.map((one) => (one.id === id ? { ...one, ...more } : one))

type Case = [what: string, change: Partial<BusinessDefinition>, service: string, reasons: string[]]
const cases: Case[] = [
  ['a service that is gone', { services: without('svc_counter') }, 'svc_counter', ['no_service']],
  ['a day on which it is closed', { closures: [{ from: DAY, to: DAY }] }, 'svc_cut', ['closed']],
  [
    'a person who has a day off',
    { resources: withResource('staff_ann', { time_off: [{ from: DAY, to: DAY }] }) },
    'svc_cut',
    ['away'],
  ],
  [
    'a day on which it opens late',
    { special_hours: [{ from: DAY, opens: '10:30', closes: '18:00' }] },
    'svc_cut',
    ['closed'],
  ],
  [
    'a person who comes late on one day',
    { resources: withResource('staff_ann', { special_hours: [{ from: DAY, opens: '10:30', closes: '18:00' }] }) },
    'svc_cut',
    ['away'],
  ],
  [
    'a person who does it no more',
    { services: withService('svc_cut', { resources: [{ type: 'staff', selectable: true, options: ['staff_ben'] }] }) },
    'svc_cut',
    ['no_resource'],
  ],
  [
    'a class that begins at another hour',
    {
      services: withService('svc_class', {
        sessions: [{ days: ['tuesday'], starts: '15:00', resources: ['staff_cat', 'room_big'] }],
      }),
    },
    'svc_class',
    ['no_class'],
  ],
]

await inStudio((desk, staff, shop) => {
  const apply = async (change: Partial<BusinessDefinition>, more: object = {}) => {
    const said = await staff('definition_apply', { definition: stringify({ ...studio, ...change }), ...more })
    // Else the one before is trusted for a moment.
    await shop.runtime.business.seenBy(shop.runtime.db)
    return said
  }
  const book = async (service_id: string, time = '10:00') => {
    const who = service_id === 'svc_cut' ? { resource_ids: ['staff_ann'] } : {}
    if (service_id !== 'svc_class')
      return (await staff('bookings_create', { service_id, start: tuesday(time), buyer: walkIn, ...who })).data.booking
    const slot = (await desk.slots('svc_class')).find(({ start }) => start === at('16:00'))
    return (await desk.book(slot)).data.booking
  }

  test.each(cases)(
    '[stranded] %s is told of with the bookings that it strands',
    async (_, change, service, reasons) => {
      const booking = await book(service)
      const told = { total: 1, bookings: [expect.objectContaining({ id: booking.id, service_id: service, reasons })] }
      const { data } = await apply(change, { dry_run: true })
      expect(data.stranded).toEqual(told)
      expect(JSON.stringify(data.stranded)).not.toContain(walkIn.last_name)
      expect((await apply(change)).data.stranded).toEqual(told)
      // What is so already is not told again, and what is as before strands nobody.
      expect((await apply({ ...change, website: { welcome: 'Come in.' } })).data.stranded.total).toBe(0)
      expect((await apply({})).data.stranded).toEqual({ total: 0, bookings: [] })
      await staff('bookings_cancel', { booking_id: booking.id })
    },
  )

  test('[stranded] what the staff set outside hours is not stranded by another change, and what is canceled never is', async () => {
    const start = at('05:00')
    const wish = { service_id: 'svc_cut', resource_ids: ['staff_ann'], start, buyer: walkIn, override: ['hours'] }
    const { booking } = (await staff('bookings_create', wish)).data
    expect((await apply({ website: { welcome: 'Come in.' } })).data.stranded.total).toBe(0)
    await staff('bookings_cancel', { booking_id: booking.id })
    expect((await apply({ services: without('svc_cut') }, { dry_run: true })).data.stranded.total).toBe(0)
    await apply({})
    expect(parse((await staff('definition_get')).data.definition).services).toHaveLength(studio.services.length)
  })

  test('[stranded] a booking waits until it is moved, canceled or kept, and waits again when it is moved back', async () => {
    const [cut, counter] = [await book('svc_cut'), await book('svc_counter')]
    // A class that somebody canceled their part in is closed on that day, too.
    expect((await apply({ closures: [{ from: DAY, to: DAY }] })).data.stranded.total).toBe(2)
    const waiting = async () => {
      const { total, stranded } = (await staff('stranded_list')).data
      expect(stranded).toHaveLength(total)
      return stranded.map(({ booking }: { booking: { id: string } }) => booking.id).toSorted()
    }
    expect(await waiting()).toEqual([cut.id, counter.id].toSorted())
    const move = (start: string) =>
      staff('bookings_reschedule', { booking_id: cut.id, resource_ids: ['staff_ann'], start, override: ['hours'] })
    await move('2026-11-25T10:00:00-05:00')
    expect(await waiting()).toEqual([counter.id])
    await move(at('10:00'))
    expect(await waiting()).toHaveLength(2)
    expect((await staff('bookings_keep', { booking_id: counter.id })).data.booking.id).toBe(counter.id)
    expect((await staff('bookings_keep', { booking_id: counter.id })).code).toBe('invalid_transition')
    expect(await waiting()).toEqual([cut.id])
    await staff('bookings_cancel', { booking_id: cut.id })
    expect(await waiting()).toEqual([])
    await apply({})
    await staff('bookings_cancel', { booking_id: counter.id })
  })
})
