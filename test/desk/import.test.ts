import { expect, test } from 'vitest'
import { verify } from '../../src/core/ledger/verify-ledger.ts'
import { inStudio, tuesday, walkIn } from './studio.ts'

await inStudio((_, staff, shop) => {
  const person = { ...walkIn, email: 'walter@example.com' }
  const cut = (key: string, start: string, more: object = {}) => ({
    key,
    service_id: 'svc_cut',
    start,
    resource_ids: ['staff_ann'],
    buyer: person,
    ...more,
  })
  const importing = async (bookings: object[], more: object = {}) =>
    (await staff('bookings_import', { source: 'old', bookings, ...more })).data.results
  const outcomes = async (bookings: object[], more?: object) =>
    (await importing(bookings, more)).map(({ outcome }: { outcome: string }) => outcome)
  const details = async (id: string) => (await staff('bookings_get', { booking_id: id })).data
  const count = async (table: 'bookings' | 'mails' | 'events' | 'imported_bookings') =>
    Number(
      (
        await shop.runtime.db
          .selectFrom(table)
          .select(({ fn }) => fn.countAll().as('n'))
          .executeTakeFirstOrThrow()
      ).n,
    )

  test('what is agreed elsewhere is booked, once, and nobody is told', async () => {
    const [mails, events] = [await count('mails'), await count('events')]
    const rows = [cut('a1', tuesday('10:00')), cut('a2', tuesday('11:15'), { end: tuesday('11:40') })]
    const first = await importing(rows)
    expect(first).toMatchObject([
      { key: 'a1', outcome: 'imported' },
      { key: 'a2', outcome: 'imported' },
    ])
    expect(await importing(rows)).toEqual(
      first.map(({ key, booking_id }: { key: string; booking_id: string }) => ({
        key,
        outcome: 'already_there',
        booking_id,
      })),
    )
    const { booking, changes } = await details(first[1].booking_id)
    expect(booking).toMatchObject({ status: 'confirmed', slot: { start: tuesday('11:15'), end: tuesday('11:40') } })
    expect(changes).toMatchObject([{ action: 'create', detail: { source: 'old' } }])
    expect([await count('mails'), await count('events')]).toEqual([mails, events])
  })

  test('they are told where that is asked for', async () => {
    const mails = await count('mails')
    await importing([cut('told', tuesday('16:00'))], { tell: true })
    expect(await count('mails')).toBeGreaterThan(mails)
  })

  test('nobody is told of what is over, though that is asked for', async () => {
    const mails = await count('mails')
    const start = '2026-10-07T10:00:00-04:00'
    const rows = [
      cut('over', start),
      cut('came', start, { status: 'completed' }),
      cut('not', start, { status: 'no_show' }),
    ]
    expect(await outcomes(rows, { tell: true })).toEqual(['imported', 'imported', 'imported'])
    expect(await count('mails')).toBe(mails)
  })

  test('time that is taken is refused with what has it, and stops none of the others', async () => {
    const [taken, free] = await importing([cut('b1', tuesday('10:30')), cut('b2', tuesday('13:00'))])
    expect(taken).toMatchObject({
      outcome: 'refused',
      refusal: { code: 'slot_unavailable', content: expect.stringMatching(/^Part of this time is occupied by bkg_/) },
    })
    expect(free.outcome).toBe('imported')
  })

  test('[no single request stalls the server] what lasts for years is refused, for each of its days is looked at', async () => {
    const start = '1970-01-06T10:00:00-05:00'
    expect(await importing([cut('long', start, { end: '2200-12-31T10:00:00-05:00' })])).toMatchObject([
      { outcome: 'refused', refusal: { code: 'validation_error', path: '$.end' } },
    ])
    expect(await outcomes([cut('year', start, { end: '1971-01-06T10:00:00-05:00' })])).toEqual(['imported'])
  })

  test('a key that is another time by now is refused, with the booking that is here', async () => {
    expect(await importing([cut('b2', tuesday('14:30'))])).toMatchObject([
      { outcome: 'refused', booking_id: expect.any(String), refusal: { code: 'invalid_transition' } },
    ])
  })

  test('what is over is history, takes up no time and owes nothing', async () => {
    const start = '2026-10-06T10:00:00-04:00'
    const rows = [
      cut('h1', start),
      cut('h2', start, { status: 'completed' }),
      cut('h3', start, { status: 'no_show' }),
      { ...cut('h4', start), service_id: 'svc_counter', resource_ids: undefined },
    ]
    const results = await importing(rows)
    const bookings = await Promise.all(
      results.map(async ({ booking_id }: { booking_id: string }) => (await details(booking_id)).booking),
    )
    expect(bookings.map(({ status }) => status)).toEqual(['completed', 'completed', 'no_show', 'completed'])
    expect(bookings.every(({ payment }) => payment === undefined)).toBe(true)
    expect(results[0].overridden).toContain('booking_window')
  })

  test('what is ahead can be paid already, and cannot be over', async () => {
    const at = (key: string, more: object) => ({
      key,
      service_id: 'svc_counter',
      start: tuesday('15:00'),
      buyer: person,
      ...more,
    })
    const [paid, over] = await importing([at('c1', { paid: true }), at('c2', { status: 'no_show' })])
    expect((await details(paid.booking_id)).booking.payment).toBeUndefined()
    expect(over).toMatchObject({ outcome: 'refused', refusal: { code: 'validation_error', path: '$.status' } })
  })

  test("a dry run tells the same, of rows that are in each other's way too, and nothing stays", async () => {
    const before = [await count('bookings'), await count('imported_bookings')]
    const rows = [
      cut('d1', '2026-12-08T10:00:00-05:00'),
      cut('d2', '2026-12-08T10:30:00-05:00'),
      cut('a1', tuesday('10:00')),
    ]
    const told = ['imported', 'refused', 'already_there']
    expect(await outcomes(rows, { dry_run: true })).toEqual(told)
    expect([await count('bookings'), await count('imported_bookings')]).toEqual(before)
    expect(await outcomes(rows)).toEqual(told)
  })

  test('two who import the same at once import it once', async () => {
    const rows = [cut('g1', tuesday('17:00'), { resource_ids: ['staff_ben'] })]
    const [one, other] = await Promise.all([importing(rows), importing(rows)])
    expect([one[0].outcome, other[0].outcome].toSorted()).toEqual(['already_there', 'imported'])
    expect(one[0].booking_id).toBe(other[0].booking_id)
  })

  test('a place in a class is taken while there is one', async () => {
    const row = (key: string) => ({
      key,
      service_id: 'svc_class',
      start: tuesday('16:00'),
      buyer: person,
      party_size: 2,
    })
    const [first, second] = await importing([row('k1'), row('k2')])
    expect(first.outcome).toBe('imported')
    expect(second).toMatchObject({ outcome: 'refused', refusal: { code: 'capacity_exceeded' } })
    const past = { ...row('k3'), start: '2026-10-06T16:00:00-04:00' }
    expect(await importing([past])).toMatchObject([{ outcome: 'refused', refusal: { code: 'slot_unavailable' } }])
  })

  test('an unknown service, a person who never does it and a year that nobody means are named', async () => {
    const results = await importing([
      cut('e1', tuesday('09:00'), { service_id: 'svc_gone' }),
      cut('e2', tuesday('09:00'), { resource_ids: ['staff_cat'] }),
      cut('e3', '0202-11-24T09:00:00Z'),
    ])
    expect(results.map(({ refusal }: { refusal: { code: string } }) => refusal.code)).toEqual(
      Array(3).fill('validation_error'),
    )
    expect(results[0].refusal.path).toBe('$.service_id')
  })

  test('many at once are too many, and who only works here may not', async () => {
    const many = Array.from({ length: 51 }, (_, index) => cut(`m${index}`, tuesday('09:00')))
    expect((await staff('bookings_import', { source: 'old', bookings: many })).code).toBe('validation_error')
    const as = await shop.staffAs('staff')
    const said = await staff('bookings_import', { source: 'old', bookings: [cut('f1', tuesday('09:00'))] }, { as })
    expect(said.code).toBe('authentication_required')
  })

  test('and the ledger is sound', async () => {
    expect((await verify(shop.runtime.db, shop.time.now)).findings.listed).toEqual([])
  })
})
