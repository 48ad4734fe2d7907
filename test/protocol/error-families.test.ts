import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { protocolCodes } from '../../src/protocol/errors.ts'

const files = globSync('src/**/*.ts')
  .filter((file) => !file.endsWith('.generated.ts'))
  .toSorted()

/**
 * Each place in the source that makes a message of the type `error`, with the expression of its code. The type of
 * `BusinessRefusal` allows only the codes of business refusals, so its places are not in this list.
 */
const made = files.flatMap((file) => {
  const source = readFileSync(file, 'utf8')
  const literals = [...source.matchAll(/\{[^{}]*\btype: 'error'[^{}]*[{}]/g)].map(
    ([literal]) => /\bcode(?:: ([^,\n}]+))?/.exec(literal)?.[1] ?? 'code',
  )
  const makers = /\berrorMessage\b|type: 'error'/.test(source) ? 'errorMessage|ucpRefusal|refused' : 'ucpRefusal'
  const calls = [...source.matchAll(new RegExp(`\\b(?:${makers})\\(\\s*([^,\\n)]+)`, 'g'))]
  return [...literals, ...calls.map(([, first = '']) => first)].map((code) => ({ file, code }))
})
const isLiteral = ({ code }: { code: string }) => /^'\w+'$/.test(code)

test('[LIV-001] no message of the type error has the code of a protocol error', () => {
  const errors: string[] = protocolCodes
  const literal = made.filter(isLiteral)
  expect(literal.length).toBeGreaterThan(15)
  const found = literal.filter(({ code }) => errors.includes(code.slice(1, -1)))
  expect(found.map(({ file, code }) => `${file} ${code}`)).toEqual([
    // Part of a problem document with the status 400 or 422, never of an answer with the status 200.
    "src/core/profiles/read-platform-profile.ts 'version_unsupported'",
    // UCP has codes of its own. This is its code for an unknown checkout or order.
    "src/domain/ucp-checkouts/error-messages.ts 'not_found'",
    "src/domain/ucp-checkouts/error-messages.ts 'not_found'",
  ])
})

test('[LIV-001] the places that compute the code of such a message are known', () => {
  const computed = made
    .filter((one) => !isLiteral(one))
    .map(({ file, code }) => `${file} ${code.replace(/\$\{.*\}/, '…')}`)
  expect(computed).toEqual([
    // The code is `missing` or `invalid`.
    'src/domain/ucp-checkouts/check-buyer-and-recipient.ts code',
    // The functions that the other places call.
    'src/domain/ucp-checkouts/error-messages.ts code',
    'src/domain/ucp-checkouts/selected-payment-token.ts code',
    // The code is `checkout_completed` or `checkout_canceled`, for example.
    'src/domain/ucp-checkouts/update-checkout.ts `checkout_…`',
    // A page explains why the staff cannot book a time. No answer contains this message.
    'src/interfaces/desk/clicked-time-in-column.ts code',
    // A business refusal, or invalid input of a form or of an imported row.
    'src/protocol/response-envelope.ts code',
  ])
})
