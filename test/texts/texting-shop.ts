import { setTimeout as sleep } from 'node:timers/promises'
import { sendDueMails } from '../../src/core/mails/mail-worker.ts'
import { TEXT_CONSENT } from '../../src/domain/bookings/text-message-consent.ts'
import type { BusinessDefinition } from '../../src/protocol/types.generated.ts'
import { type Desk, type Shop, testShop } from '../support/desk.ts'

export const AGREED = { consent: { [TEXT_CONSENT]: true } }
export const ANN = { first_name: 'Ann', last_name: 'Lee', email: 'ann@example.com', phone_number: '+12125550171' }

/** A shop whose owner has entered a provider of text messages. */
export async function textingShop(definition: BusinessDefinition, more: { env?: NodeJS.ProcessEnv } = {}) {
  const shop = await testShop(definition, more)
  const { runtime } = shop
  return {
    ...shop,
    /** Enters the provider and waits until each cache has noticed it. */
    async enter(desk: Desk, settings: Record<string, unknown>) {
      const said = await desk.call('usp_business_text_provider_set', settings, { as: await shop.staffAs('owner') })
      if (said.code !== undefined) throw new Error(JSON.stringify(said.data))
      await sleep(1_100)
    },
    send: () => sendDueMails(runtime),
    texts: () => runtime.db.selectFrom('mails').selectAll().where('channel', '=', 'text').orderBy('number').execute(),
  }
}

export type TextingShop = Awaited<ReturnType<typeof textingShop>>

/** Books for a buyer at the desk. */
export async function bookAtDesk(desk: Desk, shop: Shop, buyer: object, service = 'svc_cut') {
  const slots = await desk.slots(service)
  const [slot] = slots
  const input = { service_id: service, slot_id: slot.id, buyer }
  const { data } = await desk.call('usp_business_bookings_create', input, { as: shop.staff })
  return { ...data.booking, slots }
}
