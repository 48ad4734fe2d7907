import { afterEach, describe, expect, test } from 'vitest'
import { addStaff } from '../../src/core/authentication/staff-members.ts'
import { type Operation, restRouteOf } from '../../src/protocol/define-operation.ts'
import { operations } from '../../src/server/all-operations.ts'
import { sampling } from '../support/case-sampling.ts'
import { businessWith, service } from '../support/definitions.ts'
import { sampleOf } from '../support/samples.ts'
import { START, testServer } from '../support/server.ts'

const sampled = sampling()
const course = service('svc_one', {
  type: 'group',
  capacity: { max: 10_000 },
  sessions: [{ days: ['tuesday'], starts: '12:00' }],
  localized: { name: { es: 'Uno', 'pt-BR': 'Um' } },
})
const server = await testServer(
  // Nobody needs to prove anything here, so that what is sent gets all the way in.
  businessWith([course, service('svc_two')], { authorization: { sandbox: true }, registry: { enabled: true } }),
)
const known = async (path: string, body: object) => (await server.rest('POST', path, body)).body
const person = { first_name: 'A', last_name: 'B', email: 'a@example.com' }
const days = { service_id: 'svc_one', start_date: '2026-11-24', end_date: '2026-11-24' }
const slot = JSON.stringify((await known('/availability/query', days)).slots[0].id)
const slotted = `"service_id":"svc_one","slot_id":${slot}`
const buyer = `"buyer":${JSON.stringify(person)}`
const { id } = (await known('/bookings', JSON.parse(`{${slotted},${buyer}}`))).booking
const booked = `"booking_id":"${id}"`

const LONGEST_TEXT = 64 * 1024

/** JSON texts that a careless server trips over. */
const hostile: [what: string, json: string | Buffer][] = [
  ['lists nested 60 deep', '['.repeat(60) + ']'.repeat(60)],
  ['lists nested 20,000 deep', '['.repeat(20_000) + ']'.repeat(20_000)],
  ['objects nested 20,000 deep', `${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}`],
  ['1e400', '1e400'],
  ['-1e400', '-1e400'],
  ['1e300', '1e300'],
  ['-1e300', '-1e300'],
  ['1e-400', '1e-400'],
  ['-0', '-0'],
  ['an integer beyond 2^53', '9007199254740993'],
  ['an integer beyond 2^63', '9223372036854775808'],
  ['a number of 10,000 digits', '9'.repeat(10_000)],
  ['a NUL character', '"a\\u0000b"'],
  ['a raw control character', '"a\u0001b"'],
  ['a lone high surrogate', '"\\ud800"'],
  ['a lone low surrogate', '"a\\udfffb"'],
  ['invalid UTF-8', Buffer.from([0x22, 0xff, 0xfe, 0xc0, 0x80, 0xed, 0xa0, 0x80, 0x22])],
  ['a text of 900,000 characters', `"${'x'.repeat(900_000)}"`],
  ['a text of 400,000 escapes', `"${'\\\\'.repeat(400_000)}"`],
  ['a text that never ends', `"${'x'.repeat(100_000)}`],
  ['80,000 marks to combine', `"${'\\u0301'.repeat(80_000)}"`],
  ['a list of 20,000 numbers', `[${'1,'.repeat(20_000)}1]`],
  ['a list of 5,000 NUL characters', `[${'"\\u0000",'.repeat(5_000)}""]`],
  ['a __proto__ member', '{"__proto__":{"polluted":true,"length":-1}}'],
  ['a constructor member', '{"constructor":{"prototype":{"polluted":true}}}'],
  ['names of inherited members', '["__proto__","constructor","toString","hasOwnProperty"]'],
  ['a toString member', '{"toString":null,"valueOf":1,"toJSON":2}'],
  ['SQL', `"'; drop table services; --"`],
  ['patterns', '"%_\\\\(.*)+$ &|!:*<->"'],
  ['null', 'null'],
  ['true', 'true'],
  ['an empty text', '""'],
]

const query = (member: string) => `{"service_id":"svc_one","start_date":"2026-11-24","end_date":"2026-11-25",${member}}`

/** Where in the arguments of a tool they are put, where that is worth telling; elsewhere it is each member in turn. */
const places: Record<string, string[]> = {
  usp_services_list: [
    '§',
    '{"query":§}',
    '{"filters":§}',
    '{"filters":{"type":§}}',
    '{"filters":{"category_id":§}}',
    '{"filters":{"categories":[§]}}',
    '{"filters":{"location_id":§}}',
    '{"filters":{"price":{"min":§}}}',
    '{"filters":{"price":{"max":§},"unknown":§}}',
    '{"context":{"language":§}}',
    '{"context":{"currency":§},"filters":{"price":{"min":1}}}',
    '{"context":{"coordinates":{"latitude":§,"longitude":0}}}',
    '{"pagination":{"limit":§}}',
    '{"pagination":{"cursor":§}}',
  ],
  usp_services_get: ['§', '{"service_id":§}'],
  usp_services_lookup: ['§', '{"ids":§}', '{"ids":[§]}', '{"ids":["svc_one"],"context":{"language":§}}'],
  usp_services_feed_subscribe: [
    '§',
    '{"callback_url":§}',
    '{"callback_url":"https://127.0.0.1/","categories":§,"events":§}',
    '{"callback_url":"https://127.0.0.1/","categories":[§]}',
  ],
  usp_services_feed_subscription_get: ['§', '{"subscription_id":§}'],
  usp_services_feed_subscription_pause: ['§', '{"subscription_id":§}'],
  usp_services_feed_subscription_resume: ['§', '{"subscription_id":§}'],
  usp_services_feed_unsubscribe: ['§', '{"subscription_id":§}'],
  usp_services_feed: ['§', '{"cursor":§}', '{"limit":§}', '{"location_id":§}'],
  usp_availability_query: [
    '§',
    '{"service_id":§,"start_date":"2026-11-24","end_date":"2026-11-25"}',
    '{"service_id":"svc_one","start_date":§,"end_date":"2026-11-25"}',
    '{"service_id":"svc_one","start_date":"2026-11-24","end_date":§}',
    query('"timezone":§'),
    query('"party_size":§'),
    query('"resource_id":§,"location_id":§,"locale":§'),
    query('"cursor":§'),
    query('"limit":§'),
  ],
  usp_availability_hold: [
    '§',
    '{"service_id":§,"slot_id":"x"}',
    '{"service_id":"svc_one","slot_id":§}',
    `{${slotted},"spots":§}`,
  ],
  usp_availability_release: ['§', '{"hold_id":§}'],
  usp_bookings_create: [
    '§',
    `{"service_id":"svc_one","slot_id":§,${buyer}}`,
    `{${slotted},"hold_id":§,${buyer}}`,
    `{${slotted},"buyer":§}`,
    `{${slotted},"buyer":{"first_name":§,"last_name":§,"email":§}}`,
    `{${slotted},${buyer},"recipient":§,"delivery_address":§}`,
    `{${slotted},${buyer},"party_size":§}`,
    `{${slotted},${buyer},"resource_id":§,"notes":§}`,
    `{${slotted},${buyer},"post_payment_return_request":{"url":§,"params":§}}`,
  ],
  usp_bookings_get: ['§', '{"booking_id":§}'],
  usp_bookings_update: ['§', '{"booking_id":§}', `{${booked},"buyer":§,"recipient":§}`, `{${booked},"notes":§}`],
  usp_bookings_confirm: ['§', '{"booking_id":§}', `{${booked},"notes":§}`],
  usp_bookings_cancel: ['§', '{"booking_id":§}', `{${booked},"reason":§}`],
  usp_bookings_reschedule: ['§', '{"booking_id":§,"slot_id":"x"}', `{${booked},"slot_id":§,"hold_id":§}`],
  usp_bookings_confirm_payment: [
    '§',
    `{${booked},"payment_result":§}`,
    `{${booked},"payment_result":{"status":"paid","transaction_id":§,"amount_paid":1,"currency":"USD"}}`,
    `{${booked},"payment_result":{"status":"paid","transaction_id":"t","amount_paid":§,"currency":§}}`,
  ],
}

const filled = (template: string, json: string | Buffer): Buffer =>
  Buffer.concat(
    template
      .split('§')
      .flatMap((part, index) => (index > 0 ? [Buffer.from(json), Buffer.from(part)] : [Buffer.from(part)])),
  )

const eachMember = (operation: Operation): string[] => [
  '§',
  ...Object.keys(operation.input.properties).map((name) =>
    JSON.stringify({ ...sampleOf(operation), [name]: '§' }).replace('"§"', '§'),
  ),
]

const json = { 'content-type': 'application/json' }
const staff = { ...json, authorization: `Bearer ${await addStaff(server.runtime.db, 'Jo', 'owner', START)}` }
const post = (url: string, payload: Buffer, headers: Record<string, string> = json) =>
  server.raw({ method: 'POST', url, headers, payload })

afterEach(() => {
  expect(Object.prototype).not.toHaveProperty('polluted')
  expect(server.logged.splice(0).filter((line) => JSON.parse(line).level >= 50)).toEqual([])
})

describe.each(operations.map((one) => [one.tool, one] as const))('[ERR-077] %s withstands', (tool, operation) => {
  const templates = places[tool] ?? eachMember(operation)
  const { method, path } = restRouteOf(operation)
  const headers = operation.access === 'business_only' ? staff : json

  test.each(sampled(hostile))('%s', async (_, json) => {
    // What is longer than any text may be is refused before anybody looks where it stands.
    for (const template of json.length > LONGEST_TEXT ? templates.slice(0, 1) : templates) {
      const input = filled(template, json)
      const { status, body } = await post(
        '/usp/mcp',
        filled(`{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"${tool}","arguments":§}}`, input),
        headers,
      )
      expect({ template, status, code: body.error?.code }).not.toMatchObject({ code: -32603 })
      expect({ template, status: Math.floor(status / 100) }).not.toEqual({ template, status: 5 })
      // Both bindings read alike; that is put to the test where the places are told.
      if (method !== 'POST' || !places[tool]) continue
      const answer = await post(`/usp/v1${path}`, input, headers)
      expect({ template, status: Math.floor(answer.status / 100) }).not.toEqual({ template, status: 5 })
    }
  })
})

test.each([
  ['30,000 subtags of a language', '/services/list', { context: { language: 'a-'.repeat(30_000) } }],
  [
    '30,000 subtags of a language, on lookup',
    '/services/lookup',
    { ids: ['svc_one'], context: { language: 'a-'.repeat(30_000) } },
  ],
  ['160 words of a query', '/services/list', { query: 'ab '.repeat(160) }],
  ['9,000 categories', '/services/list', { filters: { categories: Array.from({ length: 9_000 }, String) } }],
])('[ERR-077] %s cost no noticeable time', async (_, path, body) => {
  const started = performance.now()
  expect((await server.rest('POST', path, body)).status).toBe(200)
  expect(performance.now() - started).toBeLessThan(2_000)
})

test('[ERR-077] a small request does not bring a giant refusal', async () => {
  const body = JSON.stringify({ ids: Array.from({ length: 9_000 }, () => '\0') })
  const answer = await server.rest('POST', '/services/lookup', body)
  expect(answer.status).toBe(422)
  expect(JSON.stringify(answer.body).length).toBeLessThan(body.length)
})

const wrongIds = (count: number) => `{"ids":[${Array(count).fill(1).join()}]}`

test.each([
  ['500', '50', 500, 50],
  ['9,000', 'the first', 9_000, 1],
])('[ERR-077] of a body with %s faults %s are told', async (_, __, faults, told) => {
  const { status, body } = await server.rest('POST', '/services/lookup', wrongIds(faults))
  expect([status, body.code, body.errors.length]).toEqual([422, 'validation_error', told])
})

test('[ERR-077] a body that holds more values than that is looked at no further', async () => {
  for (const count of [10_001, 500_000]) {
    const { status, body } = await server.rest('POST', '/services/lookup', wrongIds(count))
    expect([status, body.code, body.errors]).toEqual([400, 'invalid_request', undefined])
    const params = `{"name":"usp_services_lookup","arguments":${wrongIds(count)}}`
    const call = Buffer.from(`{"jsonrpc":"2.0","id":7,"method":"tools/call","params":${params}}`)
    expect((await post('/usp/mcp', call)).body.error).toMatchObject({ code: -32700, data: { code: 'invalid_request' } })
  }
})
