import type { Binding } from '../../caller/caller.ts'
import type { ProofContents } from '../../caller/possession-proof.ts'
import { proofCheck } from './mechanism-check.ts'
import { expectRefused, probe, secondsNow } from './probe.ts'

/** The rules, a part of the title, and contents that make the proof invalid. `only`: the only binding of the rule. */
type InvalidProof = [rules: string, title: string, contents: () => ProofContents, only?: Binding]

const claims = (changed: object) => () => ({ claims: changed })
const header = (changed: object) => () => ({ header: changed })
/** A rate limit can delay the request. Therefore each attempt computes its time anew. */
const timed = (seconds: number) => () => ({
  claims: {
    get iat() {
      return secondsNow() + seconds
    },
  },
})

const invalidProofs: InvalidProof[] = [
  ['POP-016', 'a proof with the typ JWT on REST', header({ typ: 'JWT' }), 'rest'],
  ['POP-016', 'a proof without typ on REST', header({ typ: undefined }), 'rest'],
  ['POP-022', 'a proof with the typ JWT in a tool call', header({ typ: 'JWT' }), 'mcp'],
  ['POP-022', 'a proof without typ in a tool call', header({ typ: undefined }), 'mcp'],
  ['POP-016 POP-053', 'a proof with the typ of a tool call on REST', header({ typ: 'usp-pop+jwt' }), 'rest'],
  ['POP-022 POP-053', 'a proof with the typ of a REST request in a tool call', header({ typ: 'dpop+jwt' }), 'mcp'],
  ['POP-017', 'a proof without htm', claims({ htm: undefined }), 'rest'],
  ['POP-018', 'a proof without htu', claims({ htu: undefined }), 'rest'],
  ['POP-058', 'a proof with another HTTP method in htm', claims({ htm: 'DELETE' }), 'rest'],
  ['POP-059', 'a proof with another host in htu', claims({ htu: 'https://other.example/usp/v1/bookings' }), 'rest'],
  ['POP-023', 'a proof without usp_m', claims({ usp_m: undefined }), 'mcp'],
  ['POP-024', 'a proof without aud', claims({ aud: undefined }), 'mcp'],
  ['POP-026', 'a proof without usp_p', claims({ usp_p: undefined }), 'mcp'],
  ['POP-057 POP-101', 'a proof for another business', claims({ aud: 'https://other.example/.well-known/usp' }), 'mcp'],
  ['POP-060', 'a proof for another tool', claims({ usp_m: 'usp_bookings_cancel' }), 'mcp'],
  ['POP-061', 'a proof with the JSON-RPC method in usp_m', claims({ usp_m: 'tools/call' }), 'mcp'],
  ['POP-062', 'a proof with the digest of other arguments', claims({ usp_p: 'A'.repeat(43) }), 'mcp'],
  ['POP-035', 'a proof without iat', claims({ iat: undefined })],
  ['POP-035', 'a proof with an iat that is a text', () => ({ claims: { iat: String(secondsNow()) } })],
  ['POP-036', 'a proof without jti', claims({ jti: undefined })],
  ['POP-036', 'a proof with an empty jti', claims({ jti: '' })],
  ['POP-036', 'a proof with a jti that is a number', claims({ jti: 17 })],
  ['POP-064', 'a proof that is older than a minute', timed(-64)],
  ['POP-065', 'a proof whose iat is more than a minute in the future', timed(66)],
  ['POP-007', 'a proof with ath in a call without a credential', claims({ ath: 'A'.repeat(43) })],
  ['POP-039', 'a proof with jku in its header', header({ jku: 'https://other.example/keys' })],
  ['POP-039', 'a proof with crit in its header', header({ crit: ['b64'], b64: false })],
]

export const proofContentsChecks = invalidProofs.map(([rules, title, contents, only]) =>
  proofCheck(
    rules,
    `The server refuses ${title}`,
    async ({ sharedPlatform: { caller } }) =>
      expectRefused(await probe(caller, { proof: contents() }), 'pop_proof_invalid'),
    { ...(only && { only }) },
  ),
)
