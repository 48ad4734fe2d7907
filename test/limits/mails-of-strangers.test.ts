import { expect, test } from 'vitest'
import { runWaitlist } from '../../src/domain/waitlist/run-waitlist-offers.ts'
import type { BusinessDefinition } from '../../src/protocol/types.generated.ts'
import { daily } from '../availability/week.ts'
import { withPolicies } from '../bookings/shop.ts'
import { businessWith, service } from '../support/definitions.ts'
import { buyer, newcomer, onBothDesks, testShop } from '../support/desk.ts'
import { testKey, testPlatform } from '../support/platform.ts'
import { published } from '../support/sign.ts'

const definition: BusinessDefinition = businessWith(
  [
    service('svc_cut'),
    withPolicies('svc_paid', { payment_timing: 'at_booking' }),
    service('svc_class', {
      type: 'group',
      capacity: { max: 1, waitlist: true },
      sessions: [{ days: ['tuesday'], starts: '10:00' }],
    }),
  ],
  { hours: daily('08:00', '20:00'), limits: { strangers: { mails: 5, mails_to_one: 3 } } },
)

const open = (mails: BusinessDefinition['mails']) => async () => {
  const shop = await testShop({ ...definition, ...(mails && { mails }) }, { env: { TRUST_PROXY: '127.0.0.1' } })
  const { url: profile } = await testPlatform()
  let used = 0
  return {
    ...shop,
    profile,
    /** Somebody with a new key, from a network where nobody has called before unless it is named. */
    stranger: (address = `203.0.113.${++used}`) => newcomer(profile, address),
    newAddress: () => `198.51.100.${++used}`,
    mailsTo: async (email: string) =>
      (
        await shop.runtime.db
          .selectFrom('mails')
          .select('kind')
          .where('recipient', '=', email)
          .where('channel', '=', 'mail')
          .orderBy('number')
          .execute()
      ).map(({ kind }) => kind),
  }
}
const to = (email: string) => ({ buyer: { ...buyer, email } })

await onBothDesks(open({ platform_buyers: 'all' }), (desk, shop) => {
  const refusal = desk.binding === 'REST' ? { status: 429 } : { rpc: -32007 }
  const slot = async () => (await desk.slots('svc_cut'))[0]
  /** Books, and cancels at once. */
  const bookAndCancel = async (as = shop.stranger(), email = 'eve@example.com') => {
    const said = await desk.book(await slot(), to(email), { as })
    if (said.code === undefined) expect((await desk.cancel(said.data.booking.id, {}, { as })).code).toBeUndefined()
    return said
  }

  test('[mail bombs] one address is written to by so many bookings an hour, however many keys and networks make them', async () => {
    const email = 'victim@example.com'
    for (let time = 0; time < 3; time++) expect((await bookAndCancel(shop.stranger(), email)).code).toBeUndefined()
    const bookings = await shop.runtime.db.selectFrom('bookings').select('id').execute()
    const said = await bookAndCancel(shop.stranger(), ' Victim+more@example.com'.trim())
    expect(said).toMatchObject({ code: 'rate_limited', ...refusal })
    expect(said.data.errors).toMatchObject([{ field: 'buyer.email' }])
    expect(Number(said.headers['retry-after'] ?? said.data.retry_after)).toBe(3600)
    // It was refused before anything of it was kept, and nobody else is.
    expect(await shop.runtime.db.selectFrom('bookings').select('id').execute()).toEqual(bookings)
    expect(await shop.mailsTo(email)).toHaveLength(6)
    expect((await bookAndCancel(shop.stranger(), 'other@example.com')).code).toBeUndefined()
    shop.minutesLater(60)
    expect((await bookAndCancel(shop.stranger(), email)).code).toBeUndefined()
  })

  test('[mail bombs] one network causes so many mails an hour, whoever they go to', async () => {
    const address = shop.newAddress()
    for (let time = 0; time < 5; time++)
      expect((await bookAndCancel(shop.stranger(address), `n${time}@example.com`)).code).toBeUndefined()
    shop.minutesLater(20)
    const said = await bookAndCancel(shop.stranger(address), 'n6@example.com')
    expect(said).toMatchObject({ code: 'rate_limited', ...refusal })
    expect(said.data.errors).toBeUndefined()
    expect(JSON.stringify(said.data)).toContain('list your key under `keys`')
    expect(Number(said.headers['retry-after'] ?? said.data.retry_after)).toBe(2400)
    expect(await shop.mailsTo('n6@example.com')).toEqual([])
    expect((await bookAndCancel(shop.stranger(), 'n6@example.com')).code).toBeUndefined()
  })

  test('[mail bombs] moving and correcting one booking counts each time, and canceling it is always possible', async () => {
    const as = shop.stranger()
    const [first, second] = (await desk.slots('svc_cut')).filter(({ start }) => /T(09|11):00/.test(start))
    const { booking } = (await desk.book(first, to('mover@example.com'), { as })).data
    expect((await desk.reschedule(booking.id, second, {}, { as })).code).toBeUndefined()
    expect((await desk.update(booking.id, { notes: 'Once' }, { as })).code).toBeUndefined()
    expect((await desk.update(booking.id, { notes: 'Twice' }, { as })).code).toBeUndefined()
    expect(await desk.update(booking.id, { notes: 'Thrice' }, { as })).toMatchObject({
      code: 'rate_limited',
      ...refusal,
    })
    expect(await desk.reschedule(booking.id, first, {}, { as })).toMatchObject({ code: 'rate_limited', ...refusal })
    const { data } = await desk.get(booking.id, { as })
    expect([data.booking.slot.id, data.booking.notes]).toEqual([second.id, 'Twice'])
    // To another address it goes as far as that may be written to.
    expect((await desk.update(booking.id, to('else@example.com'), { as })).code).toBeUndefined()
    expect((await desk.cancel(booking.id, {}, { as })).data.booking.status).toBe('canceled')
    expect(await shop.mailsTo('mover@example.com')).toHaveLength(4)
  })

  test('[mail bombs] what others have an address written keeps nobody from what is theirs', async () => {
    const [as, email] = [shop.stranger(), 'rosa@example.com']
    const [first, second] = (await desk.slots('svc_cut')).filter(({ start }) => /T(13|15):00/.test(start))
    const { booking } = (await desk.book(first, to(email), { as })).data
    const taken = (await desk.book((await desk.slots('svc_class'))[0])).data.booking
    const { entry } = (await desk.call('usp_waitlist_join', { service_id: 'svc_class', ...to(email) }, { as })).data
    expect((await bookAndCancel(shop.stranger(), email)).code).toBeUndefined()
    expect((await bookAndCancel(shop.stranger(), email)).code).toBe('rate_limited')
    expect((await desk.reschedule(booking.id, second, {}, { as })).code).toBeUndefined()
    await desk.cancel(taken.id)
    await runWaitlist(shop.runtime)
    const { data } = await desk.call('usp_waitlist_accept', { entry_id: entry.id }, { as })
    expect(data.booking.status).toBe('confirmed')
  })

  test('[mail bombs] who joins a waitlist to leave it again joins so many times', async () => {
    const address = shop.newAddress()
    const as = shop.stranger(address)
    const [taken] = await desk.slots('svc_class')
    await desk.book(taken)
    const join = () => desk.call('usp_waitlist_join', { service_id: 'svc_class', ...to('queue@example.com') }, { as })
    for (let time = 0; time < 3; time++) {
      const { entry } = (await join()).data
      expect(entry.status).toBe('waiting')
      await desk.call('usp_waitlist_leave', { entry_id: entry.id }, { as })
    }
    expect(await join()).toMatchObject({ code: 'rate_limited', ...refusal })
    expect(await shop.mailsTo('queue@example.com')).toHaveLength(3)
  })

  test('[mail bombs] known callers stand outside, and take nothing from strangers', async () => {
    const key = testKey('ES256')
    const { url } = await testPlatform({ keys: [published('one', key)] })
    const address = shop.newAddress()
    const known = [
      { key, profile: url, address },
      { ...shop.platform, address },
    ]
    for (let time = 0; time < 8; time++)
      expect((await bookAndCancel(known[time % 2], 'regular@example.com')).code).toBeUndefined()
    expect((await bookAndCancel(shop.stranger(address), 'regular@example.com')).code).toBeUndefined()
  })

  test('[mail bombs] the log and the metric tell of it once a minute and each time, and no address is kept or told', async () => {
    for (let time = 0; time < 5; time++) await bookAndCancel(shop.stranger(), 'Metric@example.com')
    expect(shop.logged.join('')).toContain('"limit":"limits.strangers.mails_to_one"')
    expect(shop.logged.join('')).not.toMatch(/metric@example/i)
    expect(await shop.runtime.metrics.registry.metrics()).toMatch(
      /usp_stranger_limit_refusals_total\{limit="mails_to_one"\} [2-9]/,
    )
    const causes = await shop.runtime.db.selectFrom('mail_causes').selectAll().execute()
    expect(causes.length).toBeGreaterThan(3)
    expect(JSON.stringify(causes)).not.toContain('@')
  })
})

await onBothDesks(open(undefined), (desk, shop) => {
  const refused = { code: 'rate_limited' }

  test('[mail bombs] what nobody is mailed of counts for nothing', async () => {
    for (let time = 0; time < 7; time++) {
      const as = shop.stranger('192.0.2.1')
      const [slot] = await desk.slots('svc_cut')
      const { booking } = (await desk.book(slot, to('quiet@example.com'), { as })).data
      expect((await desk.cancel(booking.id, {}, { as })).code).toBeUndefined()
    }
    expect(await shop.mailsTo('quiet@example.com')).toEqual([])
  })

  test('[mail bombs] bookings that ask for something, of which their buyer is mailed', async () => {
    const book = async () => {
      const as = shop.stranger()
      const said = await desk.book((await desk.slots('svc_paid'))[0], to('payer@example.com'), { as })
      if (said.code === undefined) await desk.cancel(said.data.booking.id, {}, { as })
      return said
    }
    for (let time = 0; time < 3; time++) expect((await book()).code).toBeUndefined()
    expect(await book()).toMatchObject(refused)
    expect(await shop.mailsTo('payer@example.com')).toHaveLength(3)
  })

  test('[mail bombs] two entries that pass an offer on to each other are stopped, and the offer lapses by itself', async () => {
    const as = shop.stranger()
    const [place] = await desk.slots('svc_class')
    const { booking } = (await desk.book(place)).data
    const entries = []
    for (const email of ['pass@example.com', 'pass+1@example.com'])
      entries.push((await desk.call('usp_waitlist_join', { service_id: 'svc_class', ...to(email) }, { as })).data.entry)
    await desk.cancel(booking.id)
    const codes = []
    for (let turn = 0; turn < 6; turn++)
      codes.push((await desk.call('usp_waitlist_decline', { entry_id: entries[turn % 2].id }, { as })).code)
    expect(codes[0]).toBeUndefined()
    expect(codes.slice(1)).toContain('rate_limited')
    const mailed = [...(await shop.mailsTo('pass@example.com')), ...(await shop.mailsTo('pass+1@example.com'))]
    expect(mailed.filter((kind) => kind === 'waitlist.offered')).toHaveLength(4)
  })
})
