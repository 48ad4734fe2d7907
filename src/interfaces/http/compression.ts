import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'

/** Compresses bytes with gzip in the thread pool of Node, so that the compression does not block the event loop. */
export const gzipped = promisify(gzip)

export const acceptsGzip = ({ headers }: Pick<FastifyRequest, 'headers'>): boolean =>
  (headers['accept-encoding'] ?? '').split(',').some(isGzip)

function isGzip(accepted: string): boolean {
  const [coding = '', weight = 'q=1'] = accepted.toLowerCase().split(';')
  return coding.trim() === 'gzip' && Number(weight.trim().replace(/^q=/, '')) > 0
}

/**
 * The length from which the server compresses a page, in characters. Compressing a shorter page costs more CPU time
 * than it saves.
 */
const COMPRESSED_FROM_CHARACTERS = 32 * 1024
/**
 * Values of the header `Sec-Fetch-Site` that mean: the request came from a page of this server, or directly from the
 * user.
 */
const OWN_SITES = ['same-origin', 'none']

/**
 * Compresses a large page, unless another site opened the page. Another site can send many requests with guesses in the
 * address. The length of the compressed answers would then reveal which guess equals a secret in the page (BREACH
 * attack).
 */
export async function compressedPage(page: string, reply: FastifyReply): Promise<string | Buffer> {
  const { request } = reply
  const site = String(request.headers['sec-fetch-site'])
  if (page.length < COMPRESSED_FROM_CHARACTERS || !OWN_SITES.includes(site) || !acceptsGzip(request)) return page
  reply.header('content-encoding', 'gzip')
  return gzipped(page, { level: 1 })
}
