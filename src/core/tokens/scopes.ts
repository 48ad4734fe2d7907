/** What a buyer may let a platform do; each is put into words on the page that asks for it. */
export const knownScopes = ['usp:booking', 'usp:history', 'usp:preferences', 'usp:loyalty'] as const

export type Scope = (typeof knownScopes)[number]

/** Those of a list as it stands in a request, the known ones alone. */
export const scopesIn = (list: unknown): Scope[] => {
  const requested = String(list ?? '').split(' ')
  return knownScopes.filter((scope) => requested.includes(scope))
}

/** What an assistant asks for to begin with. */
export const ASSISTANT_SCOPE: Scope = 'usp:booking'
