import { type JsonWebKey, randomUUID } from 'node:crypto'
import { omitUndefined } from '../../src/infra/util/records.ts'
import { withNumbers } from './amounts.ts'
import { credentialsOf } from './credentials.ts'
import { endpointOf, fetchProfile } from './discover.ts'
import { UspError } from './error.ts'
import { openKey } from './key.ts'
import { withRetries } from './retry.ts'
import type { Route } from './route.ts'
import type { Members, Transport } from './transport.ts'
import { overMcp } from './transport-mcp.ts'
import { overRest } from './transport-rest.ts'

export type ClientOptions = {
  /** The https address of the platform's own profile. It must stay the same while the key is in use. */
  platformProfile: string
  /** Private JWK, P-256 or Ed25519. To sign with it, publish its public half in the platform profile. */
  key: JsonWebKey
  /** How the platform authenticates; default `proof`. */
  authentication?: 'signature' | 'proof'
  binding?: 'rest' | 'mcp'
} & ({ /** Origin of the business. */ baseUrl: string } | { /** Address of its profile. */ profileUrl: string })

export interface CallOptions {
  /** Identifies the request: repeating it after a crash has no second effect. Default a new UUID. */
  idempotencyKey?: string
  /** The caller's current span, in W3C Trace Context form. */
  traceparent?: string
  /** The vendor data of the trace, in W3C Trace Context form. */
  tracestate?: string
}

export type Caller = (route: Route, input: Members, options?: CallOptions) => Promise<Members>

/** Calls any operation of one business. Stores the credentials and the nonce that the business issues. */
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
        // A credential ends with its resource; the retry without it uses the platform's own authentication.
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

/** Runs `make` once, on first use. Does not store a failure. */
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
