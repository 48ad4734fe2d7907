import { hash } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { acceptsGzip, gzipped } from './compression.ts'

interface Fixed {
  type: string
  content: Buffer | string
  /** For how many seconds browsers and caches may reuse the answer without a new request (`max-age`). */
  maxAgeSeconds: number
  isPrivate?: boolean
}

/**
 * Returns a handler that sends the same answer to each caller. All requests share one copy in memory, even if many
 * clients read slowly. If the server opened a file for each request, it could run out of file descriptors and accept no
 * more connections.
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
    // Compressed and plain answers consist of different bytes, so they need different ETags.
    const etag = isPacked ? `"${digest}-gzip"` : `"${digest}"`
    reply.headers({ ...cache, etag })
    if (isEtagMatch(request.headers['if-none-match'], etag)) return reply.code(304).send()
    reply.type(type)
    if (!isPacked) return reply.send(bytes)
    // The server compresses the answer at the first request and not when the server starts, because the start must be
    // fast.
    packed ??= gzipped(bytes, { level: 9 })
    return reply.header('content-encoding', 'gzip').send(await packed)
  }
}

/** The number of bytes in one network packet. Compressing a shorter answer would save no packet. */
const ONE_PACKET_BYTES = 1_400

export const isEtagMatch = (knownEtags: string | undefined, etag: string) =>
  knownEtags === '*' || (knownEtags ?? '').split(',').some((one) => strong(one.trim()) === strong(etag))

const strong = (etag: string) => etag.replace(/^W\//, '')
