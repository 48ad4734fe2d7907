/** The members of a value from an untrusted source, all of unknown type. Empty when the value is not an object. */
export const asRecord = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
