import type { Answer, Members } from '../caller/answer.ts'
import type { OperationName } from '../caller/operations.ts'
import { check } from '../checks/check.ts'
import { offeredOperations, sampleInputs } from '../checks/core/sample-inputs.ts'
import type { CheckContext } from '../run/check-context.ts'
import { expectTrue, inCase } from '../run/expectations.ts'
import type { Pace } from './pace.ts'
import { expectStillServes } from './still-serves.ts'

/** Values that have broken servers. Each replaces one member of a valid input. */
const VALUES: Record<string, unknown> = {
  NUL: 'a\u0000b',
  'half of a character': '\ud800',
  'a long text': 'x'.repeat(50_000),
  'a text that breaks SQL': `' or '1'='1'; drop table bookings; --`,
  'a text that breaks HTML': '"><script>alert(1)</script>',
  'a text with a template': '{{7*7}}<%= 7*7 %>#{7*7}',
  'a path': '../../../../etc/passwd',
  'a text for slow patterns': `${'a'.repeat(30_000)}!`,
  'many combining characters': `a${'\u0301'.repeat(5_000)}`,
  'a huge number': 1e308,
  'a negative number': -1,
  'an endless year': '+275760-09-13T00:00:00Z',
  'an empty object': {},
  'an object of the prototype': JSON.parse('{"__proto__":{"admin":true},"constructor":{"prototype":{}}}'),
  'a deep list': JSON.parse(`${'['.repeat(500)}${']'.repeat(500)}`),
  'a wide list': Array.from({ length: 5_000 }, (_, nth) => nth),
}

/** Texts in which a server shows its code, its files or its database. */
const INTERNALS =
  /\bat \S+ \(.+:\d+:\d+\)|node_modules|Traceback \(most recent|\.(ts|js|py|rb|go|java):\d+|\bSQLSTATE\b|syntax error at or near/

export const hostileInputAttacks = (pace: Pace) => [
  check('ERR-077', 'A hostile value in any member of any operation causes no internal error', async (c) => {
    for (const name of offeredOperations(c.target))
      for (const member of Object.keys(sampleInputs[name]))
        for (const [what, value] of Object.entries(VALUES)) {
          await pace()
          const answer = await callWith(c, name, { ...sampleInputs[name], [member]: value })
          if (answer) inCase(`${what} in ${member} of ${name}`, () => expectNothingInternal(answer))
        }
    await expectStillServes(c)
  }),
  check(
    'ERR-077',
    'A body that is no JSON text causes no internal error',
    async (c) => {
      const bodies = ['', '{', '{"a":1}{"a":2}', '[]', '"text"', '{"a":NaN}', `${'['.repeat(20_000)}`, '{"a":1,"a":2}']
      for (const body of bodies)
        for (const type of [
          'application/json',
          'text/plain',
          'multipart/form-data',
          'application/json; charset=utf-7',
        ]) {
          await pace()
          const headers = { 'content-type': type }
          const answer = await c.anonymous.request('POST', '/services/list', { body, headers })
          inCase(`${body.slice(0, 20)} as ${type}`, () => expectNothingInternal(answer))
        }
      await expectStillServes(c)
    },
    { only: 'rest' },
  ),
  check(
    'ERR-077',
    'A path outside of the interface reveals no file',
    async (c) => {
      const up = [
        '../'.repeat(8),
        '..%2f'.repeat(8),
        '..%5c'.repeat(8),
        '%2e%2e/'.repeat(8),
        '..%252f'.repeat(8),
        '..%c0%af',
      ]
      for (const path of up.map((steps) => `/services/${steps}etc/passwd`)) {
        await pace()
        const answer = await c.anonymous.request('GET', path)
        inCase(path, () => {
          expectNothingInternal(answer)
          expectTrue(!answer.text.includes('root:'), 'no file of the machine', answer.text.slice(0, 200))
        })
      }
    },
    { only: 'rest' },
  ),
]

/** Calls the operation. Returns undefined if a URL cannot contain the value, such as half of a character. */
async function callWith(c: CheckContext, name: OperationName, input: Members): Promise<Answer | undefined> {
  try {
    return await c.sharedPlatform.caller.call(name, input)
  } catch (error) {
    if (error instanceof URIError) return undefined
    throw error
  }
}

function expectNothingInternal({ status, error, text }: Answer): void {
  expectTrue(status < 500 && error?.number !== -32603, 'no internal error', `${status} ${error?.number ?? ''}`)
  const [found] = INTERNALS.exec(text) ?? []
  expectTrue(found === undefined, 'no part of the code, files or database of the server', found ?? '')
}
