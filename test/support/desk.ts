import { describe, expect } from 'vitest'
import { addClient } from '../../src/core/authentication/api-keys.ts'
import { addStaff } from '../../src/core/authentication/staff-members.ts'
import type { Role } from '../../src/protocol/caller-types.ts'
import { restRouteOf } from '../../src/protocol/define-operation.ts'
import type { BusinessDefinition } from '../../src/protocol/types.generated.ts'
import { operations } from '../../src/server/all-operations.ts'
import { restProof, type TestKey, testKey, testPlatform, toolProof } from './platform.ts'
import { type TestServer, testServer } from './server.ts'

/** The caller: a platform with an API key or a private key, a staff member, or an anonymous caller. */
export interface Who {
  bearer?: string
  key?: TestKey
  profile?: string
  /** The caller's address, for a shop behind a proxy. */
  address?: string
}

export interface Ask {
  as?: Who
  idempotencyKey?: string
  ifMatch?: string
}

/** An answer, in the same form for both bindings. */
export interface Said {
  /** The HTTP status. */
  status: number
  /** The JSON-RPC error code, if the call failed. */
  rpc: number | undefined
  /** The code of the protocol error or of the first message. */
  code: string | undefined
  severity: string | undefined
  // biome-ignore lint/suspicious/noExplicitAny: a test reads what it expects and fails where it is not
  data: any
  headers: Record<string, string | undefined>
}

// biome-ignore lint/suspicious/noExplicitAny: as above
export type Slot = any

export interface Desk {
  binding: 'REST' | 'MCP'
  call(tool: string, input?: Record<string, unknown>, ask?: Ask): Promise<Said>
  /** The free slots of a service on these days; default `WEEK`. */
  slots(serviceId: string, more?: Record<string, unknown>): Promise<Slot[]>
  hold(slot: Slot, more?: Record<string, unknown>, ask?: Ask): Promise<Said>
  release(holdId: string, ask?: Ask): Promise<Said>
  book(slot: Slot, more?: Record<string, unknown>, ask?: Ask): Promise<Said>
  get(bookingId: string, ask?: Ask): Promise<Said>
  update(bookingId: string, more: Record<string, unknown>, ask?: Ask): Promise<Said>
  confirm(bookingId: string, more?: Record<string, unknown>, ask?: Ask): Promise<Said>
  cancel(bookingId: string, more?: Record<string, unknown>, ask?: Ask): Promise<Said>
  reschedule(bookingId: string, slot: Slot, more?: Record<string, unknown>, ask?: Ask): Promise<Said>
  /** Pays exactly the due amount, unless `more` changes it. */
  pay(booking: Slot, more?: Record<string, unknown>, ask?: Ask): Promise<Said>
}

const origin = 'http://127.0.0.1:8080'

export const newcomer = (profile: string, address: string): Who => ({ key: testKey(), profile, address })

export const buyer = { first_name: 'Alice', last_name: 'Williams', email: 'alice@example.com' }

/** Tuesday to Monday after the test clock's Friday. */
export const WEEK = { start_date: '2026-11-24', end_date: '2026-11-30' }

export interface Shop extends TestServer {
  /** Two platforms with different profiles. */
  platform: Who & { principal: string }
  other: Who
  staff: Who
  staffAs(role: Role): Promise<Who>
  /** Another principal, with this profile or another one. */
  newPlatform(profile?: string): Promise<Who & { principal: string }>
  minutesLater(minutes: number): void
}

export async function testShop(
  definition: BusinessDefinition,
  options: { env?: NodeJS.ProcessEnv; databaseUrl?: string } = {},
): Promise<Shop> {
  const server = await testServer(definition, options)
  const { db } = server.runtime
  const [mine, theirs] = await Promise.all([testPlatform(), testPlatform()])
  const newPlatform = async (profile = mine.url) => {
    const { id, key } = await addClient(db, 'Platform', server.time.now)
    return { bearer: key, profile, principal: `client:${id}` }
  }
  const staffAs = async (role: Role): Promise<Who> => ({ bearer: await addStaff(db, role, role, server.time.now) })
  return {
    ...server,
    platform: await newPlatform(),
    other: await newPlatform(theirs.url),
    staff: await staffAs('manager'),
    staffAs,
    newPlatform,
    minutesLater(minutes) {
      server.time.now = new Date(server.time.now.getTime() + minutes * 60_000)
    },
  }
}

/** Runs the same tests over REST and over MCP, each with a separate shop. */
export function onBothDesks<Opened extends Shop>(
  open: () => Promise<Opened>,
  tests: (desk: Desk, shop: Opened) => void,
): Promise<void> {
  return Promise.all([open(), open()]).then(([one, other]) => {
    describe('over REST', () => tests(restDesk(one), one))
    describe('over MCP', () => tests(mcpDesk(other), other))
  })
}

export const restDesk = (shop: Shop): Desk => desk('REST', shop, overRest(shop))
export const mcpDesk = (shop: Shop): Desk => desk('MCP', shop, overMcp(shop))

const ADDRESS = 'https://usp-protocol.dev/errors'
/** HTTP status and `type` of the errors about an id or a value in the request. Their JSON-RPC error code is -32602. */
const problems = {
  booking_not_found: [404, `${ADDRESS}/booking-not-found`],
  entry_not_found: [404, `${ADDRESS}/entry-not-found`],
  // No code of the protocol means an unknown hold.
  not_found: [404, 'about:blank'],
  validation_error: [422, `${ADDRESS}/validation-error`],
} as const

/** Expects a protocol error in the form of the binding. `field` is the faulty member of the request. */
export function expectProblem(said: Said, code: keyof typeof problems, field?: string): void {
  const { status, rpc, data } = said
  const [http, type] = problems[code]
  expect(said.code).toBe(code)
  expect(rpc === undefined ? [status, data.type] : rpc).toEqual(rpc === undefined ? [http, type] : -32602)
  expect(data).not.toHaveProperty('messages')
  if (field !== undefined) expect(data.errors).toMatchObject([{ field }])
}

function desk(binding: Desk['binding'], shop: Shop, call: Desk['call']): Desk {
  const slotOf = (slot: Slot) => ({ slot_id: slot.id, service_id: slot.service_id })
  return {
    binding,
    call,
    async slots(service_id, more = {}) {
      const { data } = await call('usp_availability_query', { service_id, ...WEEK, limit: 200, ...more }, { as: {} })
      return data.slots
    },
    hold: (slot, more = {}, ask = {}) => call('usp_availability_hold', { ...slotOf(slot), ...more }, ask),
    release: (hold_id, ask = {}) => call('usp_availability_release', { hold_id }, ask),
    book: (slot, more = {}, ask = {}) => call('usp_bookings_create', { ...slotOf(slot), buyer, ...more }, ask),
    get: (booking_id, ask = {}) => call('usp_bookings_get', { booking_id }, ask),
    update: (booking_id, more, ask = {}) => call('usp_bookings_update', { booking_id, ...more }, ask),
    confirm: (booking_id, more = {}, ask = {}) =>
      call('usp_bookings_confirm', { booking_id, ...more }, { as: shop.staff, ...ask }),
    cancel: (booking_id, more = {}, ask = {}) => call('usp_bookings_cancel', { booking_id, ...more }, ask),
    reschedule: (booking_id, slot, more = {}, ask = {}) =>
      call('usp_bookings_reschedule', { booking_id, slot_id: slot.id, ...more }, ask),
    pay: ({ id, payment }, more = {}, ask = {}) =>
      call(
        'usp_bookings_confirm_payment',
        {
          booking_id: id,
          payment_result: {
            status: payment?.timing === 'deposit_required' ? 'deposit_paid' : 'paid',
            transaction_id: 'txn_1',
            amount_paid: payment?.amount_due ?? 0,
            currency: payment?.currency ?? 'USD',
            ...more,
          },
        },
        ask,
      ),
  }
}

const overRest =
  (shop: Shop): Desk['call'] =>
  async (tool, input = {}, { as = shop.platform, idempotencyKey, ifMatch } = {}) => {
    const operation = operations.find((one) => one.tool === tool)
    if (!operation) throw new Error(`There is no tool ${tool}`)
    const { method, path, parameters, inBody } = restRouteOf(operation)
    const filled = path.replace(/\{(\w+)\}/g, (_, name) => encodeURIComponent(String(input[name])))
    const rest = Object.entries(input).filter(([name]) => !parameters.includes(name))
    const query = new URLSearchParams(rest.map(([name, value]) => [name, String(value)]))
    const answer = await shop.rest(
      method,
      !inBody && query.size > 0 ? `${filled}?${query}` : filled,
      inBody ? Object.fromEntries(rest) : undefined,
      {
        ...(as.profile && { 'usp-agent': `profile="${as.profile}"` }),
        ...(as.bearer && { authorization: `Bearer ${as.bearer}` }),
        ...(as.key && { dpop: restProof(as.key, method, `${origin}/usp/v1${filled}`, shop.time.now) }),
        ...(as.address && { 'x-forwarded-for': as.address }),
        ...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }),
        ...(ifMatch !== undefined && { 'if-match': ifMatch }),
      },
    )
    const [message] = answer.body.messages ?? []
    const code = answer.status >= 400 ? answer.body.code : message?.code
    return { ...answer, rpc: undefined, code, severity: message?.severity, data: answer.body }
  }

const overMcp =
  (shop: Shop): Desk['call'] =>
  async (tool, input = {}, { as = shop.platform, idempotencyKey, ifMatch } = {}) => {
    const usp = {
      ...(as.profile && { profile: as.profile }),
      ...(idempotencyKey !== undefined && { idempotency_key: idempotencyKey }),
      ...(ifMatch !== undefined && { if_match: ifMatch }),
    }
    const proof = as.key && toolProof(as.key, tool, { ...input, _meta: { usp } }, shop.time.now)
    const shown = proof === undefined ? usp : { ...usp, authorization: { mechanism: 'platform_key_pop', proof } }
    const args = { ...input, ...(Object.keys(shown).length > 0 && { _meta: { usp: shown } }) }
    const { status, body, headers } = await shop.tool(tool, args, {
      ...(as.bearer && { authorization: `Bearer ${as.bearer}` }),
      ...(as.address && { 'x-forwarded-for': as.address }),
    })
    const data = body.error?.data ?? body.result?.structuredContent
    const [message] = data?.messages ?? []
    const code = body.error ? data?.code : message?.code
    return { status, rpc: body.error?.code, code, severity: message?.severity, data, headers }
  }
