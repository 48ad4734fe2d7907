import type { Operation } from '../../protocol/define-operation.ts'
import { isSigned } from '../rest/serve-rest-operations.ts'

const header = (description: string, type: 'string' | 'integer' = 'string') => ({ description, schema: { type } })

export const answerHeaders = {
  'Content-Digest': header('RFC 9530 digest of the body, if answers are signed.'),
  'DPoP-Nonce': header('The nonce that the next proof must have.'),
  ETag: header('Tag of this answer, to send in If-None-Match.'),
  'Idempotency-Replayed': header(
    '`true` if this is the stored answer to an earlier call with the same Idempotency-Key.',
  ),
  'RateLimit-Limit': header('Number of calls allowed in a minute.', 'integer'),
  'RateLimit-Remaining': header('Number of these calls that are left.', 'integer'),
  'RateLimit-Reset': header('Seconds until the count starts again.', 'integer'),
  'Retry-After': header('Seconds until the call may succeed.', 'integer'),
  Signature: header('RFC 9421 signature with a key of the business profile, if the business signs its answers.'),
  'Signature-Input': header('The signed components, and the key.'),
  'WWW-Authenticate': header('The accepted mechanisms.'),
  'X-Request-Id': header('Identifies this request in the log of the server.'),
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
