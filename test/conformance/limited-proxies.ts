import { get } from 'node:https'
import { asMembers, type Members } from '../../packages/conformance/caller/answer.ts'
import type { Algorithm } from '../../packages/conformance/caller/key-pair.ts'
import { jsonOf, listOf, withMember, withProfile } from '../../packages/conformance/mutants/answers.ts'
import type { Fault, RawAnswer, SeenCall } from '../../packages/conformance/mutants/fault.ts'
import type { AcceptedAlgorithms } from '../../packages/conformance/run/accepted-algorithms.ts'

const SERVICE = 'dev.usp-protocol.services'
const none = { only: [] }

/** A server that offers only MCP. */
export const mcpOnly: Fault = {
  ...none,
  name: 'offers only MCP',
  instead: ({ path }) => (path.startsWith('/usp/v1') ? { status: 404, headers: {}, body: '' } : undefined),
  answer: withProfile((profile) =>
    withMember(profile, 'usp', (usp) =>
      withMember(usp, 'services', (services) => ({
        ...services,
        [SERVICE]: listOf(services[SERVICE]).filter(({ transport }) => transport === 'mcp'),
      })),
    ),
  ),
}

/** A server that accepts only these algorithms. Its profile lists the algorithms of proofs, if `lists` is true. */
export const accepting = (accepted: AcceptedAlgorithms, { lists = true } = {}): Fault => ({
  ...none,
  name: 'accepts few algorithms',
  instead: async (call) => {
    const proof = algorithmOfProof(call)
    if (proof && !accepted.proof.includes(proof)) return refusal(call, 'pop_proof_invalid', 401, -32001)
    const signature = await algorithmOfSignature(call)
    const isRefused = signature && !accepted.signature.includes(signature)
    return isRefused ? refusal(call, 'algorithm_unsupported', 400, -32600) : undefined
  },
  answer: withProfile((profile) =>
    withMember(profile, 'authorization', ({ pop_signing_alg_values_supported: _, ...policy }) => ({
      ...policy,
      ...(lists && { pop_signing_alg_values_supported: accepted.proof }),
    })),
  ),
})

/** A server that accepts only signatures of platforms, and neither proofs nor credentials. */
export const signaturesOnly: Fault = {
  ...none,
  name: 'accepts only signatures',
  instead: (call) =>
    algorithmOfProof(call) === undefined ? undefined : refusal(call, 'authentication_required', 401, -32006),
  answer: withProfile((profile) =>
    withMember(profile, 'authorization', (policy) => ({
      ...policy,
      accepted_mechanisms: ['http_message_signature'],
    })),
  ),
}

function refusal({ binding }: SeenCall, code: string, status: number, number: number): RawAnswer {
  const headers = { 'content-type': binding === 'rest' ? 'application/problem+json' : 'application/json' }
  const problem = { type: 'about:blank', title: 'Refused', status, code }
  const error = { jsonrpc: '2.0', id: null, error: { code: number, message: code, data: { code } } }
  return binding === 'rest'
    ? { status, headers, body: JSON.stringify(problem) }
    : { status: 200, headers, body: JSON.stringify(error) }
}

function algorithmOfProof({ headers, input }: SeenCall): Algorithm | undefined {
  const usp = asMembers(asMembers(input._meta)?.usp)
  const proof = headers.dpop ?? asMembers(usp?.authorization)?.proof
  const header = typeof proof === 'string' ? proof.split('.')[0] : undefined
  if (header === undefined) return undefined
  return jsonOf(Buffer.from(header, 'base64url').toString()).alg as Algorithm | undefined
}

/** Reads the key of a signature in the profile of the platform. */
async function algorithmOfSignature({ headers, input }: SeenCall): Promise<Algorithm | undefined> {
  const [, keyid] = /keyid="([^"]+)"/.exec(headers['signature-input'] ?? '') ?? []
  const [, named] = /profile="([^"]+)"/.exec(headers['usp-agent'] ?? '') ?? []
  const address = named ?? asMembers(asMembers(input._meta)?.usp)?.profile
  if (keyid === undefined || typeof address !== 'string') return undefined
  const keys = listOf((await profileAt(address)).keys)
  return keys.find(({ kid }) => kid === keyid)?.alg as Algorithm | undefined
}

function profileAt(address: string): Promise<Members> {
  return new Promise((resolve, reject) => {
    get(address, { rejectUnauthorized: false }, async (answer) => {
      const chunks: Buffer[] = []
      for await (const chunk of answer) chunks.push(chunk)
      resolve(jsonOf(Buffer.concat(chunks).toString()))
    }).once('error', reject)
  })
}
