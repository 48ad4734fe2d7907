import type { Config } from '../config.ts'
import type { BusinessDefinition } from '../protocol/types.generated.ts'

/** Every mechanism that is implemented; one that is not here cannot be accepted, whatever is configured. */
export const mechanisms = [
  'http_message_signature',
  'platform_key_pop',
  'booking_scoped_credential',
  'api_key',
] as const

export type Mechanism = (typeof mechanisms)[number]

export interface Policy {
  accepted: readonly Mechanism[]
  /** False in a sandbox alone: there privileged calls pass without any proof. */
  required: boolean
  /** Whether a proof must carry a nonce of ours. */
  nonces: boolean
  /** How old, in seconds, the `created` of a request signature may be; any age when undefined. */
  signatureAge: number | undefined
}

/** How callers prove who they are, as the business has it configured. */
export function policyOf(definition: BusinessDefinition | undefined, config: Config): Policy {
  const {
    accepted_mechanisms: wished,
    sandbox = false,
    proof_nonces: nonces = false,
    signature_max_age,
  } = definition?.authorization ?? {}
  return {
    accepted: mechanisms.filter((mechanism) => wished?.includes(mechanism) ?? true),
    required: !(sandbox && config.mode === 'development'),
    nonces,
    signatureAge: signature_max_age,
  }
}
