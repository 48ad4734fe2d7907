import { describe, expect, test } from 'vitest'
import { operations } from '../../src/server/all-operations.ts'
import { businessWith, service } from '../support/definitions.ts'
import { type Desk, expectProblem, onBothDesks, type Said, testShop } from '../support/desk.ts'
import { START, testServer } from '../support/server.ts'
import { daily, EVERY_DAY, idsOf, on } from './week.ts'

const classOf = (id: string, max: number, more = {}) =>
  service(id, { type: 'group', capacity: { max, ...more }, sessions: [{ days: EVERY_DAY, starts: '10:00' }] })

const definition = businessWith(
  [service('svc_cut'), service('svc_other'), classOf('svc_class', 8), classOf('svc_queue', 1, { waitlist: true })],
  { hours: daily('09:00', '16:00') },
)

const WRONG = { REST: 400, MCP: -32600 }
const numberOf = ({ binding }: Desk, { status, rpc }: Said) => (binding === 'REST' ? status : rpc)

await onBothDesks(
  () => testShop(definition),
  (desk, shop) => {
    const day = on('2026-11-24')
    const slot = async (id: string, range = day) => (await desk.slots(id, range))[0]
    const places = async () => (await slot('svc_class'))?.capacity

    test('[HLD-001] [HLD-003] [HLD-004] [HLD-023] [HLD-034] a free slot is held for ten minutes', async () => {
      const [free] = await desk.slots('svc_cut', day)
      const { status, data } = await desk.hold(free)
      expect(status).toBe(desk.binding === 'REST' ? 201 : 200)
      expect(data.hold).toEqual({
        id: expect.any(String),
        slot_id: free.id,
        service_id: 'svc_cut',
        spots: 1,
        status: 'active',
        expires_at: '2026-11-20T07:10:00-05:00',
      })
      const released = await desk.release(data.hold.id)
      expect(released.data.hold).toEqual({ ...data.hold, status: 'released' })
    })

    test.each(['slot_id', 'service_id'])('[HLD-005] a hold without %s is refused', async (member) => {
      const said = await desk.hold(await slot('svc_cut'), { [member]: undefined })
      expect(said.code).toBe('invalid_request')
      expect(numberOf(desk, said)).toBe(WRONG[desk.binding])
    })

    test.each([0, -1, 1.5, '2', null, 1e9])('[HLD-006] [LIV-011] %j places are none to hold', async (spots) => {
      const said = await desk.hold(await slot('svc_class'), { spots })
      expect(said.code).toBe('validation_error')
      expect(numberOf(desk, said)).toBe(desk.binding === 'REST' ? 422 : -32602)
      expect(await places()).toEqual({ total: 8, remaining: 8, held: 0 })
    })

    test('[HLD-007] [HLD-012] of a slot that is gone there is no hold, and others may be had', async () => {
      const free = await slot('svc_cut')
      const first = await desk.hold(free)
      for (const as of [shop.platform, shop.other]) {
        const { status, data } = await desk.hold(free, {}, { as })
        expect(status).toBe(200)
        expect(data).not.toHaveProperty('hold')
        expect(data.messages).toMatchObject([{ type: 'error', code: 'slot_unavailable', severity: 'recoverable' }])
      }
      await desk.release(first.data.hold.id)
    })

    test('[HLD-007] nor of one that is booked', async () => {
      const free = await slot('svc_cut', on('2026-11-25'))
      await desk.book(free)
      expect(await desk.hold(free)).toMatchObject({ status: 200, code: 'slot_unavailable' })
    })

    test('[HLD-008] a full slot is neither held nor booked, queue or no queue', async () => {
      const free = await slot('svc_queue')
      await desk.book(free)
      for (const as of [shop.platform, shop.other]) {
        expect((await desk.hold(free, {}, { as })).code).toBe('slot_unavailable')
        expect((await desk.book(free, {}, { as })).code).toBe('slot_unavailable')
      }
    })

    test('[LIV-010] [LIV-011] a service that does not exist has nothing to hold', async () => {
      const refused = await desk.hold({ ...(await slot('svc_cut')), service_id: 'svc_none' })
      expectProblem(refused, 'validation_error', 'service_id')
    })

    test('[HLD-010] a slot of another service is not held', async () => {
      const free = await slot('svc_other')
      expect(await desk.hold({ ...free, service_id: 'svc_cut' })).toMatchObject({
        status: 200,
        code: 'slot_unavailable',
      })
      expect((await desk.hold(free)).data.hold.status).toBe('active')
    })

    test('[HLD-011] a slot that is too near by now is not held, nor booked', async () => {
      const free = await slot('svc_cut')
      for (const [minutes, code] of [
        [-120, undefined],
        [-119, 'booking_window_violated'],
        [1, 'booking_window_violated'],
      ] as const) {
        shop.time.now = new Date(Date.parse(free.start) + minutes * 60_000)
        const held = await desk.hold(free)
        expect(held.code).toBe(code)
        if (held.data.hold) await desk.release(held.data.hold.id)
        else expect((await desk.book(free)).code).toBe(code)
      }
      shop.time.now = START
    })

    test('[HLD-018] what is refused takes nothing', async () => {
      const free = await slot('svc_class')
      await desk.hold(free, { spots: 3 })
      const before = await places()
      expect(before).toEqual({ total: 8, remaining: 5, held: 3 })
      const refusals = [
        await desk.hold(free, { spots: 6 }),
        await desk.hold(free, { spots: 0 }),
        await desk.hold(free, { service_id: 'svc_none' }),
        await desk.hold({ ...free, service_id: 'svc_cut' }),
        await desk.hold({ ...free, id: 'slot_x' }),
        await desk.hold(free, { spots: 1 }, { as: {} }),
        await desk.hold(free, { spots: 1 }, { as: { ...shop.platform, bearer: 'wrong' } }),
      ]
      expect(refusals.map(({ code }) => code)).toEqual([
        ...['slot_unavailable', 'validation_error', 'validation_error', 'slot_unavailable', 'slot_unavailable'],
        ...['authentication_required', 'authentication_required'],
      ])
      expect(await places()).toEqual(before)
    })

    test('[HLD-032] nobody holds or releases without proving who it is', async () => {
      const free = await slot('svc_cut', on('2026-11-26'))
      const { hold } = (await desk.hold(free)).data
      for (const as of [{}, { profile: shop.platform.profile ?? '' }, { ...shop.platform, bearer: 'usp_live_none' }])
        for (const said of [await desk.hold(free, {}, { as }), await desk.release(hold.id, { as })]) {
          expect(said.code).toBe('authentication_required')
          expect(numberOf(desk, said)).toBe(desk.binding === 'REST' ? 401 : -32006)
        }
      expect(idsOf(await desk.slots('svc_cut', on('2026-11-26')))).not.toContain(free.id)
    })
  },
)

describe('without holds', async () => {
  const server = await testServer(definition, {
    operations: operations.filter(({ id }) => id !== 'holdSlot' && id !== 'releaseHold'),
  })

  test('[HLD-002] the profile does not offer them, and nobody can hold or release', async () => {
    const { body } = await server.rest('GET', '/.well-known/usp')
    expect(body.usp.capabilities['dev.usp-protocol.services.availability']).toMatchObject([{ holds: false }])
    const input = { service_id: 'svc_cut', slot_id: 'slot_x' }
    expect((await server.rest('POST', '/availability/holds', input)).status).toBe(404)
    expect((await server.rest('DELETE', '/availability/holds/hold_x')).status).toBe(404)
    for (const tool of ['usp_availability_hold', 'usp_availability_release'])
      expect((await server.tool(tool, { ...input, hold_id: 'hold_x' })).body.error.code).toBe(-32602)
    expect(await server.runtime.db.selectFrom('holds').selectAll().execute()).toEqual([])
  })
})
