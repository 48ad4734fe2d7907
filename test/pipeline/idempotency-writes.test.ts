import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { service } from '../support/definitions.ts'
import { onBothDesks } from '../support/desk.ts'
import { tableContents } from '../support/table-contents.ts'
import { business, CLASS, classOfOne, lineOf, openShop } from '../waitlist/queue.ts'

const asked = service('svc_asked')
const definition = {
  ...business,
  services: [
    ...business.services,
    { ...classOfOne, id: 'svc_accept' },
    { ...classOfOne, id: 'svc_decline' },
    { ...asked, policies: { ...asked.policies, confirmation_mode: 'manual' as const } },
  ],
}

/** One call that changes something. */
type Call = [tool: string, input: Record<string, unknown>]

await onBothDesks(
  () => openShop(definition),
  (desk, shop) => {
    const { wait } = lineOf(desk)
    const slots = () => desk.slots('svc_asked')
    const booked = async () => (await desk.book((await slots())[0])).data.booking.id
    /** Somebody who is offered the first class. */
    const offered = async (service_id: string) => {
      const { booking } = (await desk.book((await desk.slots(service_id))[0])).data
      const { id } = await wait('Ann', { service_id })
      await desk.cancel(booking.id)
      return id
    }
    const subscribed = async (...steps: string[]) => {
      const callback_url = 'https://127.0.0.1:9443/hook'
      const { data } = await desk.call('usp_services_feed_subscribe', { callback_url })
      const subscription_id = data.subscription.id
      for (const step of steps) await desk.call(`usp_services_feed_subscription_${step}`, { subscription_id })
      return { subscription_id }
    }

    const calls: Record<string, () => Promise<Call>> = {
      'an update': async () => ['usp_bookings_update', { booking_id: await booked(), notes: 'A' }],
      'a confirm': async () => ['usp_bookings_confirm', { booking_id: await booked() }],
      'a release': async () => {
        const { hold } = (await desk.hold((await slots())[0])).data
        return ['usp_availability_release', { hold_id: hold.id }]
      },
      'a join': async () => {
        await desk.book((await desk.slots(CLASS))[0])
        return [
          'usp_waitlist_join',
          { service_id: CLASS, buyer: { first_name: 'B', last_name: 'C', email: 'b@c.example' } },
        ]
      },
      'a leave': async () => ['usp_waitlist_leave', { entry_id: (await wait('Dora')).id }],
      'an accept': async () => ['usp_waitlist_accept', { entry_id: await offered('svc_accept') }],
      'a decline': async () => ['usp_waitlist_decline', { entry_id: await offered('svc_decline') }],
      'a subscription': async () => ['usp_services_feed_subscribe', { callback_url: 'https://127.0.0.1:9443/other' }],
      'a pause': async () => ['usp_services_feed_subscription_pause', await subscribed()],
      'a resume': async () => ['usp_services_feed_subscription_resume', await subscribed('pause')],
      'the end of a subscription': async () => ['usp_services_feed_unsubscribe', await subscribed()],
    }

    test.each(Object.entries(calls))(
      '[IDM-002] [IDM-003] [IDM-004] %s is done once, however often it is repeated with its key',
      async (_, prepare) => {
        const [tool, input] = await prepare()
        const ask = {
          idempotencyKey: randomUUID(),
          ...(tool === 'usp_bookings_confirm' && { as: shop.staff }),
        }
        const before = await tableContents(shop.runtime.db)
        const once = await desk.call(tool, input, ask)
        const errors = (once.data.messages ?? []).filter(({ type }: { type: string }) => type === 'error')
        expect([once.status < 300, once.rpc, errors]).toEqual([true, undefined, []])
        const after = await tableContents(shop.runtime.db)
        expect(after).not.toEqual(before)
        const again = await desk.call(tool, input, ask)
        expect([again.status, again.data]).toEqual([once.status, once.data])
        if (desk.binding === 'REST') expect(again.headers['idempotency-replayed']).toBe('true')
        const [named] = Object.keys(input)
        const other = { ...input, [named ?? '']: 'https://other.example/' }
        expect((await desk.call(tool, other, ask)).code).toBe('idempotency_conflict')
        expect(await tableContents(shop.runtime.db)).toEqual(after)
      },
    )
  },
)
