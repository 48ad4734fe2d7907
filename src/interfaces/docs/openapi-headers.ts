import type { Operation } from '../../protocol/operation.ts'
import { isSigned } from '../rest/sign-answer.ts'

const header = (description: string, type: 'string' | 'integer' = 'string') => ({ description, schema: { type } })

export const answerHeaders = {
  'Content-Digest': header('RFC 9530 digest of the body, where answers are signed.'),
  'DPoP-Nonce': header('The nonce that the next proof must have.'),
  ETag: header('Tag of this answer, for If-None-Match.'),
  'Idempotency-Replayed': header(
    '`true` where this is the stored answer to an earlier call under the same Idempotency-Key.',
  ),
  'RateLimit-Limit': header('How many calls a minute are served.', 'integer'),
  'RateLimit-Remaining': header('How many of them are left.', 'integer'),
  'RateLimit-Reset': header('Seconds until the count starts anew.', 'integer'),
  'Retry-After': header('Seconds until the call may succeed.', 'integer'),
  Signature: header('RFC 9421 signature with a key of the business profile, where the business signs its answers.'),
  'Signature-Input': header('What the signature covers, and its key.'),
  'WWW-Authenticate': header('The mechanisms that are accepted.'),
  'X-Request-Id': header('Names this request in the log of the server.'),
}

type Name = keyof typeof answerHeaders

const ofAll: Name[] = ['RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset', 'X-Request-Id']
const ofProblems: Name[] = [...ofAll, 'Retry-After', 'DPoP-Nonce', 'WWW-Authenticate']

const referred = (names: Name[]) => ({
  headers: Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }])),
})

export const problemHeaders = referred(ofProblems)

export const headersOfAnswer = (operation: Operation) =>
  referred([
    ...ofAll,
    ...(operation.cache ? (['ETag'] as const) : []),
    ...(operation.effect === 'read' ? [] : (['Idempotency-Replayed'] as const)),
    ...(isSigned(operation) ? (['Content-Digest', 'Signature', 'Signature-Input'] as const) : []),
  ])
