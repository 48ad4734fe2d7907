import { type JsonWebKey, randomUUID } from 'node:crypto'
import { omitUndefined } from '../../src/infra/util/object-members.ts'
import { credentialsOf } from './booking-credentials.ts'
import { UspError } from './client-errors.ts'
import { withNumbers } from './convert-amounts-to-numbers.ts'
import { endpointOf, fetchProfile } from './discover-business.ts'
import type { Route } from './operation-routes.ts'
import { openKey } from './platform-key.ts'
import { withRetries } from './retry-failed-calls.ts'
import type { Members, Transport } from './transport.ts'
import { overMcp } from './transport-mcp.ts'
import { overRest } from './transport-rest.ts'

export type ClientOptions = {
  /**
   * The https address of the platform's own profile. The platform must keep this address as long as it uses the key.
   */
  platformProfile: string
  /**
   * The private key as a JWK, P-256 or Ed25519. The profile of the platform must publish the public key before the
   * platform signs requests.
   */
  key: JsonWebKey
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

export type Caller = (route: Route, input: Members, options?: CallOptions) => Promise<Members>

/**
 * Returns a function that calls any operation of one business. The function stores the credentials and the proof nonce
 * that the business issues, and sends them with later calls.
 */
export function callerOf(options: ClientOptions): Caller {
  const key = openKey(options.key)
  const credentials = credentialsOf(key.thumbprint)
  const transport = once(() => connect(options, key))
  let nonce: string | undefined

  return async (route, input, { idempotencyKey = randomUUID(), traceparent, tracestate } = {}) => {
    const trace = traceparent === undefined ? {} : omitUndefined({ traceparent, tracestate })
    const resource = route.resource === undefined ? undefined : input[route.resource]
    const send = await transport()
    const sendOnce = () =>
      send({ route, input, idempotencyKey, credential: credentials.find(resource, route.tool), nonce, trace })
    const payload = await withRetries(() =>
      sendOnce().catch((error) => {
        if (error instanceof UspError && error.nonce !== undefined) nonce = error.nonce
        // A credential ends with its hold, booking or waitlist entry, and the business then refuses it. In this case,
        // the second attempt sends only the authentication of the platform.
        else if (!isUnauthorized(error) || !credentials.drop(resource)) throw error
        return sendOnce()
      }),
    )
    credentials.keep(payload)
    return withNumbers(payload)
  }
}

const isUnauthorized = (error: unknown) => error instanceof UspError && error.code === 'authentication_required'

async function connect(options: ClientOptions, key: ReturnType<typeof openKey>): Promise<Transport> {
  const { platformProfile: profile, authentication = 'proof', binding = 'rest' } = options
  const business = 'profileUrl' in options ? options.profileUrl : new URL('/.well-known/usp', options.baseUrl).href
  const endpoint = endpointOf(await fetchProfile(business), binding)
  return { rest: overRest, mcp: overMcp }[binding]({ business, endpoint, profile, key, authentication })
}

/**
 * Returns a function that calls `make` only once and then returns the cached promise. If `make` fails, the next call
 * runs it again.
 */
function once<T>(make: () => Promise<T>): () => Promise<T> {
  let promise: Promise<T> | undefined
  return () => {
    promise ??= make().catch((error) => {
      promise = undefined
      throw error
    })
    return promise
  }
}
