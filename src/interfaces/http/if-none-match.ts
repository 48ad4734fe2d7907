export const isEtagMatch = (known: string | undefined, etag: string) =>
  known === '*' || (known ?? '').split(',').some((one) => strong(one.trim()) === strong(etag))

const strong = (etag: string) => etag.replace(/^W\//, '')
