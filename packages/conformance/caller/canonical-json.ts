/**
 * Converts a JSON value to its canonical form (RFC 8785). The proof of an MCP tool call contains a digest of this form.
 */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map((item) => canonicalJson(item ?? null)).join(',')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const members = Object.entries(value).filter(([, member]) => member !== undefined)
  // RFC 8785 sorts member names by UTF-16 code units. JavaScript compares strings in the same way.
  const sorted = members.toSorted(([a], [b]) => (a < b ? -1 : 1))
  return `{${sorted.map(([name, member]) => `${JSON.stringify(name)}:${canonicalJson(member)}`).join(',')}}`
}
