import type { Capability } from '../protocol/capabilities.ts'
import type { Operation } from '../protocol/operation.ts'
import type { Runtime } from '../runtime.ts'
import { contentDigest, signatureHeaders } from '../trust/sign-message.ts'
import { signingKey } from '../trust/signing-keys.ts'

/** Where prices and bookings are told of. */
const weighty: Capability[] = [
  'dev.usp-protocol.services.catalog',
  'dev.usp-protocol.services.availability',
  'dev.usp-protocol.services.bookings',
  'dev.usp-protocol.services.waitlist',
]

/** The headers by which an answer can be held against the business, where it wants that; over the bytes as they are sent. */
export async function answerSignature(
  { capability }: Operation,
  { status, type, text }: { status: number; type: string; text: string },
  runtime: Runtime,
): Promise<Record<string, string>> {
  const { business, clock } = runtime
  if (!weighty.includes(capability) || !(await business.get())?.sign_answers) return {}
  const digest = contentDigest(Buffer.from(text))
  const components = { '@status': String(status), 'content-digest': digest, 'content-type': type }
  const key = await signingKey(runtime, clock())
  return { 'content-digest': digest, ...signatureHeaders(components, key, clock()) }
}
