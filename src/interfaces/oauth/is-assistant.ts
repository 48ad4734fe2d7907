import type { Client } from 'oidc-provider'

/** Nobody let it in, so it has no secret; every platform has one. */
export const isAssistant = ({ clientAuthMethod }: Pick<Client, 'clientAuthMethod'>): boolean =>
  clientAuthMethod === 'none'
