const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

/** Escapes a text for HTML, SVG and XML. XML does not allow control characters, so they become question marks. */
export const escaped = (text: unknown): string =>
  String(text)
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters that XML forbids
    .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, '?')
    .replace(/[&<>"']/g, (character) => ENTITIES[character] ?? character)
