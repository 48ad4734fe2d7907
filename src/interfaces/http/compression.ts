import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'

/** zlib compresses in its thread pool, not in the event loop. */
export const gzipped = promisify(gzip)

export const acceptsGzip = ({ headers }: Pick<FastifyRequest, 'headers'>): boolean =>
  (headers['accept-encoding'] ?? '').split(',').some(isGzip)

function isGzip(accepted: string): boolean {
  const [coding = '', weight = 'q=1'] = accepted.toLowerCase().split(';')
  return coding.trim() === 'gzip' && Number(weight.trim().replace(/^q=/, '')) > 0
}

/** Characters. Compressing a smaller page is not worth a millisecond of CPU time. */
const COMPRESSED_FROM_CHARACTERS = 32 * 1024
/** Values of Sec-Fetch-Site for a request that our own page or the browser's user started. */
const OWN_SITES = ['same-origin', 'none']

/**
 * Compresses a large page unless another site opened it. Otherwise that site could repeat requests with guesses in the
 * address: the compressed length would reveal which guess matches a secret in the page (BREACH).
 */
export async function compressedPage(page: string, reply: FastifyReply): Promise<string | Buffer> {
  const { request } = reply
  const site = String(request.headers['sec-fetch-site'])
  if (page.length < COMPRESSED_FROM_CHARACTERS || !OWN_SITES.includes(site) || !acceptsGzip(request)) return page
  reply.header('content-encoding', 'gzip')
  return gzipped(page, { level: 1 })
}
