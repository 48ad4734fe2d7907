import { randomUUID } from 'node:crypto'
import { createServer, type Server } from 'node:https'
import type { AddressInfo } from 'node:net'
import type { Members } from '../caller/answer.ts'
import type { Identity } from '../caller/caller.ts'
import { type Algorithm, KeyPair } from '../caller/key-pair.ts'
import { platformProfile } from './platform-profile.ts'

export interface ReceivedEvent {
  method: string
  path: string
  headers: Record<string, string>
  body: string
  receivedAt: number
}

/** An answer that the host sends instead of the profile. */
export interface ProfileAnswer {
  /** The HTTP status. The default is 200. */
  status?: number
  /** Headers that the host adds to the usual headers, or replaces. */
  headers?: Record<string, string>
  /** The text that the host sends instead of the profile. */
  body?: string
  /** True: the host accepts the request and never answers. */
  stalls?: boolean
}

export interface HostedPlatform extends Identity {
  /** The profile that the host serves now. A check may change the profile. */
  document: Members
  /** A special answer to requests for the profile. If this object is empty, the host sends the profile. */
  profileAnswer: ProfileAnswer
  /** The requests that the business sent to the webhook address, the oldest first. */
  events: ReceivedEvent[]
  /** The HTTP status with which the host answers the next events. */
  answersWith: number
  /** Headers of the answers to the next events, such as `location`. */
  answerHeaders: Record<string, string>
  /** Milliseconds that the host waits before it answers an event. */
  answersAfter: number
  /** More JSON documents that the host serves, by their paths under `address`. The HTTP method does not matter. */
  documents: Map<string, unknown>
  /** The address of this platform at the host, without a final slash. */
  address: string
  /** The address that receives the events of the business. */
  webhookUrl: string
  /** How many times the business has read the profile. */
  reads: number
}

export interface HostOptions {
  certificate: string
  privateKey: string
  /** The address at which the business reaches this host. The default is the local address of the host. */
  publicUrl: string | undefined
  capabilities: readonly string[]
}

/** In bytes. The host closes the connection if a request is larger. */
const MAX_EVENT_BYTES = 1024 * 1024
/** The answers of the host if no check wants special answers. */
const plainAnswers = () => ({ profileAnswer: {}, answersWith: 200, answerHeaders: {}, answersAfter: 0 })

/** Serves the profiles of the suite's platforms over HTTPS, and receives the events of the business. */
export class PlatformHost {
  /** The algorithms of the keys of new platforms. */
  algorithms: { proof: Algorithm; signature: Algorithm } = { proof: 'ES256', signature: 'ES256' }
  readonly #server: Server
  readonly #platforms = new Map<string, HostedPlatform>()
  readonly #options: HostOptions
  /** A random part of the platform names. Without it, the server could use cached profiles of an earlier run. */
  readonly #runName = randomUUID().slice(0, 8)
  /** Platforms that no running check uses. */
  readonly #idle: HostedPlatform[] = []
  #shared: HostedPlatform | undefined
  #ofClient: HostedPlatform | undefined
  #origin = ''

  constructor(options: HostOptions) {
    this.#options = options
    this.#server = createServer({ cert: options.certificate, key: options.privateKey }, (request, response) => {
      const [, name = '', document = ''] = /^\/([\w-]+)\/([^?]*)/.exec(request.url ?? '') ?? []
      const platform = this.#platforms.get(name)
      let body = ''
      request.setEncoding('utf8').on('data', (chunk: string) => {
        body += chunk
        if (body.length > MAX_EVENT_BYTES) request.destroy()
      })
      request.on('end', () => {
        if (!platform) return response.writeHead(404).end()
        if (document === 'profile') {
          platform.reads++
          const { status = 200, headers, body: text, stalls = false } = platform.profileAnswer
          if (stalls) return
          response.writeHead(status, {
            'content-type': 'application/json',
            'cache-control': 'public, max-age=60',
            ...headers,
          })
          return response.end(text ?? JSON.stringify(platform.document))
        }
        if (platform.documents.has(document)) {
          response.writeHead(200, { 'content-type': 'application/json' })
          return response.end(JSON.stringify(platform.documents.get(document)))
        }
        platform.events.push({
          method: request.method ?? '',
          path: request.url ?? '',
          headers: Object.fromEntries(Object.entries(request.headers).map(([key, value]) => [key, String(value)])),
          body,
          receivedAt: Date.now(),
        })
        const { answersWith, answerHeaders, answersAfter } = platform
        setTimeout(() => response.writeHead(answersWith, answerHeaders).end(), answersAfter).unref()
        return undefined
      })
    })
  }

  async listen(port = 0): Promise<void> {
    await new Promise<void>((resolve, reject) => this.#server.once('error', reject).listen(port, '127.0.0.1', resolve))
    const local = `https://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
    this.#origin = this.#options.publicUrl?.replace(/\/$/, '') ?? local
  }

  /** One platform for all checks that change nothing. A server may limit how many profiles it reads. */
  get shared(): HostedPlatform {
    this.#shared ??= this.add()
    return this.#shared
  }

  /** The platform of a client that the business registered. If the port is the same, each run uses the same address. */
  get ofClient(): HostedPlatform {
    this.#ofClient ??= this.add({ name: 'registered-client' })
    return this.#ofClient
  }

  /**
   * Lends a platform to a check. Reuses the platforms of earlier checks, the latest first, because a server may limit
   * how many profiles it reads, and caches them only for a minute.
   */
  lend(): { platform: HostedPlatform; giveBack: () => void } {
    const platform = this.#idle.pop() ?? this.add()
    const profile = JSON.stringify(platform.document)
    const giveBack = () => {
      if (JSON.stringify(platform.document) !== profile) return
      platform.events.length = 0
      Object.assign(platform, plainAnswers())
      this.#idle.push(platform)
    }
    return { platform, giveBack }
  }

  /** Adds a platform that has a separate profile, and separate keys. With an algorithm, all its keys have this one. */
  add({
    algorithm,
    name = `platform-${this.#runName}-${this.#platforms.size + 1}`,
  }: {
    algorithm?: Algorithm
    name?: string
  } = {}): HostedPlatform {
    const { proof, signature } = algorithm ? { proof: algorithm, signature: algorithm } : this.algorithms
    const key = new KeyPair(proof)
    // One key for both uses is enough, if the business accepts its algorithm for both.
    const signatureKey = signature === proof ? undefined : new KeyPair(signature)
    const address = `${this.#origin}/${name}`
    const webhookUrl = `${address}/events`
    const platform: HostedPlatform = {
      profile: `${address}/profile`,
      key,
      signatureKey,
      document: platformProfile(this.#options.capabilities, signatureKey ? [key, signatureKey] : [key], webhookUrl),
      ...plainAnswers(),
      events: [],
      documents: new Map(),
      address,
      webhookUrl,
      reads: 0,
    }
    this.#platforms.set(name, platform)
    return platform
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections()
    await new Promise((resolve) => this.#server.close(resolve))
  }
}
