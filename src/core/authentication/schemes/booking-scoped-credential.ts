import { asRecord } from '../../../infra/util/object-members.ts'
import type { Call } from '../../../protocol/define-operation.ts'
import { ProtocolError } from '../../../protocol/errors.ts'
import { authorizationHeader, declared, type Scheme } from '../authentication-policy.ts'
import { type ScopedCredential, scopedCredential } from '../booking-scoped-credentials.ts'
import { checkProof, missingProof, presentedProof } from '../check-proof-against-call.ts'

/**
 * Authenticates the caller with the credential of one booking or waitlist entry. If the credential is bound to a key,
 * the call must also contain a proof by this key.
 */
export const bookingScopedCredential: Scheme = {
  mechanism: 'booking_scoped_credential',
  async authenticate(attempt) {
    const { call, dependencies, now } = attempt
    const presented = presentedValue(call)
    if (presented === undefined) {
      if (declared(call)?.mechanism === 'booking_scoped_credential') throw unknown()
      return undefined
    }
    const credential = await scopedCredential(dependencies.db, presented.value)
    if (!credential || credential.expires_at <= now) throw unknown({ ended: credential !== undefined })
    const proof = presentedProof(call)
    if (credential.jkt !== null && proof === undefined) throw missingProof()
    if (presented.asBearer || !opens(credential, call)) throw unknown()
    if (proof !== undefined)
      await checkProof(attempt, proof, { value: presented.value, jkt: credential.jkt ?? undefined })
    return { principal: credential.principal }
  },
}

/**
 * Finds the credential of one booking or waitlist entry in a call. A REST call must send the credential as
 * `Authorization: DPoP bsc_…`. The server refuses the credential with any other scheme, such as Bearer.
 */
function presentedValue(call: Call): { value: string; asBearer: boolean } | undefined {
  const credential = call.binding === 'mcp' ? declared(call)?.credential : undefined
  if (credential?.startsWith('bsc_')) return { value: credential, asBearer: false }
  const header = call.binding === 'rest' ? authorizationHeader(call) : undefined
  if (header?.value.startsWith('bsc_')) return { value: header.value, asBearer: header.scheme !== 'dpop' }
}

function opens({ resource_kind, resource_id, scope }: ScopedCredential, { operation, input }: Call): boolean {
  const resource = operation.access === 'privileged_scoped' ? operation.resource?.(asRecord(input)) : undefined
  if (resource?.kind !== resource_kind || resource.id !== resource_id) return false
  return scope === null || scope.includes(operation.tool)
}

const unknown = (details?: { ended: boolean }) =>
  new ProtocolError(
    'authentication_required',
    'The credential is unknown, has expired, or does not allow this call.',
    details,
  )
