/**
 * Measures the cost of verifying a signed request, relative to two of its parts: the verification of a P-256 signature,
 * and the schema check.
 */
import { generateKeyPairSync, hash, sign, verify } from 'node:crypto'
import { httpbis } from 'http-message-signatures'
import type { Attempt } from '../src/core/authentication/authentication-policy.ts'
import { httpMessageSignature } from '../src/core/authentication/schemes/http-message-signature.ts'
import { readConfig } from '../src/infra/config/read-config.ts'
import { checkDigest } from '../src/pipeline/check-content-digest.ts'
import type { Call } from '../src/protocol/define-operation.ts'
import { validatorsOf } from '../src/protocol/operation-validators.ts'
import { operations } from '../src/server/all-operations.ts'
import { checkTarget } from './support/check-target.ts'

const ROUNDS = 5_000
const operation = operations.find(({ id }) => id === 'createFeedSubscription')
if (!operation) throw new Error('The operation to measure with is gone')

const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
const input = { callback_url: 'https://platform.example/hook', categories: ['hair', 'wellness'] }
const body = Buffer.from(JSON.stringify(input))
const target = '/usp/v1/services/feed/subscriptions'
const config = readConfig({})
const headers = {
  host: '127.0.0.1:8080',
  'content-type': 'application/json',
  'usp-agent': 'profile="https://agent.example/profile.json"',
  'idempotency-key': '550e8400-e29b-41d4-a716-446655440000',
  'content-digest': `sha-256=:${hash('sha256', body, 'base64')}:`,
}
const signer = async (data: Buffer) => sign('sha256', data, { key: privateKey, dsaEncoding: 'ieee-p1363' })
const signed = await httpbis.signMessage(
  {
    key: { id: 'k1', sign: signer },
    fields: ['@method', '@authority', '@path', 'usp-agent', 'idempotency-key', 'content-digest', 'content-type'],
    params: ['keyid'],
  },
  { method: 'POST', url: config.baseUrl + target, headers },
)
const keys = [{ ...publicKey.export({ format: 'jwk' }), kid: 'k1' }]
const call = {
  binding: 'rest',
  operation,
  input,
  meta: undefined,
  headers: Object.fromEntries(Object.entries(signed.headers).map(([name, value]) => [name.toLowerCase(), value])),
  http: { method: 'POST', target, body },
  peer: { address: '127.0.0.1' },
  answerHeaders: {},
  agent: {
    url: 'https://agent.example/profile.json',
    profile: { usp: { version: '2026-08-20', capabilities: {} }, keys },
  },
} as unknown as Call
const attempt = { call, dependencies: { config }, policy: {}, now: new Date() } as unknown as Attempt

if (!(await httpMessageSignature.authenticate(attempt))) throw new Error('The signed request does not pass')

const data = Buffer.from('x'.repeat(420))
const bare = await signer(data)

const { input: validate } = validatorsOf(operation)
const tasks: Record<string, () => unknown> = {
  verify: () => verify('sha256', data, { key: publicKey, dsaEncoding: 'ieee-p1363' }, bare),
  schema: () => validate(input),
  whole: async () => {
    checkDigest(call)
    await httpMessageSignature.authenticate(attempt)
    validate(input)
  },
}

/** Measures CPU time, because the machine may have other work. */
const spent = (begun: NodeJS.CpuUsage) => {
  const { user, system } = process.cpuUsage(begun)
  return user + system
}

/** The microseconds for one call: the median of nine runs, in which the tasks take turns. */
const runs: Record<string, number[]> = {}
for (let run = 0; run < 9; run++)
  for (const [name, work] of Object.entries(tasks)) {
    const begun = process.cpuUsage()
    for (let round = 0; round < ROUNDS; round++) await work()
    runs[name] = [...(runs[name] ?? []), spent(begun) / ROUNDS]
  }
const median = (name: string) => runs[name]?.sort((one, other) => one - other)[4] ?? 0
const timeText = (name: string) => `${median(name).toFixed(1)} µs`
console.log(
  `P-256 verify ${timeText('verify')}, schema ${timeText('schema')}, whole signed request ${timeText('whole')}`,
)
checkTarget(
  'the whole beside the two',
  median('whole') / (median('verify') + median('schema')),
  { atMost: 1.5 },
  'times',
)
