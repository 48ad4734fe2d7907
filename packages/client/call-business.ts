import { omitUndefined } from '../../src/infra/util/object-members.ts'
import { type Credentials, credentialsOf } from './booking-credentials.ts'
import { UspError } from './client-errors.ts'
import type { CallOptions, ClientOptions } from './client-options.ts'
import { withNumbers } from './convert-amounts-to-numbers.ts'
import { endpointOf, fetchProfile } from './discover-business.ts'
import type { Route } from './operation-routes.ts'
import { openKey } from './platform-key.ts'
import { withRetries } from './retry-failed-calls.ts'
import type { Members, Transport } from './transport.ts'
import { overMcp } from './transport-mcp.ts'
import { overRest } from './transport-rest.ts'

export type Caller = (route: Route, input: Members, options?: CallOptions) => Promise<Members>

/**
 * Returns a function that calls any operation of one business. The function stores the credentials and the proof nonce
 * that the business issues, and sends them with later calls.
 */
export function callerOf(options: ClientOptions): Caller {
  const connection = once(() => connect(options))
  let nonce: string | undefined

  return async (route, input, { idempotencyKey = crypto.randomUUID(), traceparent, tracestate } = {}) => {
    const trace = traceparent === undefined ? {} : omitUndefined({ traceparent, tracestate })
    const resource = route.resource === undefined ? undefined : input[route.resource]
    const { send, credentials } = await connection()
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

async function connect(options: ClientOptions): Promise<{ send: Transport; credentials: Credentials }> {
  const { platformProfile: profile, authentication = 'proof', binding = 'rest' } = options
  const key = await openKey(options.key)
  const business = 'profileUrl' in options ? options.profileUrl : new URL('/.well-known/usp', options.baseUrl).href
  const endpoint = endpointOf(await fetchProfile(business), binding)
  const send = { rest: overRest, mcp: overMcp }[binding]({ business, endpoint, profile, key, authentication })
  return { send, credentials: credentialsOf(key.thumbprint) }
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
