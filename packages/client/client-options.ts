import type { PrivateJwk } from './platform-key.ts'

export type ClientOptions = {
  /**
   * The https address of the platform's own profile. The platform must not change this address while it uses the key.
   */
  platformProfile: string
  /**
   * The private key as a JWK, P-256 or Ed25519. The profile of the platform must publish the public key before the
   * platform signs requests.
   */
  key: PrivateJwk
  /** How the platform proves its identity to the business. The default is `proof`. */
  authentication?: 'signature' | 'proof'
  binding?: 'rest' | 'mcp'
} & ({ /** The web origin of the business. */ baseUrl: string } | { /** The URL of its profile. */ profileUrl: string })

export interface CallOptions {
  /**
   * A key that identifies one change. A repeated call with the same key has no second effect, even after a crash. The
   * default is a new UUID.
   */
  idempotencyKey?: string
  /** The current tracing span of the caller, sent as the header `traceparent` of W3C Trace Context. */
  traceparent?: string
  /** The trace data that tracing vendors add, as the header `tracestate` of W3C Trace Context. */
  tracestate?: string
}
