import { expect } from 'vitest'
import { responsesOf } from '../../src/interfaces/docs/openapi-responses.ts'
import { answerSchema } from '../../src/protocol/envelope.ts'
import { errors } from '../../src/protocol/errors.ts'
import { type Operation, restRouteOf } from '../../src/protocol/operation.ts'
import { shape } from '../../src/protocol/schemas.ts'
import { compile, type Validator } from '../../src/protocol/validator.ts'
import { operations as described } from '../../src/server/operations.ts'
import type { Answer } from './server.ts'

const problem = compile(shape('ProblemDetails'))
const profile = compile(shape('BusinessProfile'))
const ucpProfile = compile(shape('UcpBusinessProfile'))
const answers = new Map<Operation, Validator>()

/** Checks a REST answer against the published schema. */
export function expectValidRest(operations: Operation[], method: string, path: string, answer: Answer) {
  const { status, headers, body } = answer
  const operation = operations.find((one) => restRouteOf(one).method === method && matches(restRouteOf(one).path, path))
  if (operation && described.includes(operation)) expectDeclared(operation, status)
  if (status === 304 || status === 204) return expect(body).toBe('')
  if (status >= 400) {
    expect(headers['content-type']).toMatch(/^application\/problem\+json/)
    expectValid(problem, body)
    expect(body.status).toBe(status)
    expect(body.type).toBe(`https://usp-protocol.dev/errors/${body.code.replaceAll('_', '-')}`)
    expect(errors[body.code as 'not_found'].http).toBe(status)
    return
  }
  expect(headers['content-type']).toMatch(/^application\/json/)
  if (path === '/.well-known/ucp') return expectValid(ucpProfile, body)
  if (path.startsWith('/.well-known')) return expectValid(profile, body)
  if (!operation) throw new Error(`No operation answers ${method} ${path}`)
  expectValid(answerOf(operation), body)
  expectZoned(body)
}

function expectDeclared(operation: Operation, status: number) {
  expect(Object.keys(responsesOf(operation)), `what ${operation.id} may answer`).toContain(String(status))
}

/** Checks the answer of a tool against the schema in tools/list. */
export function expectValidTool(operations: Operation[], name: string, { body }: Answer) {
  expect(body.jsonrpc).toBe('2.0')
  expect(body.id).toBe(7)
  if (body.error) {
    expect(body).not.toHaveProperty('result')
    expect(body.error.data).toMatchObject({ code: expect.any(String), content: expect.any(String) })
    return
  }
  const operation = operations.find(({ tool }) => tool === name)
  if (!operation) throw new Error(`${name} answered although there is no such tool`)
  expectValid(answerOf(operation), body.result.structuredContent)
  expectZoned(body.result.structuredContent)
  expect(body.result.content[0]).toEqual({ type: 'text', text: expect.stringMatching(/\S/) })
}

function expectValid(validator: Validator, value: unknown) {
  expect(validator(value) ? [] : validator.errors).toEqual([])
}

/** Times of this server contain the business's offset. A hint keeps the form that its author wrote. */
export function expectZoned(body: object) {
  expect(JSON.stringify(body).match(/"(?!generated_at")[^"]*":"\d{4}-\d\d-\d\dT[\d:.]+Z"/g)).toBeNull()
}

function answerOf(operation: Operation): Validator {
  const validator = answers.get(operation) ?? compile(answerSchema(operation))
  answers.set(operation, validator)
  return validator
}

/** A path without parameters matches before paths with parameters, as in the router. */
const matches = (template: string, path: string) => {
  const plain = path.split('?')[0] ?? ''
  if (plain === '/services/feed') return template === plain
  return new RegExp(`^${template.replace(/\{\w+\}/g, '[^/]+')}$`).test(plain)
}
