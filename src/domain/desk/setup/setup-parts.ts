export const versionShape = (description: string) => ({
  type: 'integer',
  minimum: 0,
  maximum: Number.MAX_SAFE_INTEGER,
  description,
})

/** Characters. Far more than any known definition has, and still parsed within a moment. */
export const LONGEST_DEFINITION = 200_000
