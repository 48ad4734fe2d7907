import { describe, expect, test } from 'vitest'
import type { RequirementDefinition } from '../../src/protocol/types.generated.ts'
import { businessWith, service } from '../support/definitions.ts'
import { onBothDesks, restDesk, testShop, WEEK } from '../support/desk.ts'
import { daily, EVERY_DAY, on } from './week.ts'

const at = (moment: string) => ({ start_date: moment })
const both: RequirementDefinition[] = [{ type: 'staff', selectable: true, options: ['staff_ann', 'staff_ben'] }]

const definition = businessWith(
  [
    service('svc_cut', { resources: both }),
    service('svc_steam', { resources: [{ type: 'staff', options: ['staff_ann'] }, { type: 'room' }] }),
    service('svc_pair', { resources: [...both, { type: 'staff', options: ['staff_ann'] }] }),
    service('svc_long', { duration: { range: { min: 'PT30M', max: 'PT90M', step: 'PT30M' } } }),
    service('svc_table', {
      type: 'reservation',
      capacity: { max: 4, waitlist: true },
      resources: [{ type: 'other', options: ['table_2', 'table_4'] }],
    }),
    service('svc_class', {
      type: 'group',
      capacity: { max: 2, waitlist: true },
      sessions: [{ days: EVERY_DAY, starts: '17:00', resources: ['room_1'] }],
    }),
    service('svc_duo', {
      type: 'group',
      capacity: { min: 2, max: 4 },
      sessions: [{ days: EVERY_DAY, starts: '18:00' }],
    }),
    service('svc_uptown', { locations: ['loc_uptown', 'loc_down'] }),
    service('svc_there', { locations: ['loc_uptown'] }),
    service('svc_gone', { status: 'archived' }),
  ],
  {
    hours: daily('09:00', '20:00'),
    closures: [{ from: '2026-11-26', to: '2026-11-26', reason: 'Thanksgiving' }],
    locations: [
      { id: 'loc_down', name: 'Downtown' },
      { id: 'loc_uptown', name: 'Uptown', hours: daily('14:00', '20:00') },
    ],
    resources: [
      { id: 'staff_ann', type: 'staff', name: 'Ann', hours: daily('09:00', '13:00') },
      { id: 'staff_ben', type: 'staff', name: 'Ben', hours: daily('11:00', '18:00') },
      { id: 'room_1', type: 'room', name: 'Steam room', hours: daily('15:00', '20:00') },
      { id: 'table_2', type: 'table', name: 'Small table', seats: 2 },
      { id: 'table_4', type: 'table', name: 'Large table', seats: 4 },
    ],
  },
)

const tuesday = (time: string) => `2026-11-24T${time}:00-05:00`

interface Instead {
  differs: string
  slot: { id: string; service_id: string; start: string; resources?: { id: string }[]; duration: string }
}

await onBothDesks(
  () => testShop(definition),
  (desk, shop) => {
    const explain = async (service_id: string, input: Record<string, unknown>) =>
      (await desk.call('usp_availability_explain', { service_id, ...input }, { as: {} })).data
    const codes = ({ reasons }: { reasons: { code: string }[] }) => reasons.map(({ code }) => code)
    const block = (resource_id: string, from: string, to: string) =>
      desk.call(
        'usp_business_blocks_create',
        { resource_id, start: tuesday(from), end: tuesday(to) },
        { as: shop.staff },
      )

    test.each([
      ['svc_cut', at('2026-11-19T15:00:00Z'), ['past']],
      ['svc_cut', at('2026-11-20T13:00:00Z'), ['too_soon']],
      ['svc_cut', at('2027-11-24T15:00:00Z'), ['too_far_ahead']],
      ['svc_cut', at(tuesday('07:00')), ['closed']],
      ['svc_cut', { start_date: '2026-11-26' }, ['closed']],
      ['svc_cut', at(tuesday('19:30')), ['closed']],
      ['svc_cut', at(tuesday('18:00')), ['nobody_there']],
      ['svc_cut', { ...at(tuesday('15:00')), resource_id: 'staff_ann' }, ['nobody_there']],
      ['svc_cut', at(tuesday('09:10')), ['other_times']],
      ['svc_cut', { ...WEEK, end_date: '2026-11-25', resource_id: 'table_2' }, ['not_with_resource']],
      ['svc_cut', { ...at(tuesday('09:00')), duration: 'PT45M' }, ['not_for_so_long']],
      ['svc_cut', { ...at(tuesday('09:00')), party_size: 2 }, ['party_too_large']],
      ['svc_table', { ...at(tuesday('09:00')), party_size: 3, resource_id: 'table_2' }, ['party_too_large']],
      ['svc_steam', on('2026-11-24'), ['not_at_once']],
      ['svc_pair', { ...at(tuesday('09:00')), resource_id: 'staff_ben' }, ['nobody_there']],
      ['svc_class', at(tuesday('15:00')), ['no_class']],
      ['svc_duo', at(tuesday('18:00')), ['party_too_small']],
      ['svc_uptown', { ...at(tuesday('10:00')), location_id: 'loc_uptown' }, ['closed']],
      ['svc_uptown', { ...at(tuesday('10:00')), location_id: 'loc_none' }, ['not_at_location']],
      ['svc_gone', at(tuesday('10:00')), ['service_archived']],
    ])('[explained as it is] %s asked for with %j: %j', async (id, input, expected) => {
      const answer = await explain(id, input)
      expect([answer.free, answer.slots, codes(answer)]).toEqual([false, [], expected])
      for (const { content } of answer.reasons) expect(content).toMatch(/^[A-Z].+\.$/)
    })

    test('[explained as it is] what is free is listed, as the query has it', async () => {
      const answer = await explain('svc_cut', on('2026-11-24'))
      const slots = await desk.slots('svc_cut', on('2026-11-24'))
      expect(answer).toMatchObject({ free: true, slots: slots.slice(0, 3), reasons: [], instead: [] })
    })

    test('[explained as it is] instead of what is not free: earlier, later, and others at that time, all of which can be booked', async () => {
      await block('staff_ann', '11:00', '12:00')
      const answer = await explain('svc_cut', { ...at(tuesday('11:00')), resource_id: 'staff_ann' })
      // Ben is free.
      expect(answer.reasons).toEqual([{ code: 'taken', content: 'Ann is fully booked at this time.' }])
      const told = answer.instead.map(({ differs, slot }: Instead) => [
        ...[differs, slot.start.slice(11, 16), slot.resources?.[0]?.id],
      ])
      expect(told).toEqual([
        ['earlier', '10:00', 'staff_ann'],
        ['later', '12:00', 'staff_ann'],
        ['resource', '11:00', 'staff_ben'],
      ])
      for (const { slot } of answer.instead) expect((await desk.book(slot)).data.booking.slot.id).toBe(slot.id)
    })

    test('[explained as it is] instead of a place or a length: others', async () => {
      const elsewhere = await explain('svc_uptown', { ...at(tuesday('10:00')), location_id: 'loc_uptown' })
      expect(elsewhere.instead.filter(({ differs }: Instead) => differs === 'location')).toMatchObject([
        { slot: { start: tuesday('10:00'), location: { id: 'loc_down' } } },
      ])
      const shorter = await explain('svc_long', { ...at(tuesday('19:00')), duration: 'PT90M' })
      expect(codes(shorter)).toEqual(['closed'])
      expect(
        shorter.instead
          .filter(({ differs }: Instead) => differs === 'duration')
          .map(({ slot }: Instead) => slot.duration),
      ).toEqual(['PT30M', 'PT60M'])
    })

    test('[explained as it is] a place that has none of it: where it is to be had instead', async () => {
      const { instead } = await explain('svc_there', { ...at(tuesday('15:00')), location_id: 'loc_down' })
      expect(instead).toMatchObject([{ differs: 'location', slot: { location: { id: 'loc_uptown' } } }])
    })

    test('[explained as it is] what is full, with a waitlist; too many for what is left', async () => {
      const [seat] = await desk.slots('svc_class', on('2026-11-24'))
      await desk.book(seat)
      expect(codes(await explain('svc_class', { ...on('2026-11-24'), party_size: 2 }))).toEqual(['party_too_large'])
      await desk.book(seat)
      expect(codes(await explain('svc_class', on('2026-11-24')))).toEqual(['fully_booked', 'waitlist_open'])
      await block('table_4', '09:00', '20:00')
      expect(codes(await explain('svc_table', { ...on('2026-11-24'), party_size: 4 }))).toEqual(['party_too_large'])
      await block('table_2', '09:00', '20:00')
      expect(codes(await explain('svc_table', on('2026-11-24')))).toEqual(['fully_booked', 'waitlist_open'])
    })

    test('[explained as it is] in the language that is asked for, with the name of who is asked for', async () => {
      const input = { ...at(tuesday('15:00')), resource_id: 'staff_ann' }
      const said = async (locale?: string) =>
        (await explain('svc_cut', { ...input, ...(locale && { locale }) })).reasons[0].content
      expect(await said()).toBe('Ann is not available then, or not for long enough.')
      expect(await said('de-AT')).toBe('Ann ist dann nicht da, oder nicht lange genug.')
      expect(await said('tlh')).toBe(await said())
    })

    test('[explained as it is] to too few people it is told how many are needed', async () => {
      const { reasons } = await explain('svc_duo', at(tuesday('18:00')))
      expect(reasons).toEqual([{ code: 'party_too_small', content: 'You need at least 2 people.' }])
    })

    test('[explained as it is] days that are closed are told with their reason, as the query does', async () => {
      const { messages } = await explain('svc_cut', { start_date: '2026-11-26' })
      const { data } = await desk.call(
        'usp_availability_query',
        { service_id: 'svc_cut', ...on('2026-11-26') },
        { as: {} },
      )
      expect(messages).toEqual([data.messages[0]])
      expect(messages[0].content).toContain('Thanksgiving')
    })

    test.each([
      ['svc_none', on('2026-11-24'), 'validation_error'],
      ['svc_cut', { ...WEEK, end_date: '2026-12-03' }, 'range_too_wide'],
      ['svc_cut', { start_date: 'tomorrow' }, 'validation_error'],
      ['svc_cut', { ...on('2026-11-24'), limit: 5 }, 'validation_error'],
    ])('[explained as it is] %s with %j is refused: %s', async (service_id, input, code) => {
      expect((await desk.call('usp_availability_explain', { service_id, ...input }, { as: {} })).code).toBe(code)
    })
  },
)

describe('[explained as it is] every quarter of an hour', async () => {
  const shop = await testShop(definition)
  const desk = restDesk(shop)
  for (const id of ['svc_cut', 'svc_table', 'svc_class'])
    for (const slot of (await desk.slots(id, on('2026-11-24'))).filter((_, index) => index % 3 === 0))
      await desk.book(slot)

  test.each(['svc_cut', 'svc_steam', 'svc_long', 'svc_table', 'svc_class', 'svc_uptown'])(
    '%s is free where it is offered, and only there',
    async (service_id) => {
      const offered = new Set(
        (await desk.slots(service_id, on('2026-11-24')))
          .filter(({ state }) => state !== 'waitlist')
          .map(({ start }) => Date.parse(start)),
      )
      for (let quarter = 0; quarter < 96; quarter++) {
        const start = Date.parse(tuesday('00:00')) + quarter * 900_000
        const input = { service_id, start_date: new Date(start).toISOString() }
        const { data } = await desk.call('usp_availability_explain', input, { as: {} })
        expect([input.start_date, data.free]).toEqual([input.start_date, offered.has(start)])
      }
    },
  )
})
