import { randomUUID } from 'node:crypto'
import { beforeEach, describe, expect, test } from 'vitest'
import { restDesk } from '../support/desk.ts'
import { tokenShop } from './paid-shop.ts'
import { alice, free, paid, percentDeposit, spot, UCP_BINDINGS, ucpDefinition } from './ucp-shop.ts'

const waiver = { text: 'I swim at my own risk.' }
const intake = [
  { id: 'q_allergy', question: 'Any allergies?', required: true },
  { id: 'q_more', question: 'Anything else?' },
]
const signed = { ...spot, id: 'svc_signed', waiver }
const asked = {
  ...free,
  id: 'svc_asked',
  intake,
  waiver,
  policies: { ...free.policies, confirmation_mode: 'manual' as const },
}
const signedPaid = { ...paid, id: 'svc_signed_paid', waiver }
describe.each(UCP_BINDINGS)('over %s', async (binding) => {
  const shop = await tokenShop(
    ucpDefinition([free, paid, signed, asked, signedPaid, percentDeposit], { payments: { provider: 'stripe' } }),
    { binding },
  )
  const { stripe } = shop

  const codes = (body: { messages?: { code: string }[] }) => (body.messages ?? []).map(({ code }) => code)
  const opened = async (service: string) => (await shop.create(await shop.lastSlot(service))).body
  const pathOf = ({ continue_url }: { continue_url: string }) => continue_url.replace('https://book.example', '')
  const show = async (checkout: { continue_url: string }) =>
    (await shop.raw({ method: 'GET', url: pathOf(checkout) })).body
  const send = (
    checkout: { continue_url: string },
    form: Record<string, string>,
    headers: Record<string, string> = {},
  ) =>
    shop.raw({
      method: 'POST',
      url: pathOf(checkout),
      payload: new URLSearchParams(form).toString(),
      headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
    })

  const heldBy = async (id: string) => {
    const checkout = shop.runtime.db.selectFrom('ucp_checkouts').select('hold_id').where('id', '=', id)
    return (await checkout.executeTakeFirst())?.hold_id
  }

  beforeEach(() => {
    stripe.mood = 'well'
    stripe.beforeAnswer = async () => {}
  })

  describe('[LIV-130] a checkout of a service with terms to agree to', () => {
    test('is not ready until the buyer has agreed on the page of the business', async () => {
      const body = await opened('svc_signed')
      expect(body.status).toBe('requires_escalation')
      expect(body.messages).toEqual([
        expect.objectContaining({ code: 'actions_pending', severity: 'requires_buyer_input' }),
      ])
      expect(body.continue_url).toMatch(/^https:\/\/book\.example\/checkout\/chk_/)
      expect(body.booking.actions).toMatchObject([
        { type: 'waiver', status: 'pending', continue_url: body.continue_url },
      ])
      expect((await shop.complete(body.id)).body.status).toBe('requires_escalation')
      expect(await shop.bookings()).toEqual([])
      expect(await show(body)).toContain('I swim at my own risk.')
      expect((await send(body, { task: 'waiver' })).status).toBe(303)
      const after = (await shop.get(body.id)).body
      expect([after.status, after.booking.actions[0].status]).toEqual(['ready_for_complete', 'completed'])
      expect(await show(body)).toContain('go back to your assistant')
      expect((await shop.complete(body.id)).body.status).toBe('completed')
    })

    test('takes no answer from another site, without the secret, or from the platform', async () => {
      const body = await opened('svc_signed')
      expect((await send(body, { task: 'waiver' }, { origin: 'https://evil.example' })).status).toBe(403)
      const guessed = { continue_url: body.continue_url.replace(/.$/, body.continue_url.endsWith('A') ? 'B' : 'A') }
      expect((await send(guessed, { task: 'waiver' })).status).toBe(404)
      const slot = { ...body.booking.slot, service_id: 'svc_signed' }
      const actions = [{ type: 'waiver', status: 'completed' }]
      const updated = await shop.update(body.id, shop.request(slot, { actions, accepted: true }))
      expect(updated.body.status).toBe('requires_escalation')
    })

    test('asks again after an update to another buyer, and not for the same one', async () => {
      const body = await opened('svc_signed')
      await send(body, { task: 'waiver' })
      const slot = { ...body.booking.slot, service_id: 'svc_signed' }
      const same = { buyer: { ...alice, phone_number: '+12125551234' } }
      expect((await shop.update(body.id, shop.request(slot, {}, same))).body.status).toBe('ready_for_complete')
      const other = { buyer: { ...alice, email: 'bob@example.com' } }
      expect((await shop.update(body.id, shop.request(slot, {}, other))).body.status).toBe('requires_escalation')
    })

    test('is incomplete first if the platform can correct something', async () => {
      const { body } = await shop.create(await shop.lastSlot('svc_signed'), {}, { buyer: {} })
      expect([body.status, codes(body)]).toEqual(['incomplete', ['missing', 'missing', 'actions_pending']])
    })

    test('is charged only afterwards', async () => {
      const body = await opened('svc_signed_paid')
      const before = stripe.asked.length
      expect((await shop.pay(body.id, stripe.grant())).body.status).toBe('requires_escalation')
      expect(stripe.asked).toHaveLength(before)
      await send(body, { task: 'waiver' })
      expect((await shop.pay(body.id, stripe.grant())).body.status).toBe('completed')
      await shop.expectSound()
    })
  })

  test('questions follow the terms, and the business reads the answers and approves', async () => {
    const body = await opened('svc_asked')
    await send(body, { task: 'waiver' })
    expect(await show(body)).toContain('Any allergies?')
    expect((await send(body, { task: 'intake', q_more: 'No' })).status).toBe(422)
    expect((await shop.get(body.id)).body.status).toBe('requires_escalation')
    expect((await send(body, { task: 'intake', q_allergy: 'Nuts' })).status).toBe(303)
    const done = (await shop.complete(body.id)).body
    expect([done.status, done.booking.booking_status]).toEqual(['completed', 'pending'])
    const { data } = await restDesk(shop).confirm(done.booking.booking_id)
    expect(data.booking.status).toBe('confirmed')
    const row = await shop.runtime.db
      .selectFrom('bookings')
      .select('people')
      .where('id', '=', done.booking.booking_id)
      .execute()
    expect(row).toMatchObject([{ people: { answers: { q_allergy: 'Nuts' } } }])
  })

  test('the booking records the terms that the buyer saw, also after the business has changed them', async () => {
    const body = await opened('svc_signed')
    const plain = await opened('svc_free')
    await send(body, { task: 'waiver' })
    const definition = await shop.runtime.business.get()
    if (!definition) throw new Error('There is no business')
    const apply = async (next: typeof definition) => {
      await shop.apply(next)
      await shop.runtime.business.seenBy(shop.runtime.db)
    }
    const changed = { text: 'I swim without a lifeguard.' }
    const services = definition.services.map((one) => ({ ...one, waiver: changed, intake }))
    await apply({ ...definition, services })
    const recordOf = async (checkout: { id: string }) => {
      const done = (await shop.complete(checkout.id)).body
      expect(done.status).toBe('completed')
      const [row] = await shop.runtime.db
        .selectFrom('bookings')
        .select('record')
        .where('id', '=', done.booking.booking_id)
        .execute()
      return row?.record
    }
    const recorded = await recordOf(body)
    expect(recorded).toMatchObject({ waiver, tasks: [{ type: 'waiver', status: 'completed' }] })
    expect(recorded).not.toHaveProperty('intake')
    const untold = await recordOf(plain)
    expect(untold).toMatchObject({ tasks: [] })
    expect(untold).not.toHaveProperty('waiver')
    await apply(definition)
  })

  describe('a payment that the bank asks the buyer about', () => {
    const asking = async () => {
      const body = await opened('svc_paid')
      const asked = (await shop.pay(body.id, stripe.grant({ card: 'asks_buyer' }))).body
      return { asked, intent: stripe.intents.at(-1) }
    }

    test('escalates to the page of the business, which leads to the bank, and completes when the buyer returns', async () => {
      const before = shop.kept()
      const { asked, intent } = await asking()
      expect([asked.status, asked.booking.booking_status]).toEqual(['requires_escalation', 'pending'])
      expect(asked.messages).toMatchObject([
        { code: 'payment_authentication_required', severity: 'requires_buyer_input' },
      ])
      expect(asked).not.toHaveProperty('order')
      expect(await show(asked)).toContain(`https://hooks.stripe.com/3ds/${intent?.id}`)
      expect(intent?.next_action).toMatchObject({ redirect_to_url: { return_url: asked.continue_url } })
      stripe.confirmAtBank(intent)
      expect(await show(asked)).toContain('go back to your assistant')
      const after = (await shop.get(asked.id)).body
      expect([after.status, shop.kept() - before]).toEqual(['completed', 12_000])
      await shop.expectSound()
    })

    test('[LIV-079] is shown with what the bank is asked for: deposit, service, date, time and business', async () => {
      const { body } = await shop.create(await shop.lastSlot('svc_percent'))
      const asked = (await shop.pay(body.id, stripe.grant({ card: 'asks_buyer' }))).body
      const text = (await show(asked)).replace(/<[^>]*>/g, '')
      expect(text).toMatch(/Due now:\s+\$40\.00/)
      const { name } = (await shop.runtime.business.get())?.business ?? {}
      const start = new Date(body.booking.slot.start)
      const day = new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeZone: 'America/New_York' }).format(start)
      for (const said of [name, body.line_items[0].item.title, '$200.00', day]) expect(text).toContain(said)
      expect(text).toMatch(/\d{1,2}:\d\d/)
      await shop.cancel(asked.id)
    })

    test('completes by the webhook of Stripe too', async () => {
      const { asked, intent } = await asking()
      await shop.tell(stripe.confirmAtBank(intent))
      expect((await shop.get(asked.id)).body.status).toBe('completed')
      await shop.expectSound()
    })

    test('is open again if the bank declines', async () => {
      const { asked, intent } = await asking()
      stripe.confirmAtBank(intent, false)
      await show(asked)
      expect((await shop.get(asked.id)).body.status).toBe('ready_for_complete')
      expect(intent?.status).toBe('canceled')
      expect((await shop.pay(asked.id, stripe.grant())).body.status).toBe('completed')
      await shop.expectSound()
    })

    test('waits for a quarter of an hour, with its slot held, and is open again then', async () => {
      const { asked, intent } = await asking()
      for (let minutes = 0; minutes < 12; minutes += 2) await shop.reconcile()
      expect((await shop.get(asked.id)).body.status).toBe('requires_escalation')
      await shop.reconcile()
      await shop.reconcile()
      expect([(await shop.get(asked.id)).body.status, intent?.status]).toEqual(['ready_for_complete', 'canceled'])
      await shop.expectSound()
    })

    test('[LIV-130] ends for the platform at the deadline of the buyer, however long the slot stays held', async () => {
      const begun = shop.time.now.getTime()
      const { asked } = await asking()
      expect(Date.parse(asked.expires_at)).toBe(begun + 15 * 60_000)
      await shop.reconcile()
      const hold = shop.runtime.db
        .selectFrom('holds')
        .select('expires_at')
        .where('id', '=', (await heldBy(asked.id)) ?? '')
      expect(Number((await hold.executeTakeFirst())?.expires_at)).toBe(begun + 17 * 60_000)
      expect((await shop.get(asked.id)).body.expires_at).toBe(asked.expires_at)
      const canceled = (await shop.cancel(asked.id)).body
      expect(canceled.status).toBe('canceled')
      expect(canceled).not.toHaveProperty('expires_at')
    })

    test('that is in progress ends with its hold', async () => {
      const body = await opened('svc_paid')
      shop.minutesLater(1)
      const begun = shop.time.now.getTime()
      stripe.beforeAnswer = async ({ path }) => {
        if (path.endsWith('/confirm')) stripe.mood = 'deaf'
      }
      const open = (await shop.pay(body.id, stripe.grant())).body
      expect([open.status, Date.parse(open.expires_at)]).toEqual(['complete_in_progress', begun + 15 * 60_000])
      stripe.mood = 'well'
      stripe.beforeAnswer = async () => {}
      await shop.reconcile()
      const done = (await shop.get(body.id)).body
      expect(done.status).toBe('completed')
      expect(done).not.toHaveProperty('expires_at')
    })

    test('can be canceled, and nothing is charged', async () => {
      const { asked, intent } = await asking()
      expect((await shop.cancel(asked.id)).body.status).toBe('canceled')
      expect(intent?.status).toBe('canceled')
      expect(await show(asked)).toContain('This checkout has ended')
      await shop.expectSound()
    })

    test('is completed if the buyer confirmed before the cancellation', async () => {
      const { asked, intent } = await asking()
      stripe.confirmAtBank(intent)
      const { body } = await shop.cancel(asked.id)
      expect([body.status, codes(body)]).toEqual(['completed', ['checkout_completed']])
      await shop.expectSound()
    })

    test('stays as it is while Stripe does not answer, on the page and for a cancellation', async () => {
      const { asked } = await asking()
      stripe.mood = 'down'
      expect(await show(asked)).toContain('still checking your payment')
      const key = randomUUID()
      const cancel = () => shop.send('POST', `/checkout-sessions/${asked.id}/cancel`, {}, { key })
      const busy = await cancel()
      expect([busy.status, busy.body.status, codes(busy.body)[0]]).toEqual([
        200,
        'requires_escalation',
        'complete_in_progress',
      ])
      stripe.mood = 'well'
      expect((await cancel()).body.status).toBe('canceled')
      await shop.expectSound()
    }, 30_000)
  })
})
