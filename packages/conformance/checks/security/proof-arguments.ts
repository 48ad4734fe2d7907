import { asMembers, type Members } from '../../caller/answer.ts'
import { canonicalJson } from '../../caller/canonical-json.ts'
import { sha256 } from '../../caller/key-pair.ts'
import { requestProof } from '../../caller/possession-proof.ts'
import { proofCheck } from './mechanism-check.ts'
import { expectAccepted, expectRefused, probe, probeWrite, UNKNOWN_BOOKING, unknownCredential } from './probe.ts'
import type { RequestChange } from './request-changes.ts'

const only = { only: 'mcp' } as const
const booking = {
  service_id: 'svc_conformance_unknown',
  slot_id: 'slot_1',
  buyer: { first_name: 'Conformance', last_name: 'Check', email: 'buyer@conformance.example' },
  delivery_address: { street_address: '1 Street', address_locality: 'Town', address_country: 'US' },
}

/**
 * Each row: the rule, a part of the title, and a change of the tool arguments. The suite makes this change after it has
 * created the proof.
 */
const changes: [rules: string, title: string, change: (args: Members, usp: Members) => void][] = [
  ['POP-029', 'the email of the buyer', (args) => Object.assign(args.buyer as Members, { email: 'eve@example.com' })],
  ['POP-029', 'the slot', (args) => Object.assign(args, { slot_id: 'slot_2' })],
  [
    'POP-029',
    'the delivery address',
    (args) => Object.assign(args.delivery_address as Members, { address_locality: 'Elsewhere' }),
  ],
  ['POP-029', 'an additional member', (args) => Object.assign(args, { notes: 'More' })],
  [
    'POP-030',
    'the address of the platform profile',
    (_, usp) => Object.assign(usp, { profile: `${usp.profile}?other` }),
  ],
  ['POP-031', 'the idempotency key', (_, usp) => Object.assign(usp, { idempotency_key: 'another' })],
  ['POP-031', 'the presence of the idempotency key', (_, usp) => delete usp.idempotency_key],
]

/** Each row: the rule, a part of the title, and another spelling of the same arguments. */
const spellings: [rules: string, title: string, spell: (argumentsText: string) => string][] = [
  [
    'POP-033',
    'with another order of members',
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
        expectRefused(await caller.call('book', booking, options), 'pop_proof_invalid')
      },
      only,
    ),
  ),
  proofCheck(
    'POP-032',
    'A proof for a tool call covers the arguments: the expected revision',
    async ({ sharedPlatform: { caller } }) => {
      const change = inArguments((args) => Object.assign(metaOf(args), { if_match: '2' }))
      expectRefused(await probeWrite(caller, { ifMatch: '1', change }), 'pop_proof_invalid')
    },
    only,
  ),
  ...spellings.map(([rules, title, spell]) =>
    proofCheck(
      rules,
      `A proof for a tool call is also valid for the same arguments ${title}`,
      async ({ sharedPlatform: { caller } }) => {
        const change: RequestChange = (request) => {
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
    'The digest of a tool call covers the arguments with `_meta`, but without the member authorization',
    async ({ sharedPlatform: { caller, hosted } }) => {
      const args = { booking_id: UNKNOWN_BOOKING }
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
    'A DPoP header does not authenticate a tool call',
    async ({ target, sharedPlatform: { caller, hosted } }) => {
      const dpop = requestProof(hosted.key, 'POST', target.endpoint('mcp'), {})
      expectRefused(await probe(caller, { authentication: 'none', headers: { dpop } }), 'authentication_required')
    },
    only,
  ),
  proofCheck(
    'POP-015',
    'The server refuses a tool call that declares platform_key_pop but has no proof',
    async ({ sharedPlatform: { caller } }) => {
      const options = { authentication: 'none', mechanism: 'platform_key_pop' } as const
      expectRefused(await probe(caller, options), 'pop_proof_missing')
    },
    only,
  ),
  proofCheck(
    'POP-049 POP-067',
    'The server refuses an unknown credential before it checks the proof',
    async ({ sharedPlatform: { caller } }) => {
      const credential = unknownCredential()
      expectRefused(await probe(caller, { credential }), 'authentication_required')
      expectRefused(await probe(caller, { credential, authentication: 'none' }), 'authentication_required')
      const proof = { change: () => 'garbage' }
      expectRefused(await probe(caller, { credential, proof }), 'authentication_required')
    },
  ),
]

/** Changes the arguments of a tool call after the suite has created the proof. */
function inArguments(change: (args: Members) => void): RequestChange {
  return (request) => {
    const message = JSON.parse(request.body ?? '')
    change(message.params.arguments)
    return { ...request, body: JSON.stringify(message) }
  }
}

function metaOf(args: Members): Members {
  return asMembers(asMembers(args._meta)?.usp) ?? {}
}
