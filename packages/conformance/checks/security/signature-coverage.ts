import type { SignatureOptions } from '../../caller/message-signature.ts'
import { signatureCheck } from './mechanism-check.ts'
import { expectAccepted, expectRefused, probe, probeWrite, secondsNow } from './probe.ts'

const only = { only: 'rest' } as const
const signed = (signature: SignatureOptions = {}) => ({ authentication: 'signature', signature }) as const
const withQuery = { trace: '1' }

/** The rule and the component that the signature of a request with a body and a query leaves out. */
const required: [rules: string, component: string][] = [
  ['SIG-002', '@method'],
  ['SIG-003', '@authority'],
  ['SIG-004', '@path'],
  ['SIG-008', 'usp-agent'],
  ['SIG-010', 'idempotency-key'],
  ['SIG-011', 'content-digest'],
  ['SIG-012', 'content-type'],
]

/** The part of the request that changed after signing, its component, and the value at signing. */
const changed: [title: string, component: string, signedValue: string][] = [
  ['method', '@method', 'PUT'],
  ['path', '@path', '/usp/v1/bookings/another/cancel'],
  ['host', '@authority', 'other.example'],
  ['content type', 'content-type', 'application/json; charset=utf-8'],
  ['idempotency key', 'idempotency-key', 'another'],
]

export const signatureCoverageChecks = [
  signatureCheck(
    'SIG-001 SIG-030',
    'The server accepts an ES256 signature that covers all required components',
    async ({ sharedPlatform: { caller } }) => {
      expectAccepted(await probeWrite(caller, signed()))
    },
    only,
  ),
  ...required.map(([rules, component]) =>
    signatureCheck(
      rules,
      `A signature that does not cover ${component} counts as none`,
      async ({ sharedPlatform: { caller } }) =>
        expectRefused(await probeWrite(caller, signed({ without: [component] })), 'signature_missing'),
      only,
    ),
  ),
  signatureCheck(
    'SIG-007',
    'A signature that does not cover the query counts as none',
    async ({ sharedPlatform: { caller } }) => {
      expectAccepted(await probe(caller, signed(), withQuery))
      expectRefused(await probe(caller, signed({ without: ['@query'] }), withQuery), 'signature_missing')
    },
    only,
  ),
  signatureCheck(
    'SIG-005 SIG-006',
    '@target-uri may stand beside the required components, but not in their place',
    async ({ sharedPlatform: { caller }, target }) => {
      const also: [string, string][] = [
        ['@target-uri', `${target.endpoint('rest')}/bookings/bkg_conformance_unknown/cancel`],
      ]
      expectAccepted(await probeWrite(caller, signed({ also })))
      for (const without of [['@authority', '@path'], ['@authority'], ['@path']])
        expectRefused(await probeWrite(caller, signed({ also, without })), 'signature_missing')
    },
    only,
  ),
  signatureCheck(
    'SIG-014',
    'A signed GET needs only method, authority, path and the agent header covered',
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
  ...(
    [
      ['SIG-036', '@created as a component', ['@created', String(secondsNow())]],
      ['SIG-037', 'a component that is listed twice', ['@method', 'POST']],
    ] as [string, string, [string, string]][]
  ).map(([rules, title, component]) =>
    signatureCheck(
      rules,
      `A signature with ${title} is invalid`,
      async ({ sharedPlatform: { caller } }) =>
        expectRefused(await probeWrite(caller, signed({ also: [component] })), 'signature_invalid'),
      only,
    ),
  ),
]
