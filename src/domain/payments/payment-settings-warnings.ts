import { clientIdsIfMigrated } from '../../core/authentication/api-keys.ts'
import type { Config } from '../../infra/config/read-config.ts'
import type { Database } from '../../infra/db/database.ts'
import { USP } from '../../infra/util/command-line-error.ts'
import type { BusinessDefinition } from '../../protocol/types.generated.ts'

/**
 * Returns the names in the setting `collected_by` that belong to no registered client. The setting names the clients
 * that may collect payments, so an unknown name is probably a typing error.
 */
export async function unknownCollectors(
  db: Database,
  { payments: { collected_by = [] } = {}, clients = [] }: BusinessDefinition,
): Promise<string[]> {
  // A name with an @ belongs to a client of another token issuer. This server cannot check such a name.
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
 * Warns if the business uses Stripe, but this process has no Stripe key. This is only a warning, because other servers
 * of the business can have the key.
 */
export const missingStripeKeyWarnings = (
  { payments }: BusinessDefinition,
  { stripe }: Pick<Config, 'stripe'>,
): string[] =>
  payments?.provider === 'stripe' && !stripe
    ? ['payments.provider is stripe: servers without STRIPE_SECRET_KEY, as it is here, take no cards.']
    : []
