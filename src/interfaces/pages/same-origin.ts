import type { FastifyRequest } from 'fastify'
import type { Config } from '../../infra/config/config.ts'

/**
 * Whether a form comes from a page of another site. The secret in the URL gives access.
 * This check stops other sites from submitting forms in the browser of a buyer. Our pages send no referrer, so their
 * Origin is `null`.
 */
export function isForeign({ headers }: Pick<FastifyRequest, 'headers'>, { baseUrl }: Pick<Config, 'baseUrl'>): boolean {
  const { origin, 'sec-fetch-site': site } = headers
  const isOther = origin !== undefined && origin !== 'null' && origin !== new URL(baseUrl).origin
  return isOther || (site !== undefined && site !== 'same-origin' && site !== 'none')
}
