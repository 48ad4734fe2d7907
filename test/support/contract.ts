import { expect } from 'vitest'
import { errorCodesOf } from '../../src/interfaces/docs/error-codes-of-operation.ts'
import { responsesOf } from '../../src/interfaces/docs/openapi-responses.ts'
import { type Operation, restRouteOf } from '../../src/protocol/define-operation.ts'
import { errors, problemType } from '../../src/protocol/errors.ts'
import { shape } from '../../src/protocol/json-schemas.ts'
import { answerSchema } from '../../src/protocol/response-envelope.ts'
import { compile, type Validator } from '../../src/protocol/schema-validator.ts'
import type { Message } from '../../src/protocol/types.generated.ts'
import { operations as described } from '../../src/server/all-operations.ts'
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
    expect(body.type).toBe(problemType(body.code))
    expect(errors[body.code as 'not_found'].http).toBe(status)
    if (operation) expectListed(operation, body.code)
    return
  }
  expect(headers['content-type']).toMatch(/^application\/json/)
  if (path === '/.well-known/ucp') return expectValid(ucpProfile, body)
  if (path.startsWith('/.well-known')) return expectValid(profile, body)
  if (!operation) throw new Error(`No operation answers ${method} ${path}`)
  expectValid(answerOf(operation), body)
  expectOutcomes(body)
  expectZoned(body)
}

/** Only an outcome is a message of the type `error`. Every other code is a problem or a JSON-RPC error. */
function expectOutcomes({ messages = [] }: { messages?: Message[] }) {
  const refusals = messages.filter(({ type }) => type === 'error').map(({ code }) => code)
  const problems: string[] = Object.entries(errors).flatMap(([code, entry]) => ('http' in entry ? [code] : []))
  expect(refusals.filter((code) => problems.includes(code))).toEqual([])
}

function expectDeclared(operation: Operation, status: number) {
  expect(Object.keys(responsesOf(operation)), `what ${operation.id} may answer`).toContain(String(status))
}

/** The API document lists each code that an operation answers. */
function expectListed(operation: Operation, code: string) {
  if (described.includes(operation)) expect(errorCodesOf(operation), `the errors of ${operation.id}`).toContain(code)
}

/** Checks the answer of a tool against the schema in tools/list. */
export function expectValidTool(operations: Operation[], name: string, { body }: Answer) {
  expect(body.jsonrpc).toBe('2.0')
  expect(body.id).toBe(7)
  const operation = operations.find(({ tool }) => tool === name)
  if (body.error) {
    expect(body).not.toHaveProperty('result')
    expect(body.error.data.content).toEqual(expect.any(String))
    const { code } = body.error.data
    // Only the error for an unknown tool has no code.
    if (/^There is no tool named/.test(body.error.message)) {
      expect([body.error.code, code]).toEqual([-32602, undefined])
      return
    }
    expect(code).toEqual(expect.any(String))
    // JSON-RPC has numbers of its own for an invalid request.
    if (code !== 'invalid_request') expect(body.error.code).toBe(errors[code as 'not_found'].rpc)
    if (operation) expectListed(operation, code)
    return
  }
  if (!operation) throw new Error(`${name} answered although there is no such tool`)
  expectValid(answerOf(operation), body.result.structuredContent)
  expectOutcomes(body.result.structuredContent)
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
