/** The members of something that came from elsewhere, none of which is known to be anything; none where it has none. */
export const recordOf = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
