import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inspect, promisify } from 'node:util'
import { afterAll, describe, expect, test, vi } from 'vitest'
import { bookingCommands } from '../../packages/client/agent/booking-commands.ts'
import { commands } from '../../packages/client/agent/commands.ts'
import { fetchProfile } from '../../packages/client/discover-business.ts'
import { createClient, generateKey, UnreachableError, UspError } from '../../packages/client/index.ts'
import { capabilities, SERVICE, VERSION } from '../../src/protocol/capabilities.ts'

/** A business with another server. It answers each call with `answer`, and counts the calls. */
const foreign = {
  status: 200,
  answer: {} as object,
  rpc: undefined as object | undefined,
  calls: 0,
  offered: {},
  profile: {},
}
const server = createServer((request, response) => {
  request.resume()
  const { url = '' } = request
  const write = (status: number, body: object) =>
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
  if (url === '/.well-known/usp') return write(200, profile())
  foreign.calls++
  if (url !== '/mcp') return write(foreign.status, foreign.answer)
  const answered = foreign.rpc ? { error: foreign.rpc } : { result: { structuredContent: foreign.answer, content: [] } }
  return write(200, { jsonrpc: '2.0', id: 1, ...answered })
}).listen(0, '127.0.0.1')
await once(server, 'listening')
afterAll(() => server.close())
const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
const binding = (transport: string, path: string) => ({ version: VERSION, transport, endpoint: baseUrl + path })

const profile = () => ({
  usp: {
    version: VERSION,
    services: { [SERVICE]: [binding('a2a', '/agent'), binding('rest', '/usp'), binding('mcp', '/mcp')] },
    capabilities: {
      'dev.usp-protocol.services.bookings': [capabilities['dev.usp-protocol.services.bookings']],
      ...foreign.offered,
    },
    business: { name: 'Elsewhere', timezone: 'UTC', currency: 'EUR' },
    ...foreign.profile,
  },
})

const usp = { version: VERSION }
const key = await generateKey()
const buyer = { first_name: 'Zenobia', last_name: 'Quill', email: 'zenobia.quill@example.com' }
const booking = {
  id: 'bkg_1',
  service_id: 'svc',
  service_name: 'Cut',
  slot: { id: 'slot', start: '2026-12-01T10:00:00Z', end: '2026-12-01T11:00:00Z' },
  buyer,
  party_size: 1,
  status: 'requires_action',
  actions: [{ type: 'payment', status: 'pending', continue_url: 'https://elsewhere.example/pay' }],
  payment: {
    status: 'pending',
    timing: 'at_booking',
    amount: '12000',
    amount_due: '13200',
    tax_amount: '1200',
    currency: 'USD',
  },
  created_at: '2026-11-20T12:00:00Z',
  updated_at: '2026-11-20T12:00:00Z',
}
const service = {
  id: 'svc',
  business_id: 'biz',
  name: 'Cut',
  type: 'appointment',
  duration: { fixed: 'PT60M' },
  pricing: {
    model: 'hourly',
    amount: '4000',
    currency: 'USD',
    price_range: { min: '4000', max: 8000 },
    deposit: { type: 'percentage', value: '12.5' },
  },
  channel: { type: 'at_business_location' },
  policies: {
    cancellation: { allowed: true, late_cancellation_fee: '500' },
    rescheduling: { allowed: true, fee: 250, max_reschedules: 2 },
    confirmation_mode: 'auto',
    requires_payment: true,
    payment_timing: 'at_booking',
  },
}

describe.each(['rest', 'mcp'] as const)('over %s', (binding) => {
  const open = () => createClient({ baseUrl, platformProfile: 'https://platform.example/p.json', key, binding })
  const answering = (answer: object) =>
    Object.assign(foreign, { status: 200, answer: { usp, ...answer }, rpc: undefined, calls: 0 })
  const failing = (code: string) =>
    Object.assign(foreign, {
      status: 409,
      calls: 0,
      answer: { code, detail: 'The booking was not confirmed.', status: 409 },
      rpc: { code: -32002, message: code, data: { code, content: 'The booking was not confirmed.' } },
    })

  test('[LIV-046] amounts in digits are read like numbers', async () => {
    answering({ service })
    const { service: read } = await open().getService({ service_id: 'svc' })
    expect(read?.pricing).toMatchObject({
      amount: 4000,
      price_range: { min: 4000, max: 8000 },
      deposit: { value: 12.5 },
    })
    expect(read?.policies).toMatchObject({
      cancellation: { late_cancellation_fee: 500 },
      rescheduling: { fee: 250, max_reschedules: 2 },
    })
    answering({ booking })
    const { booking: booked } = await open().getBooking({ booking_id: 'bkg_1' })
    expect(booked?.payment).toMatchObject({ amount: 12_000, amount_due: 13_200, tax_amount: 1200 })
    expect(booked?.buyer).toEqual(buyer)
  })

  test('[LIV-046] digits in members that are no amounts stay text', async () => {
    answering({ booking: { ...booking, notes: '12', payment: { ...booking.payment, transaction_id: '7' } } })
    const { booking: read } = await open().getBooking({ booking_id: 'bkg_1' })
    expect(read).toMatchObject({ notes: '12', payment: { amount: 12_000, transaction_id: '7' } })
  })

  test.each(['1e3', '1,000', '+5', '75.0', '', ' 5', '0x10', '9'.repeat(400), '9007199254740993'])(
    '[LIV-049] the amount %j is refused by the name of its member',
    async (amount) => {
      const refused = { code: 'unexpected_answer', message: expect.stringContaining('$.booking.payment.amount.') }
      answering({ booking: { ...booking, payment: { ...booking.payment, amount } } })
      await expect(open().getBooking({ booking_id: 'bkg_1' })).rejects.toMatchObject(refused)
      answering({ services: [service, { ...service, policies: { cancellation: { late_cancellation_fee: amount } } }] })
      await expect(open().listServices({})).rejects.toMatchObject({
        code: 'unexpected_answer',
        message: expect.stringContaining('$.services[1].policies.cancellation.late_cancellation_fee.'),
      })
    },
  )

  test.each(['12.5e1', '12.', 'all', '9'.repeat(400)])('[LIV-049] the deposit %j is refused', async (value) => {
    answering({ service: { ...service, pricing: { ...service.pricing, deposit: { type: 'percentage', value } } } })
    await expect(open().getService({ service_id: 'svc' })).rejects.toThrow('$.service.pricing.deposit.value.')
  })

  test('[LIV-033] [LIV-035] a missing booking window stays missing', async () => {
    answering({ service })
    const { service: read } = await open().getService({ service_id: 'svc' })
    expect(read?.policies).not.toHaveProperty('booking_window')
    expect((await commands.service?.run(open(), 'svc'))?.text).toBe('Cut (svc)\nhourly $40.00')
  })

  test('[LIV-072] a missing confirmation mode stays unknown', async () => {
    answering({ booking: { ...booking, status: 'confirmed' } })
    const { booking: read } = await open().getBooking({ booking_id: 'bkg_1' })
    expect(read).not.toHaveProperty('confirmation_mode')
  })

  test('[LIV-075] an action without a deadline has none', async () => {
    answering({ booking })
    const { booking: read } = await open().getBooking({ booking_id: 'bkg_1' })
    expect(read?.actions?.[0]).not.toHaveProperty('expires_at')
    const told = await bookingCommands.booking?.run(open(), 'bkg_1')
    expect(told?.text.split('\n')).toEqual([
      'bkg_1  requires action  Cut  2026-12-01T10:00:00Z',
      'due: $132.00',
      'payment: https://elsewhere.example/pay',
    ])
  })

  test('[LIV-080] a payment is handed over to the page of the business', async () => {
    answering({ booking })
    const told = await bookingCommands.book?.run(open(), 'svc', 'slot')
    expect(told?.text).toContain('payment: https://elsewhere.example/pay')
    expect(foreign.calls).toBe(1)
  })

  test.each(['payment_unverifiable', 'confirmation_failed'])(
    '[LIV-081] [LIV-082] after %s the payment must be reversed, the booking is not confirmed, and no retry is made',
    async (code) => {
      failing(code)
      const payment_result = { status: 'paid', transaction_id: 't', amount_paid: 1, currency: 'USD' } as const
      const error = await open()
        .confirmPayment({ booking_id: 'bkg_1', payment_result })
        .catch((cause: unknown) => cause)
      expect(error).toBeInstanceOf(UspError)
      expect(error).toMatchObject({ code, reversePayment: true, message: 'The booking was not confirmed.' })
      expect(foreign.calls).toBe(1)
    },
  )

  test('[LIV-082] after another conflict nothing is to be reversed', async () => {
    failing('idempotency_conflict')
    await expect(open().getService({ service_id: 'svc' })).rejects.toMatchObject({ reversePayment: false })
  })

  test('[LIV-110] errors and output say nothing of the buyer, and nothing is logged', async () => {
    const said = vi.spyOn(console, 'log')
    const complained = vi.spyOn(console, 'error')
    const input = { service_id: 'svc', slot_id: 'slot', buyer, notes: 'Allergic to Zinnia' }
    failing('confirmation_failed')
    const refused = await open()
      .createBooking(input)
      .catch((cause: unknown) => cause)
    const gone = await createClient({
      baseUrl: 'http://127.0.0.1:1',
      platformProfile: 'https://platform.example/p.json',
      key,
      binding,
    })
      .createBooking(input)
      .catch((cause: unknown) => cause)
    expect(gone).toBeInstanceOf(UnreachableError)
    answering({ booking })
    const { text } = (await bookingCommands.booking?.run(open(), 'bkg_1')) ?? { text: '' }
    for (const shown of [refused, gone, text])
      expect(inspect(shown, { depth: 20 })).not.toMatch(/zenobia|quill|zinnia/i)
    expect([said.mock.calls, complained.mock.calls]).toEqual([[], []])
  })
})

test('[LIV-098] a capability entry of a foreign origin is dropped alone', async () => {
  const [name, entry] = ['dev.usp-protocol.services.waitlist', capabilities['dev.usp-protocol.services.waitlist']]
  foreign.offered = { [name]: [{ ...entry, spec: 'https://evil.example/' }], 'com.example.x': [{ version: VERSION }] }
  const { usp: read } = await fetchProfile(`${baseUrl}/.well-known/usp`)
  expect(Object.keys(read.capabilities)).toEqual(['dev.usp-protocol.services.bookings', 'com.example.x'])
  foreign.offered = {}
})

test.each<[what: string, more: object]>([
  ['null', { services: null }],
  ['a list', { services: [] }],
  ['with bindings that are none', { services: { [SERVICE]: {} } }],
  ['with a binding that is null', { services: { [SERVICE]: [null] } }],
  ['there, but capabilities are null', { capabilities: null }],
])('[LIV-049] a profile is refused where services are %s', async (_, more) => {
  foreign.profile = more
  const client = createClient({ baseUrl, platformProfile: 'https://platform.example/p.json', key })
  const error = await client.getService({ service_id: 'svc' }).catch((cause: unknown) => cause)
  foreign.profile = {}
  expect(error).toBeInstanceOf(UspError)
  expect(error).toMatchObject({ code: 'profile_malformed' })
})

test('[LIV-105] a binding that the client does not speak is passed over', async () => {
  Object.assign(foreign, { status: 200, answer: { usp, service }, rpc: undefined })
  const client = createClient({ baseUrl, platformProfile: 'https://platform.example/p.json', key })
  expect((await client.getService({ service_id: 'svc' })).service?.id).toBe('svc')
})

const KEEPS = /writeFile|appendFile|createWriteStream/

test('[LIV-110] [LIV-111] the library has no log, and keeps no answer on a disk', () => {
  const sources = globSync('packages/client/{*,agent/*,webhooks/*}.ts')
  expect(sources).toContain('packages/client/agent/booking-commands.ts')
  expect(sources).toContain('packages/client/run-agent-command.ts')
  for (const file of sources) {
    const source = readFileSync(file, 'utf8')
    expect([file, source.match(KEEPS)]).toEqual([file, null])
    const isLibrary = !file.endsWith('run-agent-command.ts') && !file.includes('/agent/')
    if (isLibrary) expect([file, source.match(/node:fs/)]).toEqual([file, null])
    // The command prints its result and its error, each at one place.
    const printed = source.match(/console\.\w+|\blog\(|process\.std\w+/g) ?? []
    const expected = ['console.log', 'console.log', 'console.log', 'console.error']
    expect([file, printed]).toEqual([file, file.endsWith('run-agent-command.ts') ? expected : []])
  }
})

const run = promisify(execFile)

/** Runs the command line as a process, against the foreign business. */
async function commandLine(...args: string[]): Promise<string> {
  const env = { PATH: process.env.PATH, USP_DATA_DIR: folder, AGENT_PORT: '0' }
  const all = ['packages/client/run-agent-command.ts', '--url', baseUrl, ...args]
  const { stdout, stderr } = await run(process.execPath, all, { env }).catch((error) => error)
  return `${stdout}${stderr}`
}
const folder = mkdtempSync(join(tmpdir(), 'usp-agent-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** The buyer for whom the command line books. */
const alice = { first_name: 'Alice', last_name: 'Example', email: 'alice@example.com' }
const echoed = `Not for Alice Example, alice@example.com. Ask Ms Example.`
const echoes: [what: string, answer: { status: number; answer: object; rpc?: object }][] = [
  ['a problem', { status: 422, answer: { code: 'validation_error', status: 422, detail: echoed, content: echoed } }],
  [
    'a refusal',
    {
      status: 200,
      answer: {
        usp: { ...usp, status: 'error' },
        messages: [{ type: 'error', code: 'slot_unavailable', content: echoed }],
      },
    },
  ],
  ['an answer of another form', { status: 200, answer: { usp, booking: { buyer: alice } } }],
]

test.each(echoes)(
  '[LIV-110] the command line prints nothing of a buyer whom the business quotes in %s',
  async (_, answer) => {
    for (const command of [
      ['booking', 'bkg_1'],
      ['book', 'svc', 'slot'],
    ]) {
      Object.assign(foreign, { rpc: undefined, ...answer })
      const printed = await commandLine(...command)
      expect(printed).not.toBe('')
      expect(printed).not.toMatch(/alice|example/i)
    }
  },
)

test('[LIV-080] only the command that is called pay reports a payment, and a booking leads to the page of the business', async () => {
  const made: string[] = []
  const client = new Proxy(createClient({ baseUrl, platformProfile: 'https://platform.example/p.json', key }), {
    get: (target, name, receiver) => {
      made.push(String(name))
      return Reflect.get(target, name, receiver)
    },
  })
  Object.assign(foreign, { status: 200, answer: { usp, booking }, rpc: undefined })
  const reporting = []
  for (const [name, command] of Object.entries(commands)) {
    made.length = 0
    await command.run(client, 'one', '2026-12-01').catch(() => {})
    expect([name, made.length > 0]).toEqual([name, true])
    if (made.some((one) => /pay|charge|complete|authori/i.test(one))) reporting.push(name)
  }
  expect(reporting).toEqual(['pay'])
})
