import { describe, expect, test } from 'vitest'
import { service } from '../support/definitions.ts'
import { free, spot, ucpDefinition, ucpShop } from './ucp-shop.ts'

const SECRET = 'Quixotically'
const visit = {
  ...free,
  ...service('svc_visit', {
    type: 'field_service',
    channel: { type: 'at_buyer_location', service_area: 'Manhattan' },
    service_limits: { postal_codes: { country: 'US', codes: ['100*'] } },
    pricing: free.pricing,
    policies: free.policies,
  }),
}
const home = { line1: `5 ${SECRET} Street`, city: 'New York', country: 'US', postal_code: '10001' }

const amountsIn = (value: unknown): unknown[] =>
  typeof value !== 'object' || value === null
    ? []
    : Object.entries(value).flatMap(([name, member]) => [
        ...(/^(amount|price|fee|min|max|total)$|_(amount|due|fee)$/.test(name) && typeof member !== 'object'
          ? [member]
          : []),
        ...amountsIn(member),
      ])

describe.each(['REST', 'MCP'] as const)('over %s', async (binding) => {
  const shop = await ucpShop(ucpDefinition([free, spot, visit]), { binding })

  test.each<[what: string, buyer: unknown, member: string]>([
    ['an e-mail address that is none', { first_name: 'A', last_name: 'B', email: SECRET }, 'buyer.email'],
    [
      'a first name of another type',
      { first_name: [SECRET], last_name: 'B', email: 'a@b.example' },
      'buyer.first_name',
    ],
    [
      'a phone number that is none',
      { first_name: 'A', last_name: 'B', email: 'a@b.example', phone_number: SECRET },
      'buyer.phone_number',
    ],
    ['a buyer that is text', SECRET, 'buyer'],
  ])('[LIV-031] the error about %s names the member and not its value', async (_, buyer, member) => {
    const [slot] = await shop.slotsOf('svc_free')
    if (!slot) throw new Error('There is no slot')
    const { body } = await shop.create(slot, {}, { buyer })
    expect(JSON.stringify([body.errors, body.messages])).not.toContain(SECRET)
    const named = [
      ...(body.errors ?? []).map(({ field }: { field: string }) => field),
      ...(body.messages ?? []).map(({ path }: { path: string }) => path),
    ]
    expect(named.join()).toContain(member)
    expect(body.status).not.toBe('ready_for_complete')
    if (body.id) await shop.cancel(body.id)
  })

  test.each<[what: string, booking: object, member: string]>([
    ['a recipient that is text', { recipient: SECRET }, 'recipient'],
    [
      'a recipient without an e-mail address',
      { recipient: { first_name: SECRET, last_name: SECRET } },
      'recipient.email',
    ],
    ['notes of another type', { notes: [SECRET] }, 'notes'],
  ])('[LIV-031] the error about %s names the member and not its value', async (_, booking, member) => {
    const [slot] = await shop.slotsOf('svc_free')
    if (!slot) throw new Error('There is no slot')
    const { body } = await shop.create(slot, booking)
    expect(JSON.stringify(body.errors ?? body.messages)).toContain(member)
    expect(JSON.stringify([body.errors, body.messages])).not.toContain(SECRET)
    if (body.id) await shop.cancel(body.id)
  })

  test('[LIV-031] [LIV-053] a visit outside the area is not booked, and the refusal does not quote the address', async () => {
    const [slot] = await shop.slotsOf('svc_visit')
    if (!slot) throw new Error('There is no slot')
    const far = { ...home, postal_code: '90210' }
    const before = await shop.bookings()
    const { body } = await shop.create(slot, { service_type: 'field_service', delivery_address: far })
    const refusals = [body.errors, body.messages]
    expect(JSON.stringify(refusals)).toContain('booking.delivery_address')
    expect(JSON.stringify(refusals)).not.toMatch(/Quixotically|90210/)
    expect(body.status).not.toBe('ready_for_complete')
    if (body.id) {
      const { body: completed } = await shop.complete(body.id)
      expect(completed.status).not.toBe('completed')
      await shop.cancel(body.id)
    }
    expect(await shop.bookings()).toEqual(before)
    const near = await shop.create(slot, { service_type: 'field_service', delivery_address: home })
    expect(near.body.status).toBe('ready_for_complete')
    await shop.cancel(near.body.id)
  })

  test('[LIV-050] each amount of a checkout and of its order is a number', async () => {
    const slot = (await shop.slotsOf('svc_spot')).at(-1)
    if (!slot) throw new Error('There is no slot')
    const { body: made } = await shop.create(slot)
    const { body: done } = await shop.complete(made.id)
    const { body: order } = await shop.send('GET', `/orders/${done.order.id}`)
    for (const answer of [made, done, order]) {
      const amounts = amountsIn(answer)
      expect(amounts.length).toBeGreaterThan(2)
      for (const amount of amounts) expect(amount).toSatisfy(Number.isInteger)
    }
  })

  test('[LIV-101] a mechanism that the policy of the USP bindings excludes opens no checkout', async () => {
    const strict = ucpDefinition([free], {
      authorization: { accepted_mechanisms: ['http_message_signature', 'platform_key_pop'] },
    })
    const closed = await ucpShop(strict, { binding })
    const { ucp } = (await closed.rest('GET', '/.well-known/ucp')).body
    for (const { config } of ucp.services['dev.usp-protocol.services'])
      expect(config.authorization.accepted_mechanisms).toEqual(['http_message_signature', 'platform_key_pop'])
    const slot = (await shop.slotsOf('svc_free')).at(-1)
    const [theirs] = await closed.slotsOf('svc_free').catch(() => [slot])
    if (!slot || !theirs) throw new Error('There is no slot')
    // The same call with the same kind of key is served where the policy accepts it.
    const { body: open } = await shop.create(slot)
    expect(open.status).toBe('ready_for_complete')
    await shop.cancel(open.id)
    for (const call of [
      () => closed.create(theirs),
      () => closed.get('chk_any'),
      () => closed.update('chk_any', closed.request(theirs)),
      () => closed.complete('chk_any'),
      () => closed.cancel('chk_any'),
      () => closed.send('GET', '/orders/ord_any'),
    ]) {
      const { status, body } = await call()
      expect([status, body.code]).toEqual([401, 'authentication_required'])
    }
    expect(await closed.bookings()).toEqual([])
    expect(await closed.runtime.db.selectFrom('ucp_checkouts').select('id').execute()).toEqual([])
  })
})
