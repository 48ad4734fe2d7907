import { asMembers, type Members } from '../../caller/answer.ts'
import { canonicalJson } from '../../caller/canonical-json.ts'
import { sha256 } from '../../caller/key-pair.ts'
import { operations } from '../../caller/operations.ts'
import type { Fault, RawAnswer, SeenCall } from '../fault.ts'
import { codeOf, isNotFound, jsonOf, success, withCode } from './error-answers.ts'

/** A booking, as far as a refused call names one. */
const booking = ({ input }: SeenCall) => ({ booking: { id: input.booking_id ?? 'bkg_1', status: 'confirmed' } })

/** The server forgot the check whose failure has this code. */
const accepts =
  (code: string, isMet: (call: SeenCall) => boolean = () => true) =>
  (answer: RawAnswer, call: SeenCall): RawAnswer | undefined =>
    codeOf(answer) === code && isMet(call) ? success(answer, call, booking(call)) : undefined

/** The claims of the possession proof of a call. */
function claimsOf({ headers, input }: SeenCall): Members {
  const authorization = asMembers(asMembers(asMembers(input._meta)?.usp)?.authorization)
  const proof = headers.dpop ?? authorization?.proof
  const [, payload = ''] = String(proof).split('.')
  return jsonOf(Buffer.from(payload, 'base64url').toString())
}

const isScoped = ({ headers, input }: SeenCall) =>
  headers.authorization?.startsWith('DPoP ') === true || JSON.stringify(input).includes('booking_scoped_credential')

/** What a proof of the tool call has in `usp_p`. */
function digestOf({ input }: SeenCall): string {
  const meta = asMembers(input._meta)
  const { authorization, ...usp } = asMembers(meta?.usp) ?? {}
  return sha256(canonicalJson({ ...input, _meta: { ...meta, usp } })).toString('base64url')
}

export const securityFaults: Fault[] = [
  { name: 'A possession proof can be used twice', only: ['POP'], answer: accepts('pop_proof_replayed') },
  { name: 'A signature that has expired is accepted', only: ['SIG'], answer: accepts('signature_expired') },
  {
    name: 'A proof for another path is accepted',
    only: ['POP'],
    answer: accepts('pop_proof_invalid', (call) => {
      const { htu } = claimsOf(call)
      return typeof htu === 'string' && URL.canParse(htu) && new URL(htu).pathname !== call.path.split('?')[0]
    }),
  },
  {
    name: 'The age of a proof is not checked',
    only: ['POP'],
    answer: accepts('pop_proof_invalid', (call) => {
      const { iat } = claimsOf(call)
      return typeof iat === 'number' && Date.now() / 1000 - iat > 60
    }),
  },
  {
    name: 'A tool proof covers the name of the tool, not its arguments',
    only: ['POP'],
    answer: accepts('pop_proof_invalid', (call) => {
      const { usp_m, usp_p } = claimsOf(call)
      const isTool = call.operation !== undefined && operations[call.operation].tool === usp_m
      return isTool && typeof usp_p === 'string' && usp_p !== digestOf(call)
    }),
  },
  {
    name: 'A body that does not match its digest is accepted',
    only: ['SIG'],
    answer: accepts('digest_mismatch'),
  },
  {
    name: 'Missing credentials are answered with 403',
    only: ['AUT', 'ERR'],
    answer: (answer, call) =>
      codeOf(answer) === 'authentication_required' ? withCode(answer, call, 'authentication_required', 403) : undefined,
  },
  {
    name: 'A refused proof names no scheme in WWW-Authenticate',
    only: ['AUT', 'POP'],
    answer: (answer) => {
      const { 'www-authenticate': challenge, ...headers } = answer.headers
      return challenge ? { ...answer, headers } : undefined
    },
  },
  {
    name: 'A booking of another platform is answered with 403, not as unknown',
    only: ['AUT', 'BSC', 'LIV'],
    operations: ['getBooking', 'cancelBooking', 'reschedule', 'updateBooking'],
    answer: (answer, call) => (isNotFound(answer) ? withCode(answer, call, 'not_authorized', 403) : undefined),
  },
  {
    name: 'Public operations refuse a caller whose token is wrong',
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
    name: 'An algorithm that is not supported is answered like a wrong signature',
    only: ['SIG', 'ERR'],
    answer: (answer, call) =>
      codeOf(answer) === 'algorithm_unsupported' ? withCode(answer, call, 'signature_invalid', 401) : undefined,
  },
  {
    name: 'A credential of one booking opens the lists of the platform',
    only: ['BSC', 'AUT'],
    operations: ['listWaitlist'],
    answer: (answer, call) =>
      codeOf(answer) === 'authentication_required' && isScoped(call)
        ? success(answer, call, { entries: [], pagination: { cursor: null, has_more: false } })
        : undefined,
  },
  {
    name: 'The profile publishes a key that does not belong to the signatures',
    only: ['SIG', 'EVT'],
    answer: (answer, { path }) => {
      if (!path.startsWith('/.well-known/usp') || answer.status !== 200) return undefined
      const other = {
        x: 'MKBCTNIcKUSDii11ySs3526iDZ8AiTo7Tu6KPAqv7D4',
        y: '4Etl6SRW2YiLUrN5vfvVHuhp7x8PxltmWWlbbM4IFyM',
      }
      const { keys, ...profile } = jsonOf(answer.body)
      const changed = (keys as Members[]).map((key) => ({ ...key, ...other }))
      return { ...answer, body: JSON.stringify({ ...profile, keys: changed, signing_keys: changed }) }
    },
  },
]
