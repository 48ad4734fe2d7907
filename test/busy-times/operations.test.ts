import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { expectProblem } from '../support/desk.ts'
import { calendarOf } from './calendar-text.ts'
import { connectedShop } from './connected-shop.ts'

const open = await Promise.all([connectedShop(), connectedShop()])

describe.each([
  ['REST', open[0], open[0].rest],
  ['MCP', open[1], open[1].mcp],
] as const)('[calendars elsewhere] over %s', (_, { shop, provider, connect, readLater, listed }, desk) => {
  const call = (what: string, input: Record<string, unknown> = {}, as = shop.staff) =>
    desk.call(`usp_business_connected_calendars_${what}`, input, { as })
  const good = () => ({ resource_id: 'staff_ann', address: provider.publish(calendarOf()).address })

  test('a calendar is connected, listed, read again and disconnected', async () => {
    const input = { ...good(), name: 'Private' }
    const { source } = (await call('connect', input)).data
    expect(source).toMatchObject({
      resource_id: 'staff_ann',
      name: 'Private',
      host: provider.host,
      state: 'new',
      kind: 'ics',
    })
    await readLater(0)
    expect((await call('list', { resource_id: 'staff_ann' })).data.sources).toMatchObject([
      { id: source.id, state: 'read' },
    ])
    expect((await call('list', { resource_id: 'staff_ben' })).data.sources).toEqual([])
    const { next_read_at } = await listed(desk, source.id)
    const again = (await call('refresh', { source_id: source.id })).data.source
    expect(Date.parse(again.next_read_at)).toBeLessThan(Date.parse(next_read_at))
    expect((await call('disconnect', { source_id: source.id })).data.source.id).toBe(source.id)
    expect((await call('list')).data.sources).toEqual([])
  })

  test('the address is a secret: no answer, no row and no entry of the log contains it', async () => {
    const input = good()
    const { source } = (await call('connect', input)).data
    await readLater(0)
    const secret = new URL(input.address).pathname.split('/')[2] ?? ''
    const answers = [source, await call('list'), await call('refresh', { source_id: source.id })]
    expect(JSON.stringify(answers)).not.toContain(secret)
    const { rows } = await sql<{ row: string }>`
      select s::text as row from calendar_sources s union all select c::text from changes c
      union all select encode(reply, 'escape') from replies`.execute(shop.runtime.db)
    expect(rows.map(({ row }) => row).join('\n')).not.toContain(secret)
    await call('disconnect', { source_id: source.id })
  })

  test('webcal is written as https, and the name is the host if there is none', async () => {
    const { address } = provider.publish(calendarOf())
    const input = { resource_id: 'staff_ann', address: address.replace('https:', 'webcal:') }
    const { source } = (await call('connect', input)).data
    expect(source.name).toBe(provider.host)
    await readLater(0)
    expect(await listed(desk, source.id)).toMatchObject({ state: 'read' })
    // The same calendar again.
    expectProblem(await call('connect', { ...input, address }), 'validation_error', 'address')
    await call('disconnect', { source_id: source.id })
  })

  test.each([
    ['no address', 'nonsense'],
    ['no https', 'http://127.0.0.1/calendar.ics'],
    ['a place that is not public', 'https://10.0.0.1/calendar.ics'],
    ['a password', 'https://user:secret@127.0.0.1/calendar.ics'],
    ['a file', 'file:///etc/passwd'],
    ['a calendar of this server', 'http://127.0.0.1:8080/calendar/ics_x.ics'],
  ])('an address with %s is refused at its field', async (_what, address) => {
    const said = await call('connect', { resource_id: 'staff_ann', address })
    expectProblem(said, 'validation_error', 'address')
    expect(JSON.stringify(said.data)).not.toContain('secret@')
  })

  test('for somebody whom the business does not have it is refused', async () => {
    expectProblem(await call('connect', { ...good(), resource_id: 'staff_none' }), 'validation_error', 'resource_id')
  })

  test.each(['refresh', 'disconnect'])('an unknown calendar has nothing to %s', async (what) => {
    expectProblem(await call(what, { source_id: 'ccal_none' }), 'not_found')
  })

  test('one person has at most twenty calendars', async () => {
    const made = []
    for (let nth = 0; nth < 20; nth++) made.push(await connect(desk, provider.publish(calendarOf())))
    expect((await call('connect', good())).code).toBe('invalid_transition')
    for (const { id } of made) await call('disconnect', { source_id: id })
  })

  test.each([
    ['viewer', ['list']],
    ['staff', ['list', 'refresh']],
    ['manager', ['list', 'refresh', 'connect', 'disconnect']],
  ] as const)('the role %s may %s', async (role, allowed) => {
    const { source } = (await call('connect', good())).data
    const as = await shop.staffAs(role)
    const inputs = {
      list: {},
      refresh: { source_id: source.id },
      connect: good(),
      disconnect: { source_id: source.id },
    }
    for (const [what, input] of Object.entries(inputs)) {
      const { code } = await call(what, input, as)
      expect([what, code]).toEqual([what, allowed.some((one) => one === what) ? undefined : 'authentication_required'])
    }
    for (const { id } of (await call('list')).data.sources) await call('disconnect', { source_id: id })
  })
})
