import { asMembers, type Members } from '../../caller/answer.ts'
import type { CallOptions } from '../../caller/caller.ts'
import { canonicalJson } from '../../caller/canonical-json.ts'
import { sha256 } from '../../caller/key-pair.ts'
import { requestProof } from '../../caller/possession-proof.ts'
import { proofCheck } from './mechanism-check.ts'
import { expectAccepted, expectRefused, probe, probeWrite, unknownCredential } from './probe.ts'

type Change = NonNullable<CallOptions['change']>

const only = { only: 'mcp' } as const
const booking = {
  service_id: 'svc_conformance_unknown',
  slot_id: 'slot_1',
  buyer: { first_name: 'Conformance', last_name: 'Check', email: 'buyer@conformance.example' },
  delivery_address: { street_address: '1 Street', address_locality: 'Town', address_country: 'US' },
}

/** The rule, the title, and what happens to the arguments of the tool after the proof was made. */
const changes: [rules: string, title: string, change: (args: Members, usp: Members) => void][] = [
  ['POP-029', 'the email of the buyer', (args) => Object.assign(args.buyer as Members, { email: 'eve@example.com' })],
  ['POP-029', 'the slot', (args) => Object.assign(args, { slot_id: 'slot_2' })],
  [
    'POP-029',
    'the delivery address',
    (args) => Object.assign(args.delivery_address as Members, { address_locality: 'Elsewhere' }),
  ],
  ['POP-029', 'an added member', (args) => Object.assign(args, { notes: 'More' })],
  ['POP-030', 'the platform profile', (_, usp) => Object.assign(usp, { profile: `${usp.profile}?other` })],
  ['POP-031', 'the idempotency key', (_, usp) => Object.assign(usp, { idempotency_key: 'another' })],
  ['POP-031', 'a removed idempotency key', (_, usp) => delete usp.idempotency_key],
  ['POP-032', 'the expected revision', (_, usp) => Object.assign(usp, { if_match: '2' })],
]

/** The rule, the title, and the same arguments in another spelling. */
const spellings: [rules: string, title: string, spell: (argumentsText: string) => string][] = [
  [
    'POP-033',
    'in another order of members',
    (text) => text.replace(/^\{"booking_id":("[^"]*"),(.*)\}$/, '{$2,"booking_id":$1}'),
  ],
  ['POP-033', 'with white space', (text) => text.replace('{"booking_id":', '{ "booking_id" :\n\t')],
  ['POP-033', 'with escapes', (text) => text.replace('"bkg_', '"\\u0062kg_')],
  ['POP-034', 'with a number written as 1.0', (text) => text.replace('"count":1', '"count":1.0')],
]

export const proofArgumentsChecks = [
  ...changes.map(([rules, title, change]) =>
    proofCheck(
      rules,
      `A proof for a tool call covers the arguments: ${title}`,
      async ({ sharedPlatform: { caller } }) => {
        const options = { change: inArguments((args) => change(args, metaOf(args))) }
        const answer =
          rules === 'POP-032'
            ? await probeWrite(caller, { ...options, ifMatch: '1' })
            : await caller.call('book', booking, options)
        expectRefused(answer, 'pop_proof_invalid')
      },
      only,
    ),
  ),
  ...spellings.map(([rules, title, spell]) =>
    proofCheck(
      rules,
      `A proof for a tool call stays valid for arguments ${title}`,
      async ({ sharedPlatform: { caller } }) => {
        const change: Change = (request) => {
          const { arguments: args } = JSON.parse(request.body ?? '').params
          const text = JSON.stringify(args)
          return { ...request, body: request.body?.replace(text, () => spell(text)) }
        }
        expectAccepted(await probe(caller, { change }, { count: 1 }))
      },
      only,
    ),
  ),
  proofCheck(
    'POP-027 POP-028',
    'The digest of a tool call is over the arguments with `_meta`, and without the authorization alone',
    async ({ sharedPlatform: { caller, hosted } }) => {
      const args = { booking_id: 'bkg_conformance_unknown' }
      const whole = { ...args, _meta: { usp: { profile: hosted.profile } } }
      const digest = (value: object) => ({ claims: { usp_p: sha256(canonicalJson(value)).toString('base64url') } })
      expectAccepted(await probe(caller, { proof: digest(whole) }))
      const wrong = [args, { ...args, _meta: {} }, { ...args, _meta: { usp: {} } }]
      for (const value of [...wrong, { name: 'usp_bookings_get', arguments: whole }])
        expectRefused(await probe(caller, { proof: digest(value) }), 'pop_proof_invalid')
    },
    only,
  ),
  proofCheck(
    'POP-014',
    'A DPoP header of a tool call authenticates nothing',
    async ({ target, sharedPlatform: { caller, hosted } }) => {
      const dpop = requestProof(hosted.key, 'POST', target.endpoint('mcp'), {})
      expectRefused(await probe(caller, { authentication: 'none', headers: { dpop } }), 'authentication_required')
    },
    only,
  ),
  proofCheck(
    'POP-015',
    'A tool call that declares platform_key_pop without a proof is refused',
    async ({ sharedPlatform: { caller } }) => {
      const options = { authentication: 'none', mechanism: 'platform_key_pop' } as const
      expectRefused(await probe(caller, options), 'pop_proof_missing')
    },
    only,
  ),
  proofCheck(
    'POP-049 POP-067',
    'The server refuses an unknown credential first, with or without a proof',
    async ({ sharedPlatform: { caller } }) => {
      const credential = unknownCredential()
      expectRefused(await probe(caller, { credential }), 'authentication_required')
      expectRefused(await probe(caller, { credential, authentication: 'none' }), 'authentication_required')
      const proof = { change: () => 'garbage' }
      expectRefused(await probe(caller, { credential, proof }), 'authentication_required')
    },
  ),
]

/** Changes the arguments of a tool call after the proof was made. */
function inArguments(change: (args: Members) => void): Change {
  return (request) => {
    const message = JSON.parse(request.body ?? '')
    change(message.params.arguments)
    return { ...request, body: JSON.stringify(message) }
  }
}

function metaOf(args: Members): Members {
  return asMembers(asMembers(args._meta)?.usp) ?? {}
}
