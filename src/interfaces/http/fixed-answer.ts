import { hash } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { acceptsGzip, gzipped } from './compression.ts'

interface Fixed {
  type: string
  content: Buffer | string
  /** Seconds of max-age: browsers and caches use the answer without a new request. */
  maxAgeSeconds: number
  isPrivate?: boolean
}

/**
 * Serves a fixed answer that is the same for every caller. All requests share one copy in memory, even with many slow
 * readers. Opening a file for each request could use up the file descriptors, and the server could not accept connections.
 */
export function fixedAnswer({ type, content, maxAgeSeconds, isPrivate = false }: Fixed) {
  const bytes = Buffer.from(content)
  const digest = hash('sha256', bytes, 'base64url')
  const cache = {
    'cache-control': `${isPrivate ? 'private' : 'public'}, max-age=${maxAgeSeconds}`,
    vary: 'accept-encoding',
  }
  const gainsByGzip = bytes.length > ONE_PACKET_BYTES && type !== 'image/png'
  let packed: Promise<Buffer> | undefined
  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const isPacked = gainsByGzip && acceptsGzip(request)
    // A different representation needs a different ETag.
    const etag = isPacked ? `"${digest}-gzip"` : `"${digest}"`
    reply.headers({ ...cache, etag })
    if (isEtagMatch(request.headers['if-none-match'], etag)) return reply.code(304).send()
    reply.type(type)
    if (!isPacked) return reply.send(bytes)
    // The first request compresses it, which keeps the start of the server fast.
    packed ??= gzipped(bytes, { level: 9 })
    return reply.header('content-encoding', 'gzip').send(await packed)
  }
}

/** Bytes. Content that fits into one packet does not arrive sooner when it is shorter. */
const ONE_PACKET_BYTES = 1_400

export const isEtagMatch = (knownEtags: string | undefined, etag: string) =>
  knownEtags === '*' || (knownEtags ?? '').split(',').some((one) => strong(one.trim()) === strong(etag))

const strong = (etag: string) => etag.replace(/^W\//, '')
