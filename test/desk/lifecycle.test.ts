import { expect, test } from 'vitest'
import { at, inStudio, tuesday } from './studio.ts'

await inStudio((desk, staff, shop) => {
  /** A booking that a platform made, of the service, brought to a status. */
  const booked = async (serviceId: string): Promise<string> => {
    const [slot] = await desk.slots(serviceId)
    const { data } = await desk.book(slot)
    return data.booking.id
  }
  const confirmed = () => booked('svc_cut')
  const started = async () => {
    const id = await confirmed()
    await staff('bookings_start', { booking_id: id })
    return id
  }
  const after = async (steps: string[], first = confirmed) => {
    const id = await first()
    for (const step of steps) {
      const { code } = await at(shop, '2026-12-01T12:00:00Z', () => staff(`bookings_${step}`, { booking_id: id }))
      expect(code).toBeUndefined()
    }
    return id
  }
  const statusOf = async (id: string) => (await staff('bookings_get', { booking_id: id })).data.booking.status

  test('[BKG-083] [BKG-084] a booking is started and completed, and what is left of its time is free', async () => {
    const [slot] = await desk.slots('svc_cut')
    const { data } = await desk.book(slot)
    const { id } = data.booking
    const begun = await staff('bookings_start', { booking_id: id })
    expect(begun.data.booking.status).toBe('in_progress')
    expect((await desk.slots('svc_cut')).map((one) => one.id)).not.toContain(slot.id)
    const done = await staff('bookings_complete', { booking_id: id })
    expect(done.data.booking).toMatchObject({ id, status: 'completed', slot: { id: slot.id } })
    expect((await desk.get(id)).data.booking.status).toBe('completed')
    expect((await desk.slots('svc_cut')).map((one) => one.id)).toContain(slot.id)
  })

  test.each([
    ['BKG-085', 'in_progress', started],
    ['BKG-086', 'confirmed', confirmed],
  ] as const)('[%s] a booking that is %s can be a no-show', async (_, before, make) => {
    const id = await make()
    expect(await statusOf(id)).toBe(before)
    const { data } = await at(shop, '2026-12-01T12:00:00Z', () => staff('bookings_no_show', { booking_id: id }))
    expect(data.booking.status).toBe('no_show')
  })

  test('[BKG-087] nobody is a no-show before the grace period is over', async () => {
    const { data } = await desk.book((await desk.slots('svc_cut'))[0])
    const { id, slot } = data.booking
    const minutesIn = (minutes: number) => new Date(Date.parse(slot.start) + minutes * 60_000).toISOString()
    const early = await at(shop, minutesIn(14.99), () => staff('bookings_no_show', { booking_id: id }))
    expect(early).toMatchObject({ status: 200, code: 'invalid_transition' })
    expect(await statusOf(id)).toBe('confirmed')
    const late = await at(shop, minutesIn(15), () => staff('bookings_no_show', { booking_id: id }))
    expect(late.data.booking.status).toBe('no_show')
  })

  const canceled = async () => {
    const id = await confirmed()
    await staff('bookings_cancel', { booking_id: id })
    return id
  }
  const ends = [
    ['completed', () => after(['start', 'complete'])],
    ['no_show', () => after(['no_show'])],
    ['canceled', canceled],
  ] as const
  const steps = ['confirm', 'start', 'complete', 'no_show', 'decline', 'reschedule'] as const
  test.each(ends.flatMap(([status, make]) => steps.map((step) => [status, step, make] as const)))(
    '[BKG-088] a booking that is %s stays so: %s is refused',
    async (status, step, make) => {
      const id = await make()
      const more = step === 'reschedule' ? { start: tuesday('11:00') } : {}
      const said = await at(shop, '2026-12-01T12:00:00Z', () =>
        step === 'confirm' ? desk.confirm(id) : staff(`bookings_${step}`, { booking_id: id, ...more }),
      )
      expect(said.code).toBe('invalid_transition')
      expect(await statusOf(id)).toBe(status)
    },
  )

  const unresolved = [
    ['pending', 'svc_asked'],
    ['requires_action', 'svc_paid'],
  ] as const
  test.each(
    unresolved.flatMap(([status, service]) =>
      (['start', 'complete', 'no_show'] as const).map((step) => [status, step, service] as const),
    ),
  )('[BKG-089] a booking that is %s cannot %s', async (status, step, service) => {
    const id = await booked(service)
    const said = await staff(`bookings_${step}`, { booking_id: id })
    expect(said).toMatchObject({ status: 200, code: 'invalid_transition' })
    expect(await statusOf(id)).toBe(status)
    await staff('bookings_cancel', { booking_id: id })
  })

  test('a booking that waits for the business is declined, and its time is free again', async () => {
    const [slot] = await desk.slots('svc_asked')
    const { data } = await desk.book(slot)
    const declined = await staff('bookings_decline', { booking_id: data.booking.id, reason: 'We are away.' })
    expect(declined.data.booking).toMatchObject({
      status: 'canceled',
      cancellation: { canceled_by: 'business', fee: 0, refund_amount: 0, reason: 'We are away.' },
    })
    expect((await desk.slots('svc_asked')).map(({ id }) => id)).toContain(slot.id)
  })

  test('only what waits for the business can be declined', async () => {
    const id = await confirmed()
    expect((await staff('bookings_decline', { booking_id: id })).code).toBe('invalid_transition')
    expect(await statusOf(id)).toBe('confirmed')
  })

  test('a step that is repeated under its key is taken once', async () => {
    const id = await confirmed()
    const ask = { idempotencyKey: `start ${id}` }
    const first = await staff('bookings_start', { booking_id: id }, ask)
    const again = await staff('bookings_start', { booking_id: id }, ask)
    expect(again.data).toEqual(first.data)
    expect(first.data.booking.status).toBe('in_progress')
  })

  test('a step meant for another revision is refused', async () => {
    const id = await confirmed()
    const said = await staff('bookings_start', { booking_id: id }, { ifMatch: 'another' })
    expect(said.code).toBe('revision_mismatch')
    expect(await statusOf(id)).toBe('confirmed')
  })

  test('[AUT-097] who did what, when and from where to where stands in the list of changes', async () => {
    const id = await after(['start', 'complete'])
    const { data } = await staff('bookings_changes', { booking_id: id })
    const [made, start, end] = data.changes
    expect(data.changes).toHaveLength(3)
    expect(made).toMatchObject({ action: 'create', actor: expect.stringMatching(/^client:/), to: 'confirmed' })
    expect(start).toMatchObject({
      action: 'start',
      actor: expect.stringMatching(/^staff:stf_/),
      at: '2026-12-01T07:00:00.000-05:00',
      from: 'confirmed',
      to: 'in_progress',
    })
    expect(end).toMatchObject({ action: 'complete', from: 'in_progress', to: 'completed' })
    const paged = await staff('bookings_changes', { booking_id: id, limit: 2 })
    expect(paged.data.changes).toEqual([made, start])
    const { cursor } = paged.data.pagination
    expect((await staff('bookings_changes', { booking_id: id, limit: 2, cursor })).data).toMatchObject({
      changes: [end],
      pagination: { cursor: null, has_more: false },
    })
  })
})
