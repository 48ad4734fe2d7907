import { contentDigest, signatureHeaders } from '../../core/keys/sign-message.ts'
import { signingKey } from '../../core/keys/signing-keys.ts'
import type { Capability } from '../../protocol/capabilities.ts'
import type { Dependencies } from '../../protocol/dependencies.ts'
import type { Operation } from '../../protocol/operation.ts'

export type SigningDependencies = Dependencies<'db' | 'clock' | 'signingBox'>

/** Capabilities whose answers state prices or bookings. The business can have these answers signed. */
const signedCapabilities: Capability[] = [
  'dev.usp-protocol.services.catalog',
  'dev.usp-protocol.services.availability',
  'dev.usp-protocol.services.bookings',
  'dev.usp-protocol.services.waitlist',
]

export const isSigned = ({ capability }: Operation): boolean => signedCapabilities.includes(capability)

export const signsAnswers = async (operation: Operation, { business }: Dependencies<'business'>): Promise<boolean> =>
  isSigned(operation) && ((await business.get())?.sign_answers ?? false)

/** Signature headers over the exact bytes of the answer. A caller can later prove that the business sent it. */
export async function answerSignature(
  { status, type, text }: { status: number; type: string; text: string },
  means: SigningDependencies,
): Promise<Record<string, string>> {
  const digest = contentDigest(Buffer.from(text))
  const components = { '@status': String(status), 'content-digest': digest, 'content-type': type }
  const now = means.clock()
  return { 'content-digest': digest, ...signatureHeaders(components, await signingKey(means, now), now) }
}
