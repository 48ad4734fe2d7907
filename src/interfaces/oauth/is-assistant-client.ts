import type { Client } from 'oidc-provider'

/**
 * Whether an OAuth client is an assistant. Assistants register without approval and have no secret. Platforms always
 * have a secret.
 */
export const isAssistant = ({ clientAuthMethod }: Pick<Client, 'clientAuthMethod'>): boolean =>
  clientAuthMethod === 'none'
