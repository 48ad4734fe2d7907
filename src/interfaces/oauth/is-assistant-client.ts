import type { Client } from 'oidc-provider'

/**
 * Whether an OAuth client is an assistant. Assistants register without approval and have no secret. Each platform has a
 * secret.
 */
export const isAssistant = ({ clientAuthMethod }: Pick<Client, 'clientAuthMethod'>): boolean =>
  clientAuthMethod === 'none'
