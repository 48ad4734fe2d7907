import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { errorsPage } from '../../scripts/errors-page.ts'
import { errors, problemType, protocolCodes, refusalCodes } from '../../src/protocol/errors.ts'
import { testServer } from '../support/server.ts'

const page = readFileSync('docs/errors.md', 'utf8')
const [, refusals = '', problems = '', plain = ''] = page.split(/^## /m)

/** The cells of each table row that begins with a code. */
const rowsOf = (section: string) =>
  [...section.matchAll(/^\| `(\w+)` \|(.*)\|$/gm)].map(([, code = '', rest = '']) => [
    code,
    ...rest.split('|').map((cell) => cell.trim().replace(/^`(.*)`$/, '$1')),
  ])
const isText = expect.stringMatching(/^[A-Z].*\.$/)

test('docs/errors.md is what the table says; `npm run generate` writes it', () => {
  expect(page).toBe(errorsPage())
})

test('docs/errors.md has each business refusal with its severity', () => {
  expect(rowsOf(refusals)).toEqual(refusalCodes.map((code) => [code, errors[code].severity, isText, isText]))
})

test('docs/errors.md has each protocol error with its status, type and number', () => {
  const expected = protocolCodes.map((code) => {
    const type = problemType(code).replace('https://usp-protocol.dev/errors/', '')
    return [code, String(errors[code].http), type, String(errors[code].rpc), isText, isText]
  })
  expect([...rowsOf(problems), ...rowsOf(plain)]).toEqual(expected)
  expect(rowsOf(plain).map(([, , type]) => type)).toEqual(rowsOf(plain).map(() => 'about:blank'))
})

test('the server serves the page of error codes, and the guide for platforms links to it', async () => {
  const server = await testServer()
  const { status, body } = await server.raw({ method: 'GET', url: '/docs/errors' })
  expect(status).toBe(200)
  expect(Object.keys(errors).filter((code) => !body.includes(`<code>${code}</code>`))).toEqual([])
  expect((await server.raw({ method: 'GET', url: '/docs/platforms' })).body).toContain('href="/docs/errors"')
})
