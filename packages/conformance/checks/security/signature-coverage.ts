import { signatureCheck } from './mechanism-check.ts'
import {
  callerWithES256,
  expectAccepted,
  expectRefused,
  probe,
  probeWrite,
  secondsNow,
  signed,
  UNKNOWN_BOOKING,
} from './probe.ts'

const only = { only: 'rest' } as const
const withQuery = { trace: '1' }

/** Each row: the rule, and the part of the request that the signature does not cover. The request has a body. */
const required: [rules: string, component: string][] = [
  ['SIG-002', '@method'],
  ['SIG-003', '@authority'],
  ['SIG-004', '@path'],
  ['SIG-008', 'usp-agent'],
  ['SIG-010', 'idempotency-key'],
  ['SIG-011', 'content-digest'],
  ['SIG-012', 'content-type'],
]

/**
 * Each row: a part of the request, its name in signatures, and the value that the check signs. On purpose, the check
 * sends a request with another value.
 */
const changed: [title: string, component: string, signedValue: string][] = [
  ['method', '@method', 'PUT'],
  ['path', '@path', '/usp/v1/bookings/another/cancel'],
  ['host', '@authority', 'other.example'],
  ['content type', 'content-type', 'application/json; charset=utf-8'],
  ['idempotency key', 'idempotency-key', 'another'],
]

/** Each row: the rule, a part of the title, and a covered part that makes the signature invalid. */
const invalidComponents: [rules: string, title: string, component: [name: string, value: string]][] = [
  ['SIG-036', '@created among its components', ['@created', String(secondsNow())]],
  ['SIG-037', 'a component that it lists twice', ['@method', 'POST']],
]

export const signatureCoverageChecks = [
  signatureCheck(
    'SIG-001 SIG-030',
    'The server accepts an ES256 signature that covers all required components',
    async (c) => {
      expectAccepted(await probeWrite(callerWithES256(c), signed()))
    },
    only,
  ),
  ...required.map(([rules, component]) =>
    signatureCheck(
      rules,
      `A request counts as unsigned if its signature does not cover ${component}`,
      async ({ sharedPlatform: { caller } }) =>
        expectRefused(await probeWrite(caller, signed({ without: [component] })), 'signature_missing'),
      only,
    ),
  ),
  signatureCheck(
    'SIG-007',
    'A request counts as unsigned if its signature does not cover the query',
    async ({ sharedPlatform: { caller } }) => {
      expectAccepted(await probe(caller, signed(), withQuery))
      expectRefused(await probe(caller, signed({ without: ['@query'] }), withQuery), 'signature_missing')
    },
    only,
  ),
  signatureCheck(
    'SIG-005 SIG-006',
    'A signature may cover @target-uri in addition to the required components, but not instead of them',
    async ({ sharedPlatform: { caller }, target }) => {
      const also: [string, string][] = [
        ['@target-uri', `${target.endpoint('rest')}/bookings/${UNKNOWN_BOOKING}/cancel`],
      ]
      expectAccepted(await probeWrite(caller, signed({ also })))
      for (const without of [['@authority', '@path'], ['@authority'], ['@path']])
        expectRefused(await probeWrite(caller, signed({ also, without })), 'signature_missing')
    },
    only,
  ),
  signatureCheck(
    'SIG-014',
    'The signature of a GET request needs to cover only method, authority, path and USP-Agent',
    async ({ sharedPlatform: { caller } }) => {
      expectAccepted(await probe(caller, signed({ without: ['accept'] })))
      for (const component of ['@method', '@authority', '@path', 'usp-agent'])
        expectRefused(await probe(caller, signed({ without: [component] })), 'signature_missing')
    },
    only,
  ),
  signatureCheck(
    'SIG-013',
    'A signed request with a body but without Content-Digest counts as unsigned',
    async ({ sharedPlatform: { caller } }) =>
      expectRefused(await probeWrite(caller, signed({ digest: () => null })), 'signature_missing'),
    only,
  ),
  signatureCheck(
    'SIG-018',
    'The signature is invalid if the query changed after signing',
    async ({ sharedPlatform: { caller } }) => {
      const options = signed({ without: ['@query'], also: [['@query', '?trace=2']] })
      expectRefused(await probe(caller, options, withQuery), 'signature_invalid')
    },
    only,
  ),
  ...changed.map(([title, component, signedValue]) =>
    signatureCheck(
      'SIG-018',
      `The signature is invalid if the ${title} changed after signing`,
      async ({ sharedPlatform: { caller } }) => {
        const options = signed({ without: [component], also: [[component, signedValue]] })
        expectRefused(await probeWrite(caller, options), 'signature_invalid')
      },
      only,
    ),
  ),
  ...invalidComponents.map(([rules, title, component]) =>
    signatureCheck(
      rules,
      `A signature with ${title} is invalid`,
      async ({ sharedPlatform: { caller } }) =>
        expectRefused(await probeWrite(caller, signed({ also: [component] })), 'signature_invalid'),
      only,
    ),
  ),
]
