import type { FastifyRequest } from 'fastify'
import type { Config } from '../../infra/config/config.ts'

/**
 * Whether a form was sent from a page that is not ours. The secret in the address is what gives the right to; this
 * keeps others from using a buyer's browser all the same. Since our pages send no referrer, their Origin is `null`.
 */
export function isForeign({ headers }: Pick<FastifyRequest, 'headers'>, { baseUrl }: Pick<Config, 'baseUrl'>): boolean {
  const { origin, 'sec-fetch-site': site } = headers
  const isOther = origin !== undefined && origin !== 'null' && origin !== new URL(baseUrl).origin
  return isOther || (site !== undefined && site !== 'same-origin' && site !== 'none')
}
