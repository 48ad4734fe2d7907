import { readFileSync } from 'node:fs'

/**
 * Joins CSS files. Removes comments and whitespace, because the pages for buyers contain their CSS. The first style
 * rules of the result are the shared ones of `base.css`.
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

/** The CSS of the pages for buyers. */
export const buyerStyle = readCss(new URL('browser/buyer.css', import.meta.url))
