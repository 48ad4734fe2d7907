import { describe, expect, test } from 'vitest'
import { businessWith, service } from '../support/definitions.ts'
import { type Desk, expectProblem, mcpDesk, onBothDesks, restDesk, testShop, WEEK } from '../support/desk.ts'
import { daily, localTimes, on, type Timed } from './week.ts'

const definition = businessWith([service('svc_cut'), service('svc_other')], { hours: daily('09:00', '12:00') })
const nobody = { as: {} }

const query = (desk: Desk, input: Record<string, unknown>) =>
  desk.call('usp_availability_query', { service_id: 'svc_cut', ...WEEK, ...input }, nobody)

await onBothDesks(
  () => testShop(definition),
  (desk) => {
    test('[AVL-001] [AVL-002] a query without any credential is answered with the slots of the service', async () => {
      const { status, data } = await query(desk, {})
      expect(status).toBe(200)
      expect(data).toMatchObject({ usp: { version: '2026-08-20' }, service_id: 'svc_cut' })
      expect(data.slots).toHaveLength(7 * 5)
    })

    test('[AVL-016] [AVL-017] [AVL-018] [AVL-019] a slot says of itself what the protocol has it say', async () => {
      const { data } = await query(desk, {})
      for (const slot of data.slots) {
        expect(slot).toMatchObject({ service_id: 'svc_cut', duration: 'PT60M', state: 'available' })
        expect(slot.id).toEqual(expect.any(String))
        for (const time of [slot.start, slot.end]) expect(time).toMatch(/^2026-11-\d\dT\d\d:[03]0:00-05:00$/)
        expect(Date.parse(slot.end) - Date.parse(slot.start)).toBe(3_600_000)
      }
    })

    test.each(['service_id', 'start_date', 'end_date'])('[AVL-004] a query without %s is refused', async (member) => {
      const { status, rpc, code, data } = await query(desk, { [member]: undefined })
      expect(code).toBe('invalid_request')
      expect(desk.binding === 'REST' ? status : rpc).toBe(desk.binding === 'REST' ? 400 : -32600)
      expect(data).not.toHaveProperty('slots')
    })

    test.each([
      ...['tomorrow', '2026-02-30', '2026-13-01', '24.11.2026', '2026-11', '20261124', '', ' 2026-11-24'],
      ...['2026-11-24T09:00:00', '2026-11-24T09:00Z', '2026-11-24T09:00:00-04', '2026-11-24T09:00:00-0400'],
      ...['2026-11-24T25:00:00Z', '2026-11-24\t09:00:00Z', '2026-11-24T09:00:00Z[UTC]', '+002026-11-24'],
    ])('[AVL-005] the date %j is refused, at either end', async (date) => {
      for (const member of ['start_date', 'end_date']) {
        const { code, data } = await query(desk, { [member]: date })
        expect([code, data.errors?.[0].field]).toEqual(['validation_error', member])
      }
    })

    test('[what is wrong in one place is one fault] a date that is none', async () => {
      for (const date of ['tomorrow', '2026-11-24T09:00:00'])
        expect((await query(desk, { start_date: date })).data.errors).toEqual([
          {
            field: 'start_date',
            message: expect.stringMatching(
              /^must be a day, such as \S+ or must be a time with its offset, such as \S+$/,
            ),
          },
        ])
    })

    test.each(['0000-01-01', '1969-12-31', '2201-01-01', '9999-12-31', '9999-12-31T23:59:59Z'])(
      '[AVL-005] the date %s is in a year that nobody books in',
      async (date) => {
        const { code, data } = await query(desk, { start_date: date, end_date: date })
        expect([code, data.errors?.[0].field]).toEqual(['validation_error', 'start_date'])
      },
    )

    test.each<[string, unknown]>([
      ['service_id', 7],
      ['start_date', 20261124],
      ['end_date', null],
      ['timezone', 5],
      ['resource_id', ['staff_jane']],
      ['party_size', '2'],
      ['party_size', 1.5],
      ['location_id', {}],
      ['locale', true],
      ['cursor', 1],
      ['limit', 'all'],
    ])('[AVL-005] %s cannot be %j', async (member, value) => {
      expect((await query(desk, { [member]: value })).code).toBe('validation_error')
    })

    test.each(['Mars/Olympus', 'PST', '+02:00', '', 'Europe/Paris ', 'New York'])(
      '[AVL-006] %j is no time zone to ask in',
      async (timezone) => {
        const { code, data } = await query(desk, { timezone })
        expect(code).toBe('validation_error')
        expect(data).not.toHaveProperty('slots')
      },
    )

    test.each([
      ['2026-11-25', '2026-11-24'],
      ['2026-11-25', '2026-11-24T23:59:59-05:00'],
      ['2026-11-25T00:00:00-05:00', '2026-11-24'],
      ['2026-11-24T10:00:00-05:00', '2026-11-24T14:59:59Z'],
    ])('[AVL-007] a range from %s to %s runs backward', async (start_date, end_date) => {
      const { code, data } = await query(desk, { start_date, end_date })
      expect([code, data.errors?.[0].field]).toEqual(['validation_error', 'end_date'])
    })

    test('[LIV-010] [LIV-011] a service that does not exist is an invalid value', async () => {
      expectProblem(await query(desk, { service_id: 'svc_none' }), 'validation_error', 'service_id')
    })

    test.each([
      ['a day', '2026-11-24', '2026-11-24', ['09:00', '09:30', '10:00', '10:30', '11:00']],
      ['moments', '2026-11-24T09:30:00-05:00', '2026-11-24T10:30:00-05:00', ['09:30', '10:00']],
      ['moments elsewhere', '2026-11-24T14:30:00Z', '2026-11-24T21:00:00+05:30', ['09:30', '10:00']],
      ['moments in lower case', '2026-11-24t14:30:00z', '2026-11-24t15:30:00.000z', ['09:30', '10:00']],
      ['a day with a moment', '2026-11-24T10:30:00-05:00', '2026-11-24', ['10:30', '11:00']],
      ['a moment that is none', '2026-11-24T09:30:00-05:00', '2026-11-24T09:30:00-05:00', []],
      ['a leap second', '2026-11-24T15:30:00Z', '2026-11-24T23:59:60Z', ['10:30', '11:00']],
    ])('[AVL-009] [AVL-010] [AVL-011] asked for %s', async (_, start_date, end_date, expected) => {
      const { data } = await query(desk, { start_date, end_date })
      expect(localTimes(data.slots)).toEqual(expected.map((time) => `2026-11-24T${time}`))
    })

    test('[AVL-010] days count whole in the zone of the query', async () => {
      const { data } = await query(desk, { ...on('2026-11-25'), timezone: 'Pacific/Auckland' })
      expect(localTimes(data.slots)).toEqual(
        ['03:00', '03:30', '04:00', '04:30', '05:00'].map((t) => `2026-11-25T${t}`),
      )
      expect(data.slots[0].start).toBe('2026-11-25T03:00:00+13:00')
    })

    test('[AVL-012] [AVL-013] another zone changes how times are written, not which', async () => {
      const range = { start_date: '2026-11-24T00:00:00Z', end_date: '2026-11-26T00:00:00Z' }
      const [here, paris] = await Promise.all([query(desk, range), query(desk, { ...range, timezone: 'Europe/Paris' })])
      const instants = (slots: Timed[]) => slots.map(({ start, end }) => [Date.parse(start), Date.parse(end)])
      expect(instants(paris.data.slots)).toEqual(instants(here.data.slots))
      for (const { start, end } of here.data.slots) expect([start, end].every((at) => at.endsWith('-05:00'))).toBe(true)
      for (const { start, end } of paris.data.slots)
        expect([start, end].every((at) => at.endsWith('+01:00'))).toBe(true)
    })

    test('[AVL-014] [LIV-014] a week is never too much to ask, a month is, by default', async () => {
      expect((await query(desk, WEEK)).code).toBeUndefined()
      expect((await query(desk, { start_date: '2026-11-01', end_date: '2026-12-01' })).code).not.toBe('range_too_wide')
      const { status, rpc, code } = await query(desk, { start_date: '2026-11-01', end_date: '2026-12-02' })
      expect(code).toBe('range_too_wide')
      expect(desk.binding === 'REST' ? status : rpc).toBe(desk.binding === 'REST' ? 400 : -32602)
    })

    test.each([0, -1])('[AVL-038] a party of %i is refused', async (party_size) => {
      expect((await query(desk, { party_size })).code).toBe('validation_error')
    })
  },
)

describe('on one shop', async () => {
  const shop = await testShop(definition)

  test.each([{}, { timezone: 'Asia/Tokyo', limit: 7 }, on('2026-11-24'), { service_id: 'svc_other', locale: 'es' }])(
    '[AVL-003] a tool call with %j gets what REST gets',
    async (input) => {
      const [rest, mcp] = await Promise.all([query(restDesk(shop), input), query(mcpDesk(shop), input)])
      expect(mcp.data.slots.length).toBeGreaterThan(0)
      expect(mcp.data.slots).toEqual(rest.data.slots)
      expect(mcp.data.opening_hours).toEqual(rest.data.opening_hours)
    },
  )
})

describe('where a week is the most', async () => {
  const desk = restDesk(await testShop({ ...definition, availability: { max_days: 7 } }))

  test.each([
    ['2026-11-24', '2026-11-30'],
    ['2026-10-29', '2026-11-04'], // the clocks go back
    ['2026-03-05', '2026-03-11'], // and forward
    ['2026-11-24T09:00:00-05:00', '2026-12-01T09:00:00-05:00'],
  ])('[AVL-014] [LIM-003] from %s to %s is seven days', async (start_date, end_date) => {
    const { status } = await query(desk, { start_date, end_date })
    expect(status).toBe(200)
  })

  test.each([
    ['2026-11-24', '2026-12-01'],
    ['2026-03-05', '2026-03-12'],
    ['2026-11-24T09:00:00-05:00', '2026-12-02T09:00:00-05:00'],
  ])('[LIV-014] from %s to %s is more', async (start_date, end_date) => {
    const { status, code } = await query(desk, { start_date, end_date })
    expect([status, code]).toEqual([400, 'range_too_wide'])
  })
})
