import { expect, test } from 'vitest'
import { expectProblem, onBothDesks, type Who } from '../support/desk.ts'
import {
  ACCOUNT,
  gatewaySettings,
  gatewayStandIn,
  TOKEN,
  twilioSettings,
  twilioStandIn,
} from '../texts/provider-stand-ins.ts'
import { AGREED, ANN, bookAtDesk, textingShop } from '../texts/texting-shop.ts'
import { studio } from './studio.ts'

const [twilio, gateway] = await Promise.all([twilioStandIn(), gatewayStandIn()])

await onBothDesks(
  () => textingShop(studio),
  (desk, shop) => {
    const { db } = shop.runtime
    const call = async (what: string, input: Record<string, unknown> = {}, as?: Who) =>
      desk.call(`usp_business_text_provider_${what}`, input, { as: as ?? (await shop.staffAs('owner')) })
    const testTo = async (to: string) => {
      const said = await call('test', { to })
      shop.minutesLater(1)
      await shop.send()
      return said
    }

    test('[text provider] an owner enters it, tests it, reads the use and removes it', async () => {
      const { usp: _, ...nothing } = (await call('get')).data
      expect(nothing).toEqual({ last_30_days: { messages: 0, segments: 0 } })
      const { data } = await call(
        'set',
        twilioSettings(twilio, { price: '0.075', quiet_from: '21:00', quiet_until: '08:00' }),
      )
      expect(data.text_provider).toEqual({
        adapter: 'twilio',
        url: twilio.url,
        account: ACCOUNT,
        sender: '+12125550100',
        countries: ['US', 'DE'],
        topics: ['confirmed', 'moved', 'canceled', 'reminder', 'waitlist_offer'],
        quiet_from: '21:00',
        quiet_until: '08:00',
        daily_limit: 100,
        price: '0.075',
      })
      await shop.enter(desk, twilioSettings(twilio, { price: '0.075' }))
      expect((await testTo('212 555 0171')).data.last_test).toEqual({ status: 'waiting' })
      expect(twilio.sent.at(-1)).toEqual({
        to: '+12125550171',
        from: '+12125550100',
        text: 'Test message from Test Studio',
      })
      expect((await call('get')).data.last_test).toEqual({ status: 'sent' })
      await bookAtDesk(desk, shop, { ...ANN, ...AGREED })
      await shop.send()
      // Two messages of one segment each: 15 cents.
      expect((await call('get')).data.last_30_days).toMatchObject({ messages: 2 })
      const { segments, cost } = (await call('get')).data.last_30_days
      expect(cost).toBe(Math.round(segments * 7.5))
      expect((await call('remove')).data.text_provider).toBeUndefined()
    })

    test('[text provider] a failed test is tried once, is in no inbox, and the answer is told', async () => {
      await shop.enter(desk, twilioSettings(twilio, { secret: 'wrong' }))
      await testTo('+12125550171')
      expect((await call('get')).data.last_test).toMatchObject({
        status: 'given_up',
        problem: expect.stringContaining('401'),
      })
      expect((await desk.call('usp_business_inbox_given_up', {}, { as: shop.staff })).data.given_up).toEqual([])
    })

    test('[text provider] the secret is in no answer, no row and no log, and goes to no other host or account', async () => {
      await shop.enter(desk, gatewaySettings(gateway))
      await testTo('+12125550171')
      const stored = [
        await db.selectFrom('text_provider').selectAll().execute(),
        await db.selectFrom('changes').selectAll().execute(),
      ]
      expect(JSON.stringify([stored, shop.logged, (await call('get')).data])).not.toContain(TOKEN)
      const [row] = await db.selectFrom('text_provider').select('secret').execute()
      expect(row?.secret.toString('utf8')).not.toContain(TOKEN)
      const { secret: _, ...same } = gatewaySettings(gateway)
      expect((await call('set', { ...same, daily_limit: 7 })).data.text_provider.daily_limit).toBe(7)
      await shop.enter(desk, { ...same })
      await testTo('+12125550172')
      expect(gateway.sent.at(-1)?.to).toBe('+12125550172')
      for (const more of [{ url: twilio.url }, { account: 'other' }, { adapter: 'twilio', account: ACCOUNT }])
        expectProblem(await call('set', { ...same, ...more }), 'validation_error', 'secret')
    })

    test('[text provider] the audit log names the provider, and neither the account nor the secret', async () => {
      await call('set', twilioSettings(twilio))
      const entry = await db.selectFrom('changes').selectAll().orderBy('number', 'desc').executeTakeFirstOrThrow()
      expect(entry).toMatchObject({
        action: 'set_text_provider',
        detail: { now: `twilio ${new URL(twilio.url).host}` },
      })
      expect(JSON.stringify(entry)).not.toContain(ACCOUNT)
    })

    test.each([
      [{ url: 'https://10.0.0.1/' }, 'url'],
      [{ url: 'http://127.0.0.1/' }, 'url'],
      [{ adapter: 'http', account: '', url: undefined }, 'url'],
      [{ account: 'AC1' }, 'account'],
      [{ adapter: 'bird' }, 'account'],
      [{ sender: 'A name that is too long' }, 'sender'],
      [{ sender: '12345' }, 'sender'],
      [{ countries: ['ZZ'] }, 'countries'],
      [{ quiet_from: '21:00' }, 'quiet_until'],
    ])('[text provider] %j is refused', async (more, field) => {
      const { url, ...settings }: Record<string, unknown> = twilioSettings(twilio, more)
      expectProblem(await call('set', url === undefined ? settings : { url, ...settings }), 'validation_error', field)
    })

    test.each([
      { countries: [] },
      { countries: ['usa'] },
      { topics: [] },
      { topics: ['marketing'] },
      { quiet_from: '25:00', quiet_until: '08:00' },
      { daily_limit: 0 },
      { price: '1e3' },
    ])('[text provider] %j does not match the schema', async (more) => {
      expect((await call('set', twilioSettings(twilio, more))).code).toBe('validation_error')
    })

    test.each(['nobody', '+43 664 1234567', '555'])('[text provider] no test message goes to %s', async (to) => {
      await shop.enter(desk, twilioSettings(twilio))
      expectProblem(await call('test', { to }), 'validation_error', 'to')
    })

    test('[text provider] only owners see and change it, because each message costs money', async () => {
      const manager = await shop.staffAs('manager')
      for (const [what, input] of [
        ['get', {}],
        ['set', twilioSettings(twilio)],
        ['test', { to: '+12125550171' }],
        ['remove', {}],
      ] as const)
        expect((await call(what, input, manager)).code, what).toBe('authentication_required')
    })

    test('[text provider] ten test messages go out in an hour', async () => {
      shop.minutesLater(120)
      const said = await Promise.all(Array.from({ length: 12 }, () => call('test', { to: '+12125550173' })))
      const codes = said.map(({ code }) => code)
      expect(codes.filter((code) => code === undefined)).toHaveLength(10)
      expect(codes.filter((code) => code === 'rate_limited')).toHaveLength(2)
    })
  },
)
