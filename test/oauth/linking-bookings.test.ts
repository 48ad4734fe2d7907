import { describe, expect, test } from 'vitest'
import { addClient } from '../../src/core/authentication/api-keys.ts'
import { operations } from '../../src/server/all-operations.ts'
import { buyer, type Desk, onBothDesks, type Shop } from '../support/desk.ts'
import { sampleOf } from '../support/samples.ts'
import { asLinked, BACK, linked, linkingBusiness, linkingShop, newEmail } from './browser.ts'
import { type Client, origin } from './support.ts'

interface LinkingShop extends Shop {
  client: Client
}

const open = async (): Promise<LinkingShop> => {
  const { shop, client } = await linkingShop(
    linkingBusiness({
      accepted_mechanisms: ['oauth2_bearer', 'api_key', 'booking_scoped_credential', 'http_message_signature'],
    }),
  )
  return { ...shop, client }
}

/** Days that are bookable by the true time. */
const soon = () => {
  const day = (days: number) => new Date(Date.now() + days * 24 * 3_600_000).toISOString().slice(0, 10)
  return { start_date: day(2), end_date: day(7) }
}

await onBothDesks(open, (desk, shop) => {
  const link = async (email = newEmail(), granted?: string[]) => {
    const asked = 'usp:booking usp:history usp:loyalty'
    return asLinked(shop, (await linked(shop, shop.client, { email, asked, ...(granted && { granted }) })).access)
  }
  const asClient = () => ({ bearer: shop.client.key, ...(shop.platform.profile && { profile: shop.platform.profile }) })
  let used = 0
  const slot = async () => (await desk.slots('svc_a', soon())).at(used++)
  const bookAs = async (as: Awaited<ReturnType<typeof link>>, more = {}, ask = {}) =>
    desk.book(await slot(), more, { as, ...ask })

  test('[AUT-076] with usp:booking a platform books for the buyer, and reads, changes, moves and cancels that', async () => {
    const alice = await link()
    const made = await bookAs(alice)
    expect(made.status).toBe(desk.binding === 'REST' ? 201 : 200)
    const { id } = made.data.booking
    expect((await desk.get(id, { as: alice })).data.booking.id).toBe(id)
    expect((await desk.update(id, { notes: 'By the window.' }, { as: alice })).data.booking.id).toBe(id)
    expect((await desk.reschedule(id, await slot(), {}, { as: alice })).data.booking.id).toBe(id)
    expect((await desk.cancel(id, {}, { as: alice })).data.booking.status).toBe('canceled')
  })

  describe('[AUT-076] the booking of a buyer is not found', async () => {
    const alice = await link()
    const { booking } = (await bookAs(alice)).data
    const others: [string, () => Promise<object>][] = [
      ['for another buyer of the same platform', () => link()],
      ['for the platform without the buyer', async () => asClient()],
      ['for another platform', async () => shop.other],
    ]
    describe.each(others)('%s', (_, other) => {
      const tries: [string, (desk: Desk, as: object) => Promise<{ code: string | undefined }>][] = [
        ['read', (desk, as) => desk.get(booking.id, { as })],
        ['update', (desk, as) => desk.update(booking.id, { notes: 'x' }, { as })],
        ['cancel', (desk, as) => desk.cancel(booking.id, {}, { as })],
        ['reschedule', async (desk, as) => desk.reschedule(booking.id, await slot(), {}, { as })],
        ['pay', (desk, as) => desk.pay(booking, {}, { as })],
      ]
      test.each(tries)('to %s it', async (_, attempt) => {
        expect((await attempt(desk, await other())).code).toBe('booking_not_found')
      })
    })

    test('and stays as it was', async () => {
      expect((await desk.get(booking.id, { as: alice })).data.booking.revision).toBe(booking.revision)
    })
  })

  test('[AUT-076] what the platform or another buyer booked is not found with the token of a buyer', async () => {
    const mine = (await bookAs(asClient())).data.booking
    const bobs = (await bookAs(await link())).data.booking
    const alice = await link()
    for (const { id } of [mine, bobs]) expect((await desk.get(id, { as: alice })).code).toBe('booking_not_found')
    expect((await desk.get(mine.id, { as: asClient() })).data.booking.id).toBe(mine.id)
  })

  test('[AUT-076] the address of a buyer in a booking makes it nobody else’s', async () => {
    const email = newEmail()
    const theirs = { buyer: { first_name: 'A', last_name: 'W', email } }
    const { booking } = (await bookAs(asClient(), theirs)).data
    expect((await desk.get(booking.id, { as: await link(email) })).code).toBe('booking_not_found')
  })

  test('[AUT-076] who links anew, or another platform, reaches what was booked for them before', async () => {
    const email = newEmail()
    const { booking } = (await bookAs(await link(email))).data
    const again = await link(email)
    const { db } = shop.runtime
    const another = await addClient(db, 'Another platform', new Date(), [BACK])
    const { access } = await linked(shop, another, { email })
    for (const as of [again, { ...shop.other, bearer: access }])
      expect((await desk.get(booking.id, { as })).data.booking.id).toBe(booking.id)
  })

  test('[AUT-076] [LIV-006] [LIV-063] a hold and a kept answer are not another buyer’s', async () => {
    const [alice, bob] = [await link(), await link()]
    const time = await slot()
    const { hold } = (await desk.hold(time, {}, { as: alice })).data
    expect((await desk.release(hold.id, { as: bob })).code).toBe('not_found')
    expect((await desk.book(time, { hold_id: hold.id }, { as: bob })).code).toBe('validation_error')
    const ask = { idempotencyKey: crypto.randomUUID() }
    const first = await desk.book(time, { hold_id: hold.id }, { as: alice, ...ask })
    const twin = await desk.book(time, { hold_id: hold.id }, { as: bob, ...ask })
    expect([first.code, twin.code]).toEqual([undefined, 'validation_error'])
    const repeated = await desk.book(time, { hold_id: hold.id }, { as: alice, ...ask })
    expect(repeated.data.booking.id).toBe(first.data.booking.id)
  })

  test('[AUT-076] [LIV-005] a place in the line is not another buyer’s, nor the platform’s', async () => {
    const [alice, bob] = [await link(), await link()]
    const joined = await desk.call('usp_waitlist_join', { service_id: 'svc_queue', buyer }, { as: alice })
    const entry = { entry_id: joined.data.entry.id }
    expect((await desk.call('usp_waitlist_get', entry, { as: alice })).data.entry.id).toBe(entry.entry_id)
    for (const as of [bob, asClient()]) {
      expect((await desk.call('usp_waitlist_get', entry, { as })).code).toBe('entry_not_found')
      expect((await desk.call('usp_waitlist_leave', entry, { as })).code).toBe('entry_not_found')
      expect((await desk.call('usp_waitlist_list', {}, { as })).data.entries).toEqual([])
    }
  })

  test('[AUT-078] a booking for a buyer comes without a credential that would outlast the link', async () => {
    expect((await bookAs(await link())).data).not.toHaveProperty('booking_scoped_credential')
    expect((await bookAs(asClient())).data).toHaveProperty('booking_scoped_credential')
  })

  const ofBuyers = operations.filter(
    ({ access, capability }) =>
      access.startsWith('privileged') && /services\.(availability|bookings|waitlist)$/.test(capability),
  )
  test('there are operations about buyers', () => expect(ofBuyers.length).toBeGreaterThan(10))

  describe('without usp:booking', async () => {
    const modest = await link(newEmail(), ['usp:history', 'usp:loyalty'])

    test.each(ofBuyers.map((operation) => [operation.tool, operation] as const))(
      '[AUT-077] %s says which scope is missing',
      async (tool, operation) => {
        const { status, rpc, code, headers } = await desk.call(tool, sampleOf(operation), { as: modest })
        expect(code).toBe('authentication_required')
        if (desk.binding === 'MCP') return expect(rpc).toBe(-32006)
        expect(status).toBe(401)
        expect(headers['www-authenticate']).toMatch(/^Bearer error="insufficient_scope"/)
      },
    )

    test('[AUT-077] that is no failed attempt to get in', async () => {
      const counted = await shop.runtime.db
        .selectFrom('rate_limits')
        .select('key')
        .where('key', 'like', 'failed %')
        .execute()
      expect(counted).toEqual([])
    })

    test('what concerns no buyer is done as its platform', async () => {
      const subscribe = { callback_url: 'https://127.0.0.1:9443/hook' }
      const { data } = await desk.call('usp_services_feed_subscribe', subscribe, { as: modest })
      const read = { subscription_id: data.subscription.id }
      const tool = operations.find(({ id }) => id === 'getFeedSubscription')?.tool ?? ''
      expect((await desk.call(tool, read, { as: asClient() })).data.subscription.id).toBe(read.subscription_id)
    })
  })

  const ofStaff = operations.filter(({ access }) => access === 'business_only')
  test.each(ofStaff.map((operation) => [operation.tool, operation] as const))(
    'with a buyer’s token %s is no more than it was',
    async (tool, operation) => {
      shared ??= await link()
      const { code } = await desk.call(tool, sampleOf(operation), { as: shared })
      expect(code).toBe('authentication_required')
    },
  )
  let shared: Awaited<ReturnType<typeof link>> | undefined

  test('the token keeps to the profile that its platform named first', async () => {
    const alice = await link()
    await bookAs(asClient())
    const { profile = '' } = shop.other
    const { code } = await bookAs({ ...alice, profile })
    expect(code).toBe('authentication_required')
    expect(profile).not.toContain(origin)
  })
})
