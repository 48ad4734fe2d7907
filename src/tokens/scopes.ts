/** What a buyer can allow a platform, in the words of the page that asks. */
export const scopes = {
  'usp:booking': 'Book for you here, and see, move and cancel what was booked with your account, by whichever app',
  'usp:history': 'See what you booked here in the past',
  'usp:preferences': 'See the people, places and times you prefer',
  'usp:loyalty': 'See what you have earned as a regular',
} as const

export type Scope = keyof typeof scopes

export const knownScopes = Object.keys(scopes) as Scope[]

/** Those of a list as it stands in a request, the known ones alone. */
export const scopesIn = (list: unknown): Scope[] => {
  const requested = String(list ?? '').split(' ')
  return knownScopes.filter((scope) => requested.includes(scope))
}
