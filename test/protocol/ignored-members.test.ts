import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { shopDefinition } from '../bookings/shop.ts'
import { buyer, onBothDesks, type Said, testShop } from '../support/desk.ts'

const RULE = '[what is accepted and ignored is said in messages]'

await onBothDesks(
  () => testShop({ ...shopDefinition, registry: { enabled: true } }),
  (desk) => {
    const ignored = ({ data }: Said): string[] =>
      (data.messages ?? [])
        .filter(({ code }: { code: string }) => code === 'field_ignored')
        .map(({ path }: { path: string }) => path)
    const create = async (more: object, ask = {}) => {
      const [slot] = await desk.slots('svc_free')
      return desk.call('usp_bookings_create', { service_id: 'svc_free', slot_id: slot.id, buyer, ...more }, ask)
    }

    test(`${RULE} a recurrence that no booking has, and what no buyer has`, async () => {
      const said = await create({ recurrence: { rrule: 'FREQ=WEEKLY' }, buyer: { ...buyer, nickname: 'Al' } })
      expect(said.data.booking.status).toBe('confirmed')
      expect(said.data.messages.at(-1)).toEqual({
        type: 'info',
        code: 'field_ignored',
        content: expect.stringContaining('no effect'),
        path: expect.stringMatching(/^\$\./),
      })
      expect(ignored(said).sort()).toEqual(['$.buyer.nickname', '$.recurrence'])
    })

    test(`${RULE} to a retry as to the first call`, async () => {
      const [slot] = await desk.slots('svc_free')
      const input = { service_id: 'svc_free', slot_id: slot.id, buyer, recurrence: 'weekly' }
      const ask = { idempotencyKey: randomUUID() }
      const once = await desk.call('usp_bookings_create', input, ask)
      expect((await desk.call('usp_bookings_create', input, ask)).data).toEqual(once.data)
      expect(ignored(once)).toEqual(['$.recurrence'])
    })

    test.each<[string, string, Record<string, unknown>, string[]]>([
      ['filters', 'usp_services_list', { filters: { colour: 'red', price: { most: 3 } } }, ['colour', 'price.most']],
      ['pages', 'usp_services_list', { pagination: { limit: 5, page: 2 } }, ['page']],
      ['hints', 'usp_services_list', { context: { intent: 'a gift', language: 'de' } }, ['context.intent']],
      ['hints', 'usp_services_lookup', { ids: ['svc_free'], context: { currency: 'EUR' } }, ['context.currency']],
      ['a read', 'usp_services_get', { service_id: 'svc_free', colour: 'red' }, ['$.colour']],
      ['the feed', 'usp_services_feed', { since: '2026-01-01' }, ['$.since']],
      [
        'the directory',
        'usp_registry_search_business',
        { query: 'x', context: { locale: 'de' }, near: 1 },
        ['locale', 'near'],
      ],
    ])(`${RULE} %s of %s`, async (_, tool, input, paths) => {
      const found = ignored(await desk.call(tool, input, { as: {} }))
      expect(found).toHaveLength(paths.length)
      expect(found).toEqual(paths.map((path) => expect.stringMatching(new RegExp(`${RegExp.escape(path)}$`))))
    })

    test(`${RULE} in lists, each by its place`, async () => {
      const preferred_slots = [{ start_date: '2026-11-24' }, { start_date: '2026-11-25', mood: 'any' }]
      const said = await desk.call('usp_waitlist_join', { service_id: 'svc_queue', buyer, preferred_slots })
      expect(ignored(said)).toEqual(['$.preferred_slots[1].mood'])
    })

    test.each<[string, string, Record<string, unknown>, string[]]>([
      [
        'one category beside several',
        'usp_services_list',
        { filters: { category_id: 'hair', categories: ['nails'] } },
        ['$.filters.category_id'],
      ],
      ['one category alone', 'usp_services_list', { filters: { category_id: 'hair' } }, []],
      ['a currency without a price', 'usp_services_list', { context: { currency: 'EUR' } }, ['$.context.currency']],
      [
        'a currency with a price',
        'usp_services_list',
        { context: { currency: 'EUR' }, filters: { price: { max: 5 } } },
        [],
      ],
      [
        'a currency without a price',
        'usp_registry_search_services',
        { query: 'x', context: { currency: 'EUR' } },
        ['$.context.currency'],
      ],
      [
        'a currency with a price',
        'usp_registry_search_services',
        { price_range: { max: 5 }, context: { currency: 'EUR' } },
        [],
      ],
      [
        'when a wish begins',
        'usp_registry_search_services',
        {
          query: 'x',
          desired_service_time_ranges: [
            { start: '2026-12-01T09:00:00Z', end: '2026-12-02T09:00:00Z' },
            { at: '2026-12-03T09:00:00Z' },
          ],
        },
        [],
      ],
    ])(`${RULE} %s, of %s`, async (_, tool, input, paths) => {
      expect(ignored(await desk.call(tool, input, { as: {} }))).toEqual(paths)
    })

    test(`${RULE} a part of the day that is none, and times that suit beside the one slot that is waited for`, async () => {
      const preferred_slots = ['Evening', 'after work', 'constructor', undefined].map((time_of_day) => ({
        start_date: '2026-11-24',
        ...(time_of_day && { time_of_day }),
      }))
      const wish = { service_id: 'svc_queue', buyer, preferred_slots }
      const join = async (more = {}) => ignored(await desk.call('usp_waitlist_join', { ...wish, ...more }))
      expect(await join()).toEqual(['$.preferred_slots[1].time_of_day', '$.preferred_slots[2].time_of_day'])
      const [slot] = await desk.slots('svc_queue')
      expect(await join({ slot_id: slot.id })).toEqual(['$.preferred_slots'])
    })

    test(`${RULE} but nothing is said of what is used, or free in its form`, async () => {
      const back = { url: 'https://platform.example/back', params: { anything: 'goes' } }
      const said = await create({ party_size: 1, notes: 'Hi', post_payment_return_request: back })
      expect(ignored(said)).toEqual([])
      expect(ignored(await desk.call('usp_services_list', { query: 'cut', filters: {}, context: {} }))).toEqual([])
    })

    test(`${RULE} once where the operation has a word of its own for it`, async () => {
      const { booking } = (await create({})).data
      const said = await desk.update(booking.id, { delivery_address: { line1: 'x' }, colour: 'red' })
      expect(said.data.messages.map(({ code, path }: Record<string, string>) => `${code} ${path}`)).toEqual([
        'field_not_mutable $.delivery_address',
        'field_ignored $.colour',
      ])
    })

    test(`${RULE} and who sends a hundred is told of ten`, async () => {
      const many = Object.fromEntries(Array.from({ length: 100 }, (_, index) => [`member_${index}`, index]))
      expect(ignored(await create({ ...many, ['x'.repeat(5000)]: 1 }))).toHaveLength(10)
      const [path] = ignored(await create({ ['x'.repeat(5000)]: 1 }))
      expect(path).toHaveLength(200)
    })

    test(`${RULE} names of JavaScript's own are names like others`, async () => {
      const said = await create(JSON.parse('{"constructor":1,"toString":2}'))
      expect(ignored(said).sort()).toEqual(['$.constructor', '$.toString'])
    })
  },
)
