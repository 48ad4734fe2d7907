import { parseDictionary } from 'structured-headers'
import { base64url } from '../base64url.ts'
import { digestOf } from '../compute-digest.ts'
import type { SignedMessage } from './read-webhook-request.ts'
import { WebhookError } from './webhook-error.ts'

const algorithms = [
  ['sha-256', 'SHA-256'],
  ['sha-512', 'SHA-512'],
] as const

/** Compares the body with each digest in `Content-Digest` (RFC 9530) that has a safe algorithm. */
export async function checkBodyDigest({ headers, body }: SignedMessage): Promise<void> {
  const sent = digestsIn(headers.get('content-digest') ?? '')
  const known = algorithms.filter(([name]) => sent.has(name))
  if (known.length === 0) throw new WebhookError('malformed', 'Content-Digest has no digest by SHA-256 or SHA-512.')
  for (const [name, algorithm] of known) {
    const [digest] = sent.get(name) ?? []
    if (!(digest instanceof ArrayBuffer) || base64url(digest) !== base64url(await digestOf(body, algorithm)))
      throw new WebhookError('digest_mismatch', 'The body has another digest than Content-Digest.')
  }
}

function digestsIn(header: string) {
  try {
    return parseDictionary(header)
  } catch {
    throw new WebhookError('malformed', 'Content-Digest is not a structured dictionary.')
  }
}
