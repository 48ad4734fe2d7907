const LONGEST_TAG = 100

/** RFC 4647 lookup: the full tag, then each shorter form of it. */
export function pickText(translations: Record<string, string>, wish: string): string | undefined {
  const byTag = new Map(Object.entries(translations).map(([tag, text]) => [tag.toLowerCase(), text]))
  const parts = wish.slice(0, LONGEST_TAG).toLowerCase().split('-')
  for (let length = parts.length; length > 0; length--) {
    const text = byTag.get(parts.slice(0, length).join('-'))
    if (text !== undefined) return text
  }
}
