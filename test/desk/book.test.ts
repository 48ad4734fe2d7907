import { expect, test } from 'vitest'
import { at, inStudio, tuesday, walkIn } from './studio.ts'

await inStudio((desk, staff, shop) => {
  const book = (service_id: string, more: Record<string, unknown>) =>
    staff('bookings_create', { service_id, buyer: walkIn, ...more })
  const details = async (id: string) => (await staff('bookings_get', { booking_id: id })).data
  const drop = (id: string) => staff('bookings_cancel', { booking_id: id })

  test('who calls is booked at a slot that is offered, and nobody is offered it then', async () => {
    const [slot] = await desk.slots('svc_cut')
    const { status, data } = await book('svc_cut', { slot_id: slot.id, notes: 'Allergic to nickel' })
    expect(status).toBe(desk.binding === 'REST' ? 201 : 200)
    const { id } = data.booking
    expect(data.booking).toMatchObject({
      status: 'confirmed',
      slot: { id: slot.id, start: slot.start, end: slot.end },
      buyer: { first_name: 'Walter', last_name: 'Innes', email: expect.stringMatching(/\.invalid$/) },
      resources: [{ id: 'staff_ann' }],
      notes: 'Allergic to nickel',
    })
    expect((await desk.slots('svc_cut')).map((one) => one.id)).not.toContain(slot.id)
    const { details: more, changes } = await details(id)
    expect(more).not.toHaveProperty('booked_by')
    expect(changes).toMatchObject([{ action: 'create', actor: expect.stringMatching(/^staff:/), to: 'confirmed' }])
    expect((await desk.get(id)).code).toBe('booking_not_found')
    await drop(id)
  })

  test('it is booked at any minute and with whom one likes, where everybody is there', async () => {
    const { data } = await book('svc_cut', { start: tuesday('13:10'), resource_ids: ['staff_ben'] })
    expect(data.booking).toMatchObject({
      slot: { start: tuesday('13:10'), end: tuesday('14:10') },
      resources: [{ id: 'staff_ben' }],
    })
    expect(await details(data.booking.id)).not.toHaveProperty('details.overridden')
    // Ann is taken for the same time, and then nobody is left.
    const other = await book('svc_cut', { start: tuesday('13:30') })
    expect(other.data.booking.resources).toMatchObject([{ id: 'staff_ann' }])
    expect((await book('svc_cut', { start: tuesday('14:00') })).code).toBe('slot_unavailable')
    await drop(data.booking.id)
    await drop(other.data.booking.id)
  })

  test('of the rooms one can be named; otherwise it is one that is free', async () => {
    const named = await book('svc_room', { start: tuesday('09:00'), resource_ids: ['room_2'] })
    expect(named.data.booking.resources).toMatchObject([{ id: 'room_2' }])
    const any = await book('svc_room', { start: tuesday('09:00') })
    expect(any.data.booking.resources).toMatchObject([{ id: 'room_1' }])
    expect((await book('svc_room', { start: tuesday('09:30') })).code).toBe('slot_unavailable')
  })

  test('a class is held by whom it is held, and whoever books it may say so', async () => {
    const start = tuesday('16:00')
    const named = await book('svc_class', { start, resource_ids: ['staff_cat'] })
    expect([named.code, named.data.booking?.slot.start]).toEqual([undefined, start])
    await drop(named.data.booking.id)
  })

  const everything = ['booking_window', 'hours', 'capacity']
  test.each([
    [
      'the booking window, a time that is past',
      'svc_cut',
      '2026-11-20T09:00:00-05:00',
      {},
      'booking_window',
      'booking_window_violated',
    ],
    [
      'the booking window, too far ahead',
      'svc_cut',
      '2027-03-02T09:00:00-05:00',
      {},
      'booking_window',
      'booking_window_violated',
    ],
    ['the hours of the business', 'svc_cut', tuesday('19:00'), {}, 'hours', 'validation_error'],
    [
      'the hours of a person',
      'svc_cut',
      tuesday('09:00'),
      { resource_ids: ['staff_ben'] },
      'hours',
      'validation_error',
    ],
    ['the least that must come', 'svc_table', tuesday('10:00'), { party_size: 1 }, 'capacity', 'validation_error'],
    ['the most that may come', 'svc_table', tuesday('12:00'), { party_size: 6 }, 'capacity', 'capacity_exceeded'],
  ])('%s can be set aside by name, and that stays written', async (_, service, start, more, rule, code) => {
    const time = start < '2026-11-21' ? '2026-11-20T14:30:00Z' : '2026-11-20T12:00:00Z'
    await at(shop, time, async () => {
      expect((await book(service, { start, ...more })).code).toBe(code)
      const others = everything.filter((one) => one !== rule)
      expect((await book(service, { start, ...more, override: others })).code).toBe(code)
      const { data } = await book(service, { start, ...more, override: everything })
      const { id } = data.booking
      expect(data.booking.slot.start).toBe(start)
      const { details: told, changes } = await details(id)
      expect(told.overridden).toEqual([rule])
      expect(changes[0].detail).toEqual({ overridden: [rule] })
      await drop(id)
    })
  })

  test('[no notice for staff] staff book times before the notice that buyers have to give', async () => {
    await at(shop, '2026-11-20T13:00:00Z', async () => {
      const start = '2026-11-20T09:00:00-05:00'
      const { data, code } = await book('svc_cut', { start })
      expect([code, data.booking?.slot.start]).toEqual([undefined, start])
      expect((await details(data.booking.id)).details.overridden).toBeUndefined()
      await drop(data.booking.id)
    })
  })

  test('a party that is too large for a table gets the largest', async () => {
    const { data } = await book('svc_table', { start: tuesday('14:00'), party_size: 6, override: ['capacity'] })
    expect(data.booking).toMatchObject({ party_size: 6, resources: [{ id: 'table_4' }] })
  })

  test.each(['hold', 'book'] as const)(
    'time that is taken by a %s of others stays taken, whatever is set aside',
    async (how) => {
      const [slot] = await desk.slots('svc_bike', { start_date: '2026-11-27' })
      const taken = await desk[how](slot)
      const rival = await book('svc_bike', { start: slot.start, override: everything })
      expect(rival.code).toBe('slot_unavailable')
      if (how === 'hold') await desk.release(taken.data.hold.id)
      else await drop(taken.data.booking.id)
      const free = await book('svc_bike', { start: slot.start, override: everything })
      expect(free.data.booking.slot.start).toBe(slot.start)
      await drop(free.data.booking.id)
    },
  )

  test('a class takes no more than it has room for, whatever is set aside', async () => {
    const start = '2026-11-26T16:00:00-05:00'
    const { data } = await book('svc_class', { start, party_size: 2 })
    expect(data.booking).toMatchObject({
      status: 'confirmed',
      party_size: 2,
      payment: { status: 'pending', amount_due: 12000 },
    })
    const many = await book('svc_class', { start, party_size: 2, override: everything })
    expect(many.code).toBe('capacity_exceeded')
    expect((await book('svc_class', { start, party_size: 4, override: everything })).code).toBe('capacity_exceeded')
    expect((await book('svc_class', { start: tuesday('11:00'), override: everything })).code).toBe('slot_unavailable')
  })

  test('what is owed for it is paid at the desk', async () => {
    const { data } = await book('svc_flat', { start: tuesday('10:00') })
    const { id, status, payment } = data.booking
    expect([status, payment.status, payment.amount_due]).toEqual(['confirmed', 'pending', 12000])
    const paid = await staff('bookings_mark_paid', { booking_id: id })
    expect(paid.data.booking).toMatchObject({ status: 'confirmed', payment: { status: 'paid', amount_due: 0 } })
    expect((await staff('bookings_mark_paid', { booking_id: id })).code).toBe('already_confirmed')
    await drop(id)
  })

  test('[PAY-069] who was to pay at the desk and did not come owes the fee', async () => {
    const { data } = await book('svc_flat', { start: tuesday('11:00') })
    const { id } = data.booking
    const missed = await at(shop, '2026-11-25T12:00:00Z', () => staff('bookings_no_show', { booking_id: id }))
    expect(missed.data.booking).toMatchObject({ status: 'no_show', payment: { status: 'pending', amount_due: 2000 } })
    const paid = await staff('bookings_mark_paid', { booking_id: id })
    expect(paid.data.booking).toMatchObject({ status: 'no_show', payment: { status: 'paid', amount_due: 0 } })
    expect((await details(id)).details.collected).toBe(2000)
  })

  test('the length can be chosen where the service leaves a choice', async () => {
    const { data } = await book('svc_bike', { start: tuesday('09:15'), duration: 'PT2H' })
    expect(data.booking.slot).toMatchObject({ start: tuesday('09:15'), end: tuesday('11:15'), duration: 'PT120M' })
    expect((await book('svc_bike', { start: tuesday('12:00'), duration: 'PT90M' })).code).toBe('validation_error')
    await drop(data.booking.id)
  })

  test.each([
    ['neither a slot nor a start', {}, 'invalid_request'],
    ['a start between two minutes', { start: '2026-11-24T09:00:30-05:00' }, 'validation_error'],
    ['a start that is no moment', { start: '2026-11-24' }, 'validation_error'],
    ['somebody who does something else', { start: tuesday('09:00'), resource_ids: ['staff_cat'] }, 'validation_error'],
    ['a rule that nobody can set aside', { start: tuesday('09:00'), override: ['ledger'] }, 'validation_error'],
    ['a slot of our making that was altered', { slot_id: 'slot_none' }, 'slot_unavailable'],
    [
      'a telephone number that is none',
      { start: tuesday('09:00'), buyer: { ...walkIn, phone_number: 'none' } },
      'validation_error',
    ],
  ])('%s is refused', async (_, more, code) => {
    expect((await book('svc_cut', more)).code).toBe(code)
  })

  test('[LIV-010] a service that the business does not have is none', async () => {
    const { code, data } = await book('svc_none', { start: tuesday('09:00') })
    expect([code, data.errors[0].field]).toEqual(['validation_error', 'service_id'])
  })

  test('of many who book one time at once, buyers and staff, one gets it', async () => {
    const [slot] = await desk.slots('svc_asked', { start_date: '2026-11-28' })
    const said = await Promise.all(
      Array.from({ length: 10 }, (_, index) =>
        index % 2 ? desk.book(slot) : book('svc_asked', { start: slot.start, override: everything }),
      ),
    )
    expect(said.filter(({ data }) => data.booking)).toHaveLength(1)
    expect(said.filter(({ code }) => code === 'slot_unavailable')).toHaveLength(9)
  })
})
