import { expect, test } from 'vitest'
import { addClient } from '../../src/core/authentication/api-keys.ts'
import { addStaff } from '../../src/core/authentication/staff-members.ts'
import { errorCodesOf } from '../../src/interfaces/docs/error-codes-of-operation.ts'
import { openapi } from '../../src/interfaces/docs/openapi.ts'
import { restRouteOf } from '../../src/protocol/define-operation.ts'
import { errors, type ProtocolCode, protocolCodes } from '../../src/protocol/errors.ts'
import { operations } from '../../src/server/all-operations.ts'
import { sampling } from '../support/case-sampling.ts'
import { businessWith, service } from '../support/definitions.ts'
import { testPlatform } from '../support/platform.ts'
import { sampleOf } from '../support/samples.ts'
import { START, testServer } from '../support/server.ts'

// Each call of `server.rest` and `server.tool`, in all tests, compares the code of the answer with the document
// (test/support/contract.ts). The calls below are those that other tests do not make for every operation.
const sampled = sampling()
const server = await testServer(businessWith([service('svc_a')], { registry: { enabled: true } }))
const platform = await testPlatform()
const client = await addClient(server.runtime.db, 'Known platform', START)
const staff = await addStaff(server.runtime.db, 'Jo', 'owner', START)

interface Described {
  operationId: string
  responses: object
  'x-usp-errors'?: ProtocolCode[]
}
const document: { paths: Record<string, Record<string, Described>> } = JSON.parse(JSON.stringify(openapi(operations)))
const described = Object.values(document.paths).flatMap((methods) => Object.values(methods))
const operationsWith = (code: ProtocolCode) =>
  described.filter((one) => one['x-usp-errors']?.includes(code)).map(({ operationId }) => operationId)

test.each(operations)('$id documents a response for the status of each code, and no other', (operation) => {
  const one = described.find(({ operationId }) => operationId === operation.id)
  expect(one?.['x-usp-errors']).toEqual(errorCodesOf(operation))
  const statuses = new Set(errorCodesOf(operation).map((code) => String(errors[code].http)))
  const documented = Object.keys(one?.responses ?? {}).filter((status) => Number(status) >= 400)
  expect(documented).toEqual([...statuses].toSorted())
})

test.each<[string, ProtocolCode, string[]]>([
  ['[LIV-024]', 'payment_unverifiable', ['confirmPayment']],
  ['[LIV-025]', 'confirmation_failed', ['confirmPayment']],
  ['[LIV-064]', 'hold_limit_exceeded', ['holdSlot']],
  ['[LIV-014]', 'range_too_wide', ['queryAvailability', 'explainAvailability', 'listSessions', 'getTakings']],
  ['[LIV-007]', 'service_not_found', ['getService']],
])('%s the document lists %s at %j', (_, code, ids) => {
  expect(operationsWith(code)).toEqual(expect.arrayContaining(ids))
  expect(operationsWith(code).length).toBeLessThan(7)
})

test('the operations document each protocol error that this server sends', () => {
  const unlisted = protocolCodes.filter((code) => operationsWith(code).length === 0)
  // The server sends `pop_proof_missing` instead. No operation can answer that its method is not allowed.
  expect(unlisted).toEqual(['pop_proof_required', 'method_not_allowed'])
})

const agent = `profile="${platform.url}"`
const attempts: [string, { headers: Record<string, string>; body?: string; more?: object }][] = [
  ['a malformed profile header', { headers: { 'usp-agent': 'profile=' } }],
  ['a profile that is not there', { headers: { 'usp-agent': `profile="${platform.url}/none"` } }],
  ['a wrong digest', { headers: { 'content-digest': 'sha-256=:AAAA:' } }],
  ['text instead of JSON', { headers: { 'content-type': 'text/plain' }, body: 'x' }],
  ['a compressed body', { headers: { 'content-encoding': 'gzip' }, body: '{}' }],
  ['a body of 2 MiB', { headers: {}, body: `"${'x'.repeat(2 ** 21)}"` }],
  ['a body that is no JSON', { headers: {}, body: '{' }],
  ['a credential that is none', { headers: { 'usp-agent': agent, authorization: 'Bearer none' } }],
  ['ids that are unknown', { headers: { 'usp-agent': agent, authorization: `Bearer ${client.key}` } }],
  ['ids that are unknown, by staff', { headers: { authorization: `Bearer ${staff}` } }],
  ['a cursor that is none', { headers: { authorization: `Bearer ${staff}` }, more: { cursor: 'x' } }],
  ['a page that is none', { headers: {}, more: { pagination: { cursor: 'x' } } }],
  ['ten years', { headers: { authorization: `Bearer ${staff}` }, more: { end_date: '2036-11-30' } }],
  ['an old revision', { headers: { authorization: `Bearer ${staff}`, 'if-match': '"none"' } }],
]

const cases = attempts.flatMap(([what, attempt]) => operations.map((operation) => ({ what, attempt, operation })))

test.each(sampled(cases))('$operation.id documents what it answers to $what', async ({ attempt, operation }) => {
  const { headers, body, more } = attempt
  const { method, path, parameters, inBody } = restRouteOf(operation)
  const sample: Record<string, unknown> = { ...sampleOf(operation), ...more }
  const filled = path.replace(/\{(\w+)\}/g, (_, name) => String(sample[name]))
  const rest = Object.entries(sample).filter(([name]) => !parameters.includes(name))
  const query = new URLSearchParams(rest.map(([name, value]): [string, string] => [name, String(value)]))
  const text = body ?? (inBody ? JSON.stringify(Object.fromEntries(rest)) : undefined)
  const answer =
    method === 'GET'
      ? await server.rest(method, `${filled}?${query}`, undefined, headers)
      : await server.rest(method, filled, text, headers)
  expect(answer.status).toBeLessThan(500)
  if (body === undefined) await server.tool(operation.tool, sample, headers)
})
