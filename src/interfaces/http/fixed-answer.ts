import { hash } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { acceptsGzip, gzipped } from './compression.ts'

interface Fixed {
  type: string
  content: Buffer | string
  /** Seconds for which browsers and caches use the answer without a new request (`max-age`). */
  maxAgeSeconds: number
  isPrivate?: boolean
}

/**
 * Returns a handler that sends the same answer to every caller. All requests share one copy in memory, even if many
 * clients read slowly. Opening a file for each request could use up the file descriptors, and the server could then
 * accept no connections.
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
    // The compressed answer and the plain answer need different ETags, because their bytes differ.
    const etag = isPacked ? `"${digest}-gzip"` : `"${digest}"`
    reply.headers({ ...cache, etag })
    if (isEtagMatch(request.headers['if-none-match'], etag)) return reply.code(304).send()
    reply.type(type)
    if (!isPacked) return reply.send(bytes)
    // The content is compressed at the first request and not at the start, so that the server starts fast.
    packed ??= gzipped(bytes, { level: 9 })
    return reply.header('content-encoding', 'gzip').send(await packed)
  }
}

/** Bytes. Shorter content fits into one network packet, so it would not arrive sooner if it were compressed. */
const ONE_PACKET_BYTES = 1_400

export const isEtagMatch = (knownEtags: string | undefined, etag: string) =>
  knownEtags === '*' || (knownEtags ?? '').split(',').some((one) => strong(one.trim()) === strong(etag))

const strong = (etag: string) => etag.replace(/^W\//, '')
