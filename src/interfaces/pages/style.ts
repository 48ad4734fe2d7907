import { readFileSync } from 'node:fs'

/**
 * Joins CSS files, with the shared rules of `base.css` at the start. Removes comments and whitespace, because each page
 * for buyers contains its CSS and must stay small.
 */
export function readCss(...files: readonly URL[]): string {
  return [new URL('browser/base.css', import.meta.url), ...files]
    .map((file) => readFileSync(file, 'utf8'))
    .join('')
    .replace(/\/\*.*?\*\//gs, '')
    .replace(/\s+/g, ' ')
    .replace(/ ?([{};]) ?|(?<=[,:]) /g, '$1')
    .trim()
}

export const buyerStyle = readCss(new URL('browser/buyer.css', import.meta.url))
