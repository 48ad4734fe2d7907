import { expect, test } from 'vitest'
import type { RequirementDefinition } from '../../src/protocol/types.generated.ts'
import { on } from '../availability/week.ts'
import { businessWith, service } from '../support/definitions.ts'
import { restDesk, type Said } from '../support/desk.ts'
import { lineOf, openShop } from './queue.ts'

const either = (more: Partial<RequirementDefinition>): RequirementDefinition[] => [
  { type: 'staff', options: ['ann', 'ben'], ...more },
]
const capacity = { max: 1, waitlist: true }
const salon = businessWith(
  [
    service('svc_chosen', { capacity, resources: either({ selectable: true }) }),
    service('svc_assigned', { capacity, resources: either({}) }),
    service('svc_long', {
      ...{ capacity, resources: either({ selectable: true }) },
      duration: { range: { min: 'PT30M', max: 'PT90M', step: 'PT30M' } },
    }),
    service('svc_class', {
      ...{ type: 'group', capacity },
      sessions: ['11:00', '12:00'].map((starts) => ({ days: ['wednesday'], starts })),
    }),
  ],
  {
    hours: [{ days: ['tuesday', 'wednesday'], opens: '10:00', closes: '16:00' }],
    resources: ['ann', 'ben'].map((id) => ({ id, type: 'staff' as const, name: id })),
  },
)

interface Slot {
  id: string
  start: string
  end: string
  resources?: { id: string }[]
}

const told = ({ start, end, resources = [] }: Slot) =>
  [start.slice(11, 16), end.slice(11, 16), ...resources.map(({ id }) => id)].join(' ')

const dayOf = (id: string) => on(id === 'svc_class' ? '2026-11-25' : '2026-11-24')

test.each([
  ['svc_chosen', '12:00 13:00 ann', 'svc_chosen', '11:30 12:30 ann'],
  ['svc_chosen', '12:00 13:00 ben', 'svc_chosen', '11:30 12:30 ben'],
  ['svc_chosen', '12:00 13:00 ben', 'svc_assigned', '11:30 12:30'],
  ['svc_chosen', '12:00 13:00 ben', 'svc_long', '11:00 12:30 ben'],
  ['svc_class', '12:00 13:00', 'svc_class', '12:00 13:00'],
])(
  '[WTL-032] of %s %s comes free: who waits for %s is offered %s, and nothing that was free before',
  async (booked, time, wanted, offered) => {
    const desk = restDesk(await openShop(salon))
    const { wait, entry } = lineOf(desk)
    const named = async (id: string) =>
      new Map<string, Slot>((await desk.slots(id, dayOf(id))).map((one: Slot) => [told(one), one]))
    const all = await named(wanted)
    const { data }: Said = await desk.book((await named(booked)).get(time))
    const { id, status } = await wait('Ann', { service_id: wanted })
    expect(status).toBe('waiting')
    await desk.cancel(data.booking.id)
    expect(await entry(id)).toMatchObject({
      status: 'offered',
      offered_slot: { slot_id: all.get(offered)?.id ?? offered },
    })
  },
)
