import { clientIdsIfMigrated } from '../../core/authentication/api-keys.ts'
import type { Config } from '../../infra/config/read-config.ts'
import type { Database } from '../../infra/db/database.ts'
import { USP } from '../../infra/util/command-line-error.ts'
import type { BusinessDefinition } from '../../protocol/types.generated.ts'

/**
 * The setting `collected_by` names the clients that may collect payments. This function returns names that belong to no
 * known client. They are probably typing errors.
 */
export async function unknownCollectors(
  db: Database,
  { payments: { collected_by = [] } = {}, clients = [] }: BusinessDefinition,
): Promise<string[]> {
  // A name with an @ comes from another issuer of access tokens. Only that issuer can check the name.
  const names = collected_by.filter((one) => one.startsWith('client:') && !one.includes('@'))
  if (names.length === 0) return []
  const known = new Set(
    [...clients.map(({ id }) => id), ...(await clientIdsIfMigrated(db))].map((id) => `client:${id}`),
  )
  return names.filter((one) => !known.has(one))
}

export const unknownCollectorText = (name: string): string =>
  `payments.collected_by names ${name}, but there is no such client. See: ${USP} clients list`

/**
 * Warns if the business uses Stripe, but this process has no Stripe key. The business definition is still valid,
 * because other servers can have the key.
 */
export const missingStripeKeyWarnings = (
  { payments }: BusinessDefinition,
  { stripe }: Pick<Config, 'stripe'>,
): string[] =>
  payments?.provider === 'stripe' && !stripe
    ? ['payments.provider is stripe: servers without STRIPE_SECRET_KEY, as it is here, take no cards.']
    : []
