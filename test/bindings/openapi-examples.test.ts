import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { addClient } from '../../src/core/authentication/api-keys.ts'
import { readDefinition } from '../../src/domain/definition/read-definition.ts'
import { openapi } from '../../src/interfaces/docs/openapi.ts'
import { type Operation, restRouteOf } from '../../src/protocol/define-operation.ts'
import { validatorsOf } from '../../src/protocol/operation-validators.ts'
import { operations } from '../../src/server/all-operations.ts'
import { testPlatform } from '../support/platform.ts'
import { testServer } from '../support/server.ts'

const document = JSON.parse(JSON.stringify(openapi(operations)))
const salon = readFileSync('examples/glamour-salon.yaml', 'utf8')
const { definition } = readDefinition(salon, 'glamour-salon.yaml')
const server = await testServer({ ...definition, registry: { enabled: true } })
const platform = await testPlatform()
const { key } = await addClient(server.runtime.db, 'Known', new Date())
const headers = { authorization: `Bearer ${key}`, 'usp-agent': `profile="${platform.url}"` }

interface Parameter {
  name: string
  in: string
  required: boolean
  example?: string
  schema: { pattern?: string; minLength?: number; maxLength?: number }
}

function describedAs(operation: Operation) {
  const { method, path } = restRouteOf(operation)
  const { parameters, requestBody } = document.paths[`/usp/v1${path}`][method.toLowerCase()]
  const named: Parameter[] = parameters
  return { method, path, parameters: named, body: requestBody?.content['application/json'].example }
}

/** The call as whoever tries it out from the description makes it. */
function tried(operation: Operation, changes: object = {}) {
  const { method, path, parameters, body } = describedAs(operation)
  const example = (name: string) => parameters.find((parameter) => parameter.name === name)?.example ?? ''
  const filled = path.replace(/\{(\w+)\}/g, (_, name) => example(name))
  return server.rest(method, filled, body && { ...body, ...changes }, headers)
}

const operationOf = (id: string) => {
  const found = operations.find((operation) => operation.id === id)
  if (!found) throw new Error(`There is no ${id}`)
  return found
}

describe.each(operations)('[examples that work] the example of $id', (operation) => {
  test('is a call that it takes', () => {
    const { parameters, body } = describedAs(operation)
    const inAddress = parameters.filter((parameter) => parameter.in !== 'header' && parameter.required)
    const named = Object.fromEntries(inAddress.map(({ name, example }) => [name, example ?? 'made_by_the_server']))
    const { input } = validatorsOf(operation)
    expect(input({ ...named, ...body }) ? [] : input.errors).toEqual([])
  })
})

const readable = operations.filter(({ access, rest }) => access === 'public' && !rest.includes('{id}'))
test.each(readable)('[examples that work] the demo business answers that of $id', async (operation) => {
  const { status, body } = await tried(operation)
  expect(status, JSON.stringify(body)).toBe(200)
  expect(body.usp.status).not.toBe('error')
})

test('[examples that work] the demo business can be booked with them, once the slot is one of its own', async () => {
  const { slots } = (await tried(operationOf('queryAvailability'))).body
  const [slot_id, another] = [slots.at(0).id, slots.at(-1).id]
  expect(await tried(operationOf('holdSlot'), { slot_id })).toMatchObject({ status: 201 })
  expect(await tried(operationOf('createBooking'), { slot_id: another })).toMatchObject({ status: 201 })
})

describe('[headers have patterns]', () => {
  const { parameters } = describedAs(operationOf('holdSlot'))
  const fits = (name: string, value: string) => {
    const {
      pattern = '',
      minLength = 0,
      maxLength = Infinity,
    } = parameters.find((parameter) => parameter.name === name)?.schema ?? {}
    return new RegExp(pattern).test(value) && value.length >= minLength && value.length <= maxLength
  }
  const slot = { service_id: 'svc_haircut', slot_id: 'slot_none' }
  const refused = async (more: Record<string, string>) =>
    (await server.rest('POST', '/availability/holds', slot, { ...headers, ...more })).status === 400

  test.each([
    ['a UUID', '5f0f2b9e-8c9b-4f0e-9d4c-1d2a6f3f9b11', true],
    ['any other name', 'order-17 of Alice', true],
    ['255 characters', 'k'.repeat(255), true],
    ['256 characters', 'k'.repeat(256), false],
    ['nothing', '', false],
    ['a tab inside', 'a\tb', false],
    ['what is not ASCII', 'schlüssel', false],
  ])('[IDM-030] [IDM-031] an Idempotency-Key that is %s', async (_, value, taken) => {
    expect(fits('Idempotency-Key', value)).toBe(taken)
    expect(await refused({ 'idempotency-key': value })).toBe(!taken)
  })

  test.each([
    ['the address alone', (url: string) => `profile="${url}"`, true],
    ['an address with a parameter', (url: string) => `profile="${url}";v=1`, true],
    ['an address after something else', (url: string) => `other="x", profile="${url}"`, true],
    ['an address without quotes', (url: string) => `profile=${url}`, false],
    ['a bare address', (url: string) => url, false],
    ['something else', () => 'other="x"', false],
  ])('a USP-Agent with %s', async (_, write, taken) => {
    const value = write(platform.url)
    expect(fits('USP-Agent', value)).toBe(taken)
    expect(await refused({ 'usp-agent': value })).toBe(!taken)
  })
})
