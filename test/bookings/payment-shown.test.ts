import { readFileSync } from 'node:fs'
import { afterEach, describe, expect, test } from 'vitest'
import { expectProblem, onBothDesks, restDesk, testShop } from '../support/desk.ts'
import { START } from '../support/server.ts'
import { tableContents } from '../support/table-contents.ts'
import { tillDefinition } from './till.ts'

await onBothDesks(
  () => testShop(tillDefinition),
  (desk, shop) => {
    afterEach(() => {
      shop.time.now = START
    })
    const booked = async (serviceId: string, more = {}, slots = {}) =>
      (await desk.book((await desk.slots(serviceId, slots))[0], more)).data.booking
    const paymentOf = ({ actions = [] }: { actions?: { type: string }[] }) => {
      const found = actions.find(({ type }) => type === 'payment')
      if (!found) throw new Error('There is nothing to pay')
      // biome-ignore lint/suspicious/noExplicitAny: a test reads what it expects and fails where it is not
      return found as any
    }

    test('[PAY-001] [PAY-018] [CAT-108] what is free has neither payment nor actions', async () => {
      const booking = await booked('svc_free')
      expect(booking.status).toBe('confirmed')
      for (const member of ['payment', 'actions', 'expires_at']) expect(booking).not.toHaveProperty(member)
    })

    test('[PAY-003] [PAY-004] [PAY-005] [CAT-111] what is paid on the spot tells its price and asks for nothing', async () => {
      const booking = await booked('svc_spot')
      expect(booking).toMatchObject({
        status: 'confirmed',
        payment: { status: 'not_required', timing: 'at_service', amount: 12000, tax_amount: 1200, amount_due: 0 },
      })
      expect(booking).not.toHaveProperty('actions')
      const signed = await booked('svc_signed_spot')
      expect(signed.actions.map(({ type }: { type: string }) => type)).toEqual(['waiver'])
      expect(signed.payment.amount_due).toBe(0)
    })

    test.each([
      ['svc_paid', { timing: 'at_booking', amount: 12000, tax_amount: 1200, amount_due: 13200 }],
      ['svc_deposit', { timing: 'deposit_required', amount: 12000, amount_due: 3000, deposit_amount: 3000 }],
      ['svc_asked', { timing: 'at_booking', amount: 12000, tax_amount: 1200, amount_due: 13200 }],
    ])(
      '[PAY-002] [PAY-005] [PAY-006] [PAY-007] [PAY-008] [PAY-016] %s shows what is to be paid',
      async (id, payment) => {
        const booking = await booked(id)
        expect(booking.payment).toMatchObject({ status: 'pending', currency: 'USD', ...payment })
        for (const member of ['transaction_id', 'order_reference']) expect(booking.payment).not.toHaveProperty(member)
        if (id === 'svc_paid') expect(booking.payment).not.toHaveProperty('deposit_amount')
      },
    )

    test('[PAY-011] [PAY-012] [PAY-013] [PAY-014] [PAY-015] the price follows time, people and slot', async () => {
      const rentals = await desk.slots('svc_rental')
      const lasting = (minutes: number) => rentals.filter(({ duration }) => duration === `PT${minutes}M`)
      for (const [slot, amount] of [
        [lasting(30).at(0), 3750],
        [lasting(120).at(-1), 15000],
      ]) {
        const { payment } = (await desk.book(slot)).data.booking
        expect(payment).toMatchObject({ amount, tax_amount: amount / 10, amount_due: amount * 1.1 })
      }
      expect((await booked('svc_class', { party_size: 3 })).payment.amount).toBe(6600)
      const slots = await desk.slots('svc_paid')
      const evening = slots.find(({ start }: { start: string }) => start.includes('T18:00'))
      expect(evening.pricing).toMatchObject({ amount: 9000 })
      expect((await desk.book(evening)).data.booking.payment).toMatchObject({ amount: 9000, amount_due: 9900 })
    })

    describe.each([
      ['svc_paid', 13200],
      ['svc_deposit', 3000],
      ['svc_class', 2420],
    ])('the payment action of %s', (id, due) => {
      test('[PAY-017] [PAY-019] [LIV-074] [PAY-020] [PAY-021] [CAT-112] [CAT-113] is there while the booking asks for it', async () => {
        const booking = await booked(id, { party_size: 1 })
        expect(booking.status).toBe('requires_action')
        expect(booking.payment).toMatchObject({ status: 'pending', amount_due: due })
        expect(booking.actions).toHaveLength(1)
        const action = paymentOf(booking)
        expect(action).toMatchObject({
          status: 'pending',
          continue_url: expect.any(String),
          expires_at: booking.expires_at,
          payment_context: { amount_due: booking.payment.amount_due, currency: booking.payment.currency },
        })
        expect(action.payment_context.description).toContain(booking.service_name)
      })

      test('[PAY-022] [PAY-023] [PAY-024] [PAY-025] says what it is made of and whose it is', async () => {
        const booking = await booked(id, id === 'svc_class' ? { party_size: 3 } : {})
        const { line_items, metadata, tax_amount = 0, amount_due, ...rest } = paymentOf(booking).payment_context
        for (const item of line_items)
          expect(item).toEqual({
            label: expect.stringMatching(/\S/),
            amount: expect.any(Number),
            quantity: id === 'svc_class' ? 3 : 1,
            item_id: id,
          })
        const sum = line_items.reduce(
          (sum: number, item: { amount: number; quantity: number }) => sum + item.amount * item.quantity,
          0,
        )
        expect(sum + tax_amount).toBe(amount_due)
        expect(metadata).toEqual({
          booking_id: booking.id,
          service_id: id,
          service_type: id === 'svc_class' ? 'group' : 'appointment',
          slot_start: booking.slot.start,
        })
        expect(Object.keys(rest).sort()).toEqual(['currency', 'description'])
      })
    })

    test.each([
      ['svc_paid', 24 * 60],
      ['svc_slow', 60],
    ])('[PAY-028] the payment of %s may take %i minutes, whatever the hold had left', async (id, minutes) => {
      const [slot] = await desk.slots(id)
      const { hold } = (await desk.hold(slot)).data
      shop.minutesLater(9)
      const { booking } = (await desk.book(slot, { hold_id: hold.id })).data
      expect(new Date(booking.expires_at).getTime()).toBe(shop.time.now.getTime() + minutes * 60_000)
      expect(paymentOf(booking).expires_at).toBe(booking.expires_at)
    })

    test('[PAY-002] [PAY-028] of a booking that the business is asked about, the payment follows the approval', async () => {
      const booking = await booked('svc_asked')
      expect(booking).toMatchObject({ status: 'pending', payment: { status: 'pending', amount_due: 13200 } })
      expect(booking).not.toHaveProperty('actions')
      shop.minutesLater(120)
      const approved = (await desk.confirm(booking.id)).data.booking
      expect(approved.status).toBe('requires_action')
      expect(new Date(paymentOf(approved).expires_at).getTime()).toBe(shop.time.now.getTime() + 24 * 3_600_000)
      expect(approved.expires_at).toBe(paymentOf(approved).expires_at)
    })

    test('[PAY-026] [ERR-027] the action tells in words that it waits for the buyer, the answer itself does not', async () => {
      const { data } = await desk.book((await desk.slots('svc_paid'))[0])
      expect(paymentOf(data.booking).message).toMatchObject({
        code: 'payment_required',
        severity: 'requires_buyer_input',
      })
      expect(data).not.toHaveProperty('messages')
      expect(data.booking).not.toHaveProperty('messages')
    })

    test('[PAY-027] what else is to be done stands before the payment', async () => {
      const { actions } = await booked('svc_signed')
      expect(actions.map(({ type, status }: Record<string, string>) => [type, status])).toEqual([
        ['waiver', 'pending'],
        ['payment', 'pending'],
      ])
      expect(actions[0]).not.toHaveProperty('payment_context')
    })

    test.each([
      ['invalid_request', {}, 400],
      ['validation_error', { url: 'https://platform.example/', params: { n: 1 } }, 422],
      ['validation_error', { url: 'https://platform.example/', params: { n: { a: 'b' } } }, 422],
    ])('[PAY-058] %s for a post_payment_return_request of %j', async (code, post_payment_return_request, status) => {
      const said = await desk.book((await desk.slots('svc_paid'))[0], { post_payment_return_request })
      expect(said.code).toBe(code)
      if (desk.binding === 'REST') expect(said.status).toBe(status)
      else expect(said.rpc).toBe(status === 400 ? -32600 : -32602)
    })

    test.each([
      'javascript:alert(1)',
      'data:text/html,x',
      'http://platform.example/',
      'https://salon.example@evil.example/',
    ])('[PAY-059] [LIV-011] nobody is sent back to %s', async (url) => {
      const [slot] = await desk.slots('svc_paid')
      const said = await desk.book(slot, { post_payment_return_request: { url } })
      expectProblem(said, 'validation_error', 'post_payment_return_request.url')
      expect((await desk.slots('svc_paid'))[0].id).toBe(slot.id)
    })
  },
)

test('[PAY-083] there is no place for the numbers of cards and accounts, and those sent along are dropped', async () => {
  const shop = await testShop(tillDefinition)
  const desk = restDesk(shop)
  const { booking } = (await desk.book((await desk.slots('svc_paid'))[0])).data
  const [card_number, iban] = ['4242424242424242', 'DE89370400440532013000']
  await desk.pay(booking, { card_number, bank_account: { iban } })

  const described = ['usp-rest.json', 'usp-mcp.json'].map((name) => readFileSync(`openapi/${name}`, 'utf8')).join()
  // Bytes as what they are: a text that is written in hexadecimal would not be found.
  const bytes = /\\+x([0-9a-f]+)/g
  const stored = JSON.stringify(await tableContents(shop.runtime.db)).replaceAll(bytes, (_, digits) =>
    Buffer.from(digits, 'hex').toString('latin1'),
  )
  expect(stored).toContain('txn_1')
  // As long as no id, key or instant has them by chance, as four of their digits now and then were.
  for (const part of [card_number.slice(0, 12), card_number.slice(-12), iban.slice(0, 12), iban.slice(-12)])
    expect(stored).not.toContain(part)

  const tables = await shop.runtime.db.introspection.getTables()
  const names = [
    ...[...(described + stored.replaceAll('\\"', '"')).matchAll(/"(\w+)":/g)].map(([, name]) => name),
    ...tables.flatMap(({ columns }) => columns.map(({ name }) => name)),
  ]
  expect(names).toEqual(expect.arrayContaining(['transaction_id', 'payment_result', 'collected', 'snapshot']))
  for (const name of names)
    expect(name).not.toMatch(/card|iban|\bbic\b|cvv|cvc|account_(number|holder)|routing|sort_code|\bpan\b/i)
})
