import { afterEach, expect, test, vi } from 'vitest'
import { verify } from '../../src/core/ledger/verify-ledger.ts'
import { buyer } from '../support/desk.ts'
import { inStudio, walkIn } from './studio.ts'

const MANY = 25
const AT_ONCE = 20

afterEach(() => vi.restoreAllMocks())

await inStudio((desk, staff, shop) => {
  /** The changes after so many fail, as when the server dies there. */
  function dieAfter(changes: number) {
    const { makeChange } = shop.runtime
    const mocked = vi.spyOn(shop.runtime, 'makeChange').mockImplementation((work) => {
      if (mocked.mock.calls.length > changes) throw new Error('The server died.')
      return makeChange(work)
    })
    return mocked
  }
  /** Each change takes half a minute, for whoever looks at the clock. */
  function passTime() {
    const { makeChange } = shop.runtime
    const now = performance.now.bind(performance)
    let passed = 0
    vi.spyOn(performance, 'now').mockImplementation(() => now() + passed)
    vi.spyOn(shop.runtime, 'makeChange').mockImplementation(async (work) => {
      const result = await makeChange(work)
      passed += 30_000
      return result
    })
  }
  const week = { service_id: 'svc_class', start_date: '2026-11-24', end_date: '2026-11-30' }
  const sessionAt = async (index: number) => (await staff('sessions_list', week)).data.sessions[index]
  const slotOf = async ({ start }: { start: string }) =>
    (await desk.slots('svc_class')).find((slot) => slot.start === start)
  /** Books a class for very many. */
  async function fill(index: number, email: string) {
    const session = await sessionAt(index)
    await staff('sessions_resize', { session_id: session.id, capacity: 100 })
    const slot = await slotOf(session)
    const ids: string[] = []
    for (let number = 0; number < MANY; number++) {
      const { data } = await desk.book(slot, { buyer: { ...buyer, email } })
      ids.push(data.booking.id)
    }
    return { session, slot, ids }
  }
  const statesOf = async (ids: string[]) =>
    (await shop.runtime.db.selectFrom('bookings').select(['status', 'people']).where('id', 'in', ids).execute()).map(
      ({ status, people }) => ({ status, isErased: JSON.stringify(people).includes('"erased":true') }),
    )
  const countOf = async (ids: string[], like: object) =>
    (await statesOf(ids)).filter((state) => Object.entries(like).every(([key, value]) => Object(state)[key] === value))
      .length

  test('[nobody waits long for the staff] a class of many is canceled in short changes, and who repeats the call goes on', async () => {
    const { session, slot, ids } = await fill(0, 'many@example.com')
    const held = await desk.hold(slot)
    const cancel = () =>
      staff('sessions_cancel', { session_id: session.id }, { idempotencyKey: `cancel ${session.id}` })
    dieAfter(2)
    expect((await cancel()).code).toBe('server_error')
    vi.restoreAllMocks()
    // It takes place for nobody any more, and those who come late have no place.
    expect(await countOf(ids, { status: 'canceled' })).toBe(AT_ONCE)
    expect((await sessionAt(0)).status).toBe('canceled')
    expect((await desk.book(slot)).code).toBe('slot_unavailable')
    expect((await desk.book(slot, { hold_id: held.data.hold.id })).code).toMatch(/^(slot_unavailable|hold_expired)$/)
    expect((await verify(shop.runtime.db, shop.time.now)).findings.listed).toEqual([])

    const { data } = await cancel()
    expect(data.booking_ids).toEqual(ids.toSorted())
    expect(data.session).toMatchObject({ status: 'canceled', taken: 0 })
    expect(await countOf(ids, { status: 'canceled' })).toBe(MANY)
    const told = await shop.runtime.db
      .selectFrom('events')
      .select('subject')
      .where('type', '=', 'booking.canceled')
      .execute()
    for (const id of ids) expect(told.filter(({ subject }) => subject === `booking ${id}`)).toHaveLength(1)
    const again = await cancel()
    expect(again.data).toEqual(data)
    expect((await staff('sessions_cancel', { session_id: session.id })).data.booking_ids).toEqual([])
  })

  test('[nobody waits long for the staff] what takes too long for one call says how far it is, and the next does the rest', async () => {
    const { session, ids } = await fill(2, 'long@example.com')
    const cancel = () => staff('sessions_cancel', { session_id: session.id }, { idempotencyKey: `long ${session.id}` })
    passTime()
    expect((await cancel()).code).toBe('service_unavailable')
    vi.restoreAllMocks()
    expect(await countOf(ids, { status: 'canceled' })).toBe(AT_ONCE)
    const { data } = await cancel()
    expect(data.booking_ids).toEqual(ids.toSorted())
  })

  test('[nobody waits long for the staff] who was let in meanwhile goes on, and all others are canceled', async () => {
    const { session, ids } = await fill(1, 'let-in@example.com')
    const made = await staff('bookings_create', { service_id: 'svc_class', start: session.start, buyer: walkIn })
    const first = made.data.booking.id
    dieAfter(1)
    await staff('sessions_cancel', { session_id: session.id })
    vi.restoreAllMocks()
    expect(await countOf(ids, { status: 'canceled' })).toBe(0)
    await staff('bookings_start', { booking_id: first })
    expect((await staff('sessions_cancel', { session_id: session.id })).code).toBe('cancellation_not_allowed')
    expect(await countOf(ids, { status: 'canceled' })).toBe(MANY)
    await staff('bookings_complete', { booking_id: first })
    expect((await staff('sessions_cancel', { session_id: session.id })).data.booking_ids).toEqual(ids.toSorted())
  })

  test('[nobody waits long for the staff] a buyer of many bookings is erased in short changes, and who repeats the call goes on', async () => {
    const { ids } = await fill(3, 'erased@example.com')
    const erase = () =>
      staff('buyers_erase', { email: 'erased@example.com' }, { idempotencyKey: `erase ${desk.binding}` })
    dieAfter(1)
    expect((await erase()).code).toBe('server_error')
    vi.restoreAllMocks()
    expect(await countOf(ids, { isErased: true })).toBe(AT_ONCE)
    const { data } = await erase()
    expect(data.booking_ids).toHaveLength(MANY - AT_ONCE)
    expect(await countOf(ids, { isErased: true })).toBe(MANY)
    expect((await erase()).data).toEqual(data)
    expect((await staff('buyers_erase', { email: 'erased@example.com' })).data.booking_ids).toEqual([])
  })

  test('[nobody waits long for the staff] a class that somebody takes part in is not begun to be canceled', async () => {
    const session = await sessionAt(5)
    const made = await staff('bookings_create', { service_id: 'svc_class', start: session.start, buyer: walkIn })
    await staff('bookings_start', { booking_id: made.data.booking.id })
    const other = (await desk.book(await slotOf(session))).data.booking.id
    expect((await staff('sessions_cancel', { session_id: session.id })).code).toBe('cancellation_not_allowed')
    expect((await sessionAt(5)).status).toBe('open')
    expect((await desk.get(other)).data.booking.status).not.toBe('canceled')
  })
})
