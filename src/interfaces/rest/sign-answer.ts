import { contentDigest, signatureHeaders } from '../../core/keys/sign-message.ts'
import { signingKey } from '../../core/keys/signing-keys.ts'
import type { Capability } from '../../protocol/capabilities.ts'
import type { Means } from '../../protocol/means.ts'
import type { Operation } from '../../protocol/operation.ts'

export type SigningMeans = Means<'db' | 'clock' | 'signingBox'>

/** Capabilities whose answers state prices or bookings, and so are signed where the business wants that. */
const signedCapabilities: Capability[] = [
  'dev.usp-protocol.services.catalog',
  'dev.usp-protocol.services.availability',
  'dev.usp-protocol.services.bookings',
  'dev.usp-protocol.services.waitlist',
]

/** Whether what this operation answers is signed where the business wants that. */
export const isSigned = ({ capability }: Operation): boolean => signedCapabilities.includes(capability)

/** Whether the business signs what this operation answers. */
export const signsAnswers = async (operation: Operation, { business }: Means<'business'>): Promise<boolean> =>
  isSigned(operation) && ((await business.get())?.sign_answers ?? false)

/** The headers by which an answer can be held against the business, over the bytes as they are sent. */
export async function answerSignature(
  { status, type, text }: { status: number; type: string; text: string },
  means: SigningMeans,
): Promise<Record<string, string>> {
  const digest = contentDigest(Buffer.from(text))
  const components = { '@status': String(status), 'content-digest': digest, 'content-type': type }
  const now = means.clock()
  return { 'content-digest': digest, ...signatureHeaders(components, await signingKey(means, now), now) }
}
