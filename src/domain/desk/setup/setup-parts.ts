export const versionShape = (description: string) => ({
  type: 'integer',
  minimum: 0,
  maximum: Number.MAX_SAFE_INTEGER,
  description,
})

/** Far more than any business has written yet, and still read within a moment. */
export const LONGEST_DEFINITION = 200_000
