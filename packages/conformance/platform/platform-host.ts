import { randomUUID } from 'node:crypto'
import { createServer, type Server } from 'node:https'
import type { AddressInfo } from 'node:net'
import type { Members } from '../caller/answer.ts'
import type { Identity } from '../caller/caller.ts'
import { KeyPair } from '../caller/key-pair.ts'

export interface ReceivedEvent {
  method: string
  path: string
  headers: Record<string, string>
  body: string
  receivedAt: number
}

/** How the host answers instead of the profile. */
export interface ProfileAnswer {
  /** 200 if absent. */
  status?: number
  /** Headers to add to the usual ones, or to replace. */
  headers?: Record<string, string>
  /** The text to send instead of the profile. */
  body?: string
  /** True if the host accepts the request and never answers. */
  stalls?: boolean
}

export interface HostedPlatform extends Identity {
  /** The profile that the host serves now. A check may change it. */
  document: Members
  /** How the host answers instead, if a check wants another answer than the profile. */
  profileAnswer: ProfileAnswer
  /** What the business sent to the webhook address, the oldest first. */
  events: ReceivedEvent[]
  /** The HTTP status of the next answers to events. */
  answersWith: number
  /** Headers of the next answers to events, such as a `location`. */
  answerHeaders: Record<string, string>
  /** Milliseconds for which the host waits before it answers an event. */
  answersAfter: number
  /** Further JSON documents, by their paths under `address`. The host serves each to every method. */
  documents: Map<string, unknown>
  /** The address of this platform at the host, without a slash at its end. */
  address: string
  /** The address to which the business sends the events. */
  webhookUrl: string
  /** How often the profile was read. */
  reads: number
}

export interface HostOptions {
  certificate: string
  privateKey: string
  /** The address at which the business reaches this host, if not by the address of the host itself. */
  publicUrl: string | undefined
  capabilities: readonly string[]
}

/** Bytes. The host drops the connection of a sender that sends more. */
const MAX_EVENT_BYTES = 1024 * 1024
const VERSION = '2026-08-20'
/** How the host answers, if no check wants something else. */
const plainAnswers = () => ({ profileAnswer: {}, answersWith: 200, answerHeaders: {}, answersAfter: 0 })

/** Serves the profiles of the suite's platforms over HTTPS, and receives the events of the business. */
export class PlatformHost {
  readonly #server: Server
  readonly #platforms = new Map<string, HostedPlatform>()
  readonly #options: HostOptions
  /** A part of the names, because the server may still have the profiles of an earlier run. */
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

  /** One platform for all checks that change nothing, because a server may limit how many profiles it reads. */
  get shared(): HostedPlatform {
    this.#shared ??= this.add()
    return this.#shared
  }

  /** The platform of a client that the business registered. It has the same address in each run with the same port. */
  get ofClient(): HostedPlatform {
    this.#ofClient ??= this.add({ name: 'registered-client' })
    return this.#ofClient
  }

  /**
   * Lends a platform to a check: one that an earlier check gave back, or a new one. A server may limit how many profiles
   * it reads.
   */
  lend(): { platform: HostedPlatform; giveBack: () => void } {
    const platform = this.#idle.shift() ?? this.add()
    const profile = JSON.stringify(platform.document)
    const giveBack = () => {
      if (JSON.stringify(platform.document) !== profile) return
      platform.events.length = 0
      Object.assign(platform, plainAnswers())
      this.#idle.push(platform)
    }
    return { platform, giveBack }
  }

  /** Adds a platform with its own key and profile. */
  add({
    algorithm = 'ES256',
    name = `platform-${this.#runName}-${this.#platforms.size + 1}`,
  }: {
    algorithm?: KeyPair['algorithm']
    name?: string
  } = {}): HostedPlatform {
    const key = new KeyPair(algorithm)
    const address = `${this.#origin}/${name}`
    const webhookUrl = `${address}/events`
    const platform: HostedPlatform = {
      profile: `${address}/profile`,
      key,
      document: profileDocument(this.#options.capabilities, key, webhookUrl),
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

/** A platform profile with each capability that the business offers. */
function profileDocument(capabilities: readonly string[], key: KeyPair, webhookUrl: string): Members {
  const entry = {
    version: VERSION,
    spec: 'https://usp-protocol.dev/specification',
    schema: 'https://usp-protocol.dev/schemas/usp.json',
  }
  return {
    usp: { version: VERSION, capabilities: Object.fromEntries(capabilities.map((name) => [name, [entry]])) },
    keys: [key.published],
    webhook_url: webhookUrl,
  }
}
