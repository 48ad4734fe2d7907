/** The permissions that a buyer can give to a platform or an assistant. The consent page explains each permission. */
export const knownScopes = ['usp:booking', 'usp:history', 'usp:preferences', 'usp:loyalty'] as const

export type Scope = (typeof knownScopes)[number]

export const scopesIn = (list: unknown): Scope[] => {
  const requested = String(list ?? '').split(' ')
  return knownScopes.filter((scope) => requested.includes(scope))
}

export const ASSISTANT_SCOPE: Scope = 'usp:booking'
