import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { tableContents } from '../support/table-contents.ts'
import { instrument, tokenShop } from './paid-shop.ts'
import { alice, UCP_BINDINGS } from './ucp-shop.ts'

describe.each(UCP_BINDINGS)('over %s', async (binding) => {
  const shop = await tokenShop(undefined, { binding })
  const { stripe } = shop
  const { db } = shop.runtime

  /** The rows of all tables, with the replies that the server repeats and the counted calls. */
  const stored = async () => {
    const { rows } = await sql`
      select t::text from replies t union all select t::text from principals t union all
      select t::text from rate_limits t`.execute(db)
    return JSON.stringify([await tableContents(db), rows])
  }

  test.each([
    ['203.0.113.7', '198.51.100.9'],
    ['2001:db8::7', '2001:db8::9'],
  ])(
    '[LIV-121] the address of the machine of the agent (%s) is never stored, shown, or sent to Stripe, with %s as the address of the buyer',
    async (agent, buyer) => {
      const signals = { 'dev.usp-protocol.agent_host_ip': agent, 'dev.ucp.buyer_ip': buyer }
      const slot = await shop.lastSlot()
      const created = await shop.create(slot, {}, { signals })
      expect(created.body.status).toBe('ready_for_complete')
      const { id } = created.body
      const updated = await shop.update(id, shop.request(slot, {}, { signals }))
      expect(updated.body.status).toBe('ready_for_complete')
      const token = stripe.grant()
      const completed = await shop.complete(id, { ...instrument(token.id), signals })
      expect(completed.body.status).toBe('completed')
      const read = await shop.get(id)
      const order = await shop.send('GET', `/orders/${completed.body.order.id}`)
      expect(order.body.checkout_id).toBe(id)

      const rows = await stored()
      const answers = JSON.stringify([created, updated, completed, read, order])
      const asked = JSON.stringify(stripe.asked)
      // The three texts contain what they must contain, so the search below can fail.
      expect(rows).toContain(alice.email)
      expect(answers).toContain(alice.email)
      expect(asked).toContain(token.id)
      for (const text of [rows, answers, asked]) expect(text).not.toContain(agent)
    },
  )

  const signals = { 'dev.usp-protocol.agent_host_ip': 'agent.example', 'dev.ucp.buyer_ip': '198.51.100.9' }

  test('[LIV-121] another text as this address is refused at creation, update and completion, which charge nothing', async () => {
    const slot = await shop.lastSlot()
    const { body } = await shop.create(slot)
    const before = stripe.asked.length
    for (const refused of [
      await shop.create(slot, {}, { signals }),
      await shop.update(body.id, shop.request(slot, {}, { signals })),
      await shop.complete(body.id, { ...instrument(stripe.grant().id), signals }),
    ])
      expect([refused.status, refused.body.code]).toEqual([400, 'validation_error'])
    expect(stripe.asked.length).toBe(before)
    expect((await shop.get(body.id)).body.status).toBe('ready_for_complete')
  })
})
