import { asMembers, type Members } from '../../caller/answer.ts'
import { canonicalJson } from '../../caller/canonical-json.ts'
import { sha256 } from '../../caller/key-pair.ts'
import { operations } from '../../caller/operations.ts'
import { codeOf, isNotFound, jsonOf, listOf, success, withCode, withProfile } from '../answers.ts'
import type { Fault, RawAnswer, SeenCall } from '../fault.ts'

/** A result with the booking that the call names. If the call names none, the booking has a made-up id. */
const booking = ({ input }: SeenCall) => ({ booking: { id: input.booking_id ?? 'bkg_1', status: 'confirmed' } })

/** Replaces a refusal with this code by a success, as if the server forgot to check the call. */
const accepts =
  (code: string, isMet: (call: SeenCall) => boolean = () => true) =>
  (answer: RawAnswer, call: SeenCall): RawAnswer | undefined =>
    codeOf(answer, call) === code && isMet(call) ? success(answer, call, booking(call)) : undefined

/** The claims of the possession proof of a call. */
function claimsOf({ headers, input }: SeenCall): Members {
  const authorization = asMembers(asMembers(asMembers(input._meta)?.usp)?.authorization)
  const proof = headers.dpop ?? authorization?.proof
  const [, payload = ''] = String(proof).split('.')
  return jsonOf(Buffer.from(payload, 'base64url').toString())
}

const isScoped = ({ headers, input }: SeenCall) =>
  headers.authorization?.startsWith('DPoP ') === true || JSON.stringify(input).includes('booking_scoped_credential')

/** The correct digest of the tool arguments, which the claim `usp_p` of a proof must contain. */
function digestOf({ input }: SeenCall): string {
  const meta = asMembers(input._meta)
  const { authorization, ...usp } = asMembers(meta?.usp) ?? {}
  return sha256(canonicalJson({ ...input, _meta: { ...meta, usp } })).toString('base64url')
}

export const securityFaults: Fault[] = [
  { name: 'A possession proof can be used twice', only: ['POP'], answer: accepts('pop_proof_replayed') },
  { name: 'The server accepts an expired signature', only: ['SIG'], answer: accepts('signature_expired') },
  {
    name: 'The server accepts a proof for another path',
    only: ['POP'],
    answer: accepts('pop_proof_invalid', (call) => {
      const { htu } = claimsOf(call)
      return typeof htu === 'string' && URL.canParse(htu) && new URL(htu).pathname !== call.path.split('?')[0]
    }),
  },
  {
    name: 'The server does not check the age of a proof',
    only: ['POP'],
    answer: accepts('pop_proof_invalid', (call) => {
      const { iat } = claimsOf(call)
      return typeof iat === 'number' && Date.now() / 1000 - iat > 60
    }),
  },
  {
    name: 'A proof for a tool call covers the name of the tool, but not its arguments',
    only: ['POP'],
    answer: accepts('pop_proof_invalid', (call) => {
      const { usp_m, usp_p } = claimsOf(call)
      const isTool = call.operation !== undefined && operations[call.operation].tool === usp_m
      return isTool && typeof usp_p === 'string' && usp_p !== digestOf(call)
    }),
  },
  {
    name: 'The server accepts a body that does not match its digest',
    only: ['SIG'],
    answer: accepts('digest_mismatch'),
  },
  {
    name: 'A call without credentials gets HTTP 403',
    only: ['AUT', 'ERR'],
    answer: (answer, call) =>
      codeOf(answer, call) === 'authentication_required'
        ? withCode(answer, call, 'authentication_required', 403)
        : undefined,
  },
  {
    name: 'A refusal has no header WWW-Authenticate',
    only: ['AUT', 'POP'],
    answer: (answer) => {
      const { 'www-authenticate': challenge, ...headers } = answer.headers
      return challenge ? { ...answer, headers } : undefined
    },
  },
  {
    name: 'A call about a booking of another platform gets HTTP 403, not HTTP 404',
    only: ['AUT', 'BSC', 'LIV'],
    operations: ['getBooking', 'cancelBooking', 'reschedule', 'updateBooking'],
    answer: (answer, call) => (isNotFound(answer, call) ? withCode(answer, call, 'not_authorized', 403) : undefined),
  },
  {
    name: 'Public operations refuse a caller with a token',
    only: ['AUT', 'CAT'],
    instead: ({ binding, operation, headers }) =>
      binding === 'rest' && operation && operations[operation].access === 'public' && headers.authorization
        ? {
            status: 401,
            headers: { 'content-type': 'application/problem+json', 'www-authenticate': 'Bearer' },
            body: JSON.stringify({
              type: 'about:blank',
              title: 'Unauthorized',
              status: 401,
              code: 'authentication_required',
            }),
          }
        : undefined,
  },
  {
    name: 'An unsupported algorithm gets signature_invalid',
    only: ['SIG', 'ERR'],
    answer: (answer, call) =>
      codeOf(answer, call) === 'algorithm_unsupported' ? withCode(answer, call, 'signature_invalid', 401) : undefined,
  },
  {
    name: 'The credential of one booking gives access to the lists of the platform',
    only: ['BSC', 'AUT'],
    operations: ['listWaitlist'],
    answer: (answer, call) =>
      codeOf(answer, call) === 'authentication_required' && isScoped(call)
        ? success(answer, call, { entries: [], pagination: { cursor: null, has_more: false } })
        : undefined,
  },
  {
    name: 'The profile publishes another key than the key of the signatures',
    only: ['SIG', 'EVT'],
    answer: withProfile((profile) => {
      const other = {
        x: 'MKBCTNIcKUSDii11ySs3526iDZ8AiTo7Tu6KPAqv7D4',
        y: '4Etl6SRW2YiLUrN5vfvVHuhp7x8PxltmWWlbbM4IFyM',
      }
      const keys = listOf(profile.keys).map((key) => ({ ...key, ...other }))
      return { ...profile, keys, signing_keys: keys }
    }),
  },
]
