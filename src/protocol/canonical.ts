import canonicalize from 'canonicalize'

/** The RFC 8785 form of a value; empty for a value that has none. */
export function canonical(value: unknown): string {
  try {
    return canonicalize(value) ?? ''
  } catch {
    return ''
  }
}
