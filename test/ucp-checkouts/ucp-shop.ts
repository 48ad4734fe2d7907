import { randomUUID } from 'node:crypto'
import { addClient } from '../../src/core/authentication/api-keys.ts'
import { capabilities, UCP_VERSION } from '../../src/protocol/capabilities.ts'
import type { BusinessDefinition, ServiceDefinition } from '../../src/protocol/types.generated.ts'
import { businessWith, service } from '../support/definitions.ts'
import { restDesk, type Shop, type Slot, testShop } from '../support/desk.ts'
import { testPlatform } from '../support/platform.ts'
import { sendOverUcp, type UcpAnswer, type UcpBinding, type UcpCaller } from './ucp-bindings.ts'
import { fitsUcp } from './ucp-schemas.ts'

export type { UcpAnswer, UcpCaller } from './ucp-bindings.ts'
export { UCP_BINDINGS } from './ucp-bindings.ts'

const { payment_timing: _, ...unpaid } = service('svc').policies

const priced = (id: string, payment_timing: 'at_booking' | 'at_service' | 'deposit_required', more: object = {}) =>
  service(id, { policies: { ...service(id).policies, payment_timing }, ...more })

export const free = service('svc_free', {
  pricing: { model: 'free', currency: 'USD' },
  policies: { ...unpaid, requires_payment: false },
})
export const spot = priced('svc_spot', 'at_service')

export const paid = priced('svc_paid', 'at_booking', { pricing: { model: 'fixed', amount: 12000, currency: 'USD' } })

export const deposit = (id: string, amount: number, type: 'fixed' | 'percentage', value: number, refundable = true) =>
  priced(id, 'deposit_required', {
    pricing: { model: 'fixed', amount, currency: 'USD', deposit: { type, value, refundable } },
  })
export const fixedDeposit = deposit('svc_fixed', 10_000, 'fixed', 1000)
export const percentDeposit = deposit('svc_percent', 20_000, 'percentage', 20)

export const ucpDefinition = (
  services: ServiceDefinition[] = [free, spot],
  more: Partial<BusinessDefinition> = {},
): BusinessDefinition =>
  businessWith(services, {
    deployment_mode: 'ucp_native',
    ucp_checkout: { enabled: true, accepted_methods: ['cash', 'card_in_person'] },
    ...more,
  })

export const alice = { first_name: 'Alice', last_name: 'Williams', email: 'alice@example.com' }

const UCP_NAMES = Object.keys(capabilities).filter((name) => /^dev\.ucp\.|paid_bookings|pay_at_service/.test(name))

const entryOf = (name: string, webhook?: string) => {
  const [, known] = Object.entries(capabilities).find(([one]) => one === name) ?? []
  if (!known) throw new Error(`No capability ${name}`)
  const isOrder = name === 'dev.ucp.shopping.order' && webhook !== undefined
  return { ...known, ...(isOrder && { config: { webhook_url: webhook } }) }
}

/** Where a platform gets events. */
export interface Hooks {
  order?: string
  bookings?: string
}

/** The profile of a platform that can do everything, without the named capabilities. */
export const ucpPlatform = (without: string[] = [], hooks: Hooks = {}) => {
  const names = [...Object.keys(capabilities)].filter((name) => !without.includes(name))
  return {
    ucp: {
      version: UCP_VERSION,
      capabilities: Object.fromEntries(names.map((name) => [name, [entryOf(name, hooks.order)]])),
      payment_handlers: {},
    },
    webhook_url: hooks.bookings ?? 'https://agent.example/webhooks',
  }
}

export interface UcpShop extends Shop {
  ucp: UcpCaller
  newUcpPlatform(without?: string[], hooks?: Hooks): Promise<UcpCaller>
  send(method: 'GET' | 'POST' | 'PUT', path: string, body?: object, more?: SendOptions): Promise<UcpAnswer>
  slotsOf(service: string): Promise<Slot[]>
  request(slot: Slot, booking?: object, more?: object): object
  create(slot: Slot, booking?: object, more?: object): Promise<UcpAnswer>
  get(id: string): Promise<UcpAnswer>
  update(id: string, body: object): Promise<UcpAnswer>
  complete(id: string, body?: object, key?: string): Promise<UcpAnswer>
  cancel(id: string): Promise<UcpAnswer>
  bookings(): Promise<{ id: string; status: string }[]>
}

interface SendOptions {
  as?: UcpCaller
  /** The key of a POST; by default a new one. An empty key is not sent. */
  key?: string | undefined
}

export interface UcpShopOptions {
  databaseUrl?: string
  /** How the platform sends its calls. By default over REST. */
  binding?: UcpBinding
}

/** A UCP business, and a platform that calls its checkout over one of the two bindings. */
export async function ucpShop(
  definition: BusinessDefinition = ucpDefinition(),
  { binding = 'REST', ...options }: UcpShopOptions & { env?: NodeJS.ProcessEnv } = {},
): Promise<UcpShop> {
  const env = { BASE_URL: 'https://book.example', ...options.env }
  const shop = await testShop(definition, { ...options, env })
  const newUcpPlatform = async (without: string[] = [], hooks: Hooks = {}): Promise<UcpCaller> => {
    const platform = await testPlatform()
    const { url } = platform
    platform.profile = ucpPlatform(without, hooks)
    const { key } = await addClient(shop.runtime.db, 'Platform', shop.time.now)
    return { profile: url, bearer: key }
  }
  const ucp = await newUcpPlatform()
  const send: UcpShop['send'] = async (method, path, body, { as = ucp, key = randomUUID() } = {}) => {
    const answer = await sendOverUcp[binding](shop.raw, { method, path, body, as, key })
    if (answer.status < 300) fitsUcp(path.startsWith('/orders') ? 'order' : 'checkout', answer.body)
    return answer
  }
  const request = (slot: Slot, booking: object = {}, more: object = {}) => ({
    line_items: [{ item: { id: slot.service_id }, quantity: 1 }],
    buyer: alice,
    booking: {
      service_id: slot.service_id,
      service_type: 'appointment',
      slot: { id: slot.id, start: slot.start, end: slot.end, duration: slot.duration },
      ...booking,
    },
    ...more,
  })
  const path = (id: string) => `/checkout-sessions/${id}`
  return {
    ...shop,
    ucp,
    newUcpPlatform,
    send,
    slotsOf: (id) => restDesk(shop).slots(id),
    request,
    create: (slot, booking, more) => send('POST', '/checkout-sessions', request(slot, booking, more)),
    get: (id) => send('GET', path(id)),
    update: (id, body) => send('PUT', path(id), body),
    complete: (id, body = {}, key) => send('POST', `${path(id)}/complete`, body, { key }),
    cancel: (id) => send('POST', `${path(id)}/cancel`, {}),
    bookings: () => shop.runtime.db.selectFrom('bookings').select(['id', 'status']).execute(),
  }
}

export const ucpNames = UCP_NAMES
