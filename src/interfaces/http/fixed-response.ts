import { hash } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { acceptsGzip, gzipped } from './compression.ts'

interface Fixed {
  type: string
  content: Buffer | string
  /** The number of seconds for which browsers and caches may reuse the answer without a new request (`max-age`). */
  maxAgeSeconds: number
  isPrivate?: boolean
}

/**
 * A request handler that sends the same answer to each caller. All requests share one copy of the answer in memory. If
 * the server opened a file for each request, slow clients could use up all file descriptors.
 */
export type FixedAnswer = ReturnType<typeof fixedAnswer>

export function fixedAnswer({ type, content, maxAgeSeconds, isPrivate = false }: Fixed) {
  const bytes = Buffer.from(content)
  const digest = hash('sha256', bytes, 'base64url')
  const cache = {
    'cache-control': `${isPrivate ? 'private' : 'public'}, max-age=${maxAgeSeconds}`,
    vary: 'accept-encoding',
  }
  const gainsByGzip = bytes.length > ONE_PACKET_BYTES && !COMPRESSED_TYPES.includes(type)
  let packed: Promise<Buffer> | undefined
  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const isPacked = gainsByGzip && acceptsGzip(request)
    // Compressed and plain answers consist of different bytes, so they need different ETags (version marks of an
    // answer).
    const etag = isPacked ? `"${digest}-gzip"` : `"${digest}"`
    reply.headers({ ...cache, etag })
    if (isEtagMatch(request.headers['if-none-match'], etag)) return reply.code(304).send()
    reply.type(type)
    if (!isPacked) return reply.send(bytes)
    // The server compresses the answer at the first request. Compression at the start of the server would delay the
    // start.
    packed ??= gzipped(bytes, { level: 9 })
    return reply.header('content-encoding', 'gzip').send(await packed)
  }
}

/**
 * The approximate size of one network packet in bytes. A shorter answer already fits into one packet, so compression
 * would save no packet.
 */
const ONE_PACKET_BYTES = 1_400

export const isEtagMatch = (knownEtags: string | undefined, etag: string) =>
  knownEtags === '*' || (knownEtags ?? '').split(',').some((one) => strong(one.trim()) === strong(etag))

/** File types that are already compressed. The server does not compress them again. */
const COMPRESSED_TYPES = ['image/png', 'font/woff2']

const strong = (etag: string) => etag.replace(/^W\//, '')
