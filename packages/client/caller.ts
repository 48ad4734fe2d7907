import { type JsonWebKey, randomUUID } from 'node:crypto'
import { omitUndefined } from '../../src/infra/util/omit-undefined.ts'
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
  /** Where the platform publishes its own profile; https, and the same for as long as the key is. */
  platformProfile: string
  /** Private JWK, P-256 or Ed25519. To sign with it, publish its other half in the platform profile. */
  key: JsonWebKey
  /** How the platform proves who it is; `proof` when left out. */
  authentication?: 'signature' | 'proof'
  /** `rest` when left out. */
  binding?: 'rest' | 'mcp'
} & ({ /** Origin of the business. */ baseUrl: string } | { /** Address of its profile. */ profileUrl: string })

export interface CallOptions {
  /** Names the wish, so that wishing again after a crash does not double it. A new UUID when left out. */
  idempotencyKey?: string
  /** The step of the caller that it is a part of, as W3C Trace Context names it. */
  traceparent?: string
  /** What goes along with that. */
  tracestate?: string
}

export type Caller = (route: Route, input: Members, options?: CallOptions) => Promise<Members>

/** Calls any operation of one business, and remembers what the business gave to remember: credentials and a nonce. */
export function callerOf(options: ClientOptions): Caller {
  const key = openKey(options.key)
  const credentials = credentialsOf(key.thumbprint)
  const transport = lazily(() => connect(options, key))
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
        // A credential ends with what it is for; the platform itself is still known there.
        else if (!isUnauthorized(error) || !credentials.drop(resource)) throw error
        return sendOnce()
      }),
    )
    credentials.keep(payload)
    return payload
  }
}

const isUnauthorized = (error: unknown) => error instanceof UspError && error.code === 'authentication_required'

async function connect(options: ClientOptions, key: ReturnType<typeof openKey>): Promise<Transport> {
  const { platformProfile: profile, authentication = 'proof', binding = 'rest' } = options
  const business = 'profileUrl' in options ? options.profileUrl : new URL('/.well-known/usp', options.baseUrl).href
  const endpoint = endpointOf(await fetchProfile(business), binding)
  return { rest: overRest, mcp: overMcp }[binding]({ business, endpoint, profile, key, authentication })
}

/** What it takes long to make is made once, on first use; a failure is not kept. */
function lazily<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined
  return () => {
    made ??= make().catch((error) => {
      made = undefined
      throw error
    })
    return made
  }
}
