/** Whether the caller's If-None-Match header contains this ETag. */
export const isKnown = (known: string | undefined, etag: string) =>
  known === '*' || (known ?? '').split(',').some((one) => strong(one.trim()) === strong(etag))

const strong = (etag: string) => etag.replace(/^W\//, '')
