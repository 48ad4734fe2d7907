import type { Client } from 'oidc-provider'

/** Assistants register without approval and have no secret. Every platform has one. */
export const isAssistant = ({ clientAuthMethod }: Pick<Client, 'clientAuthMethod'>): boolean =>
  clientAuthMethod === 'none'
