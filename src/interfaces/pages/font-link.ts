import { html } from '../../infra/util/html-template.ts'

/**
 * Lets the browser load the font together with the page. Otherwise the browser finds the font late, and the text of the
 * page moves when the font arrives.
 */
export const FONT_LINK = html`<link rel="preload" href="/assets/geist-latin.woff2" as="font" type="font/woff2" crossorigin>`
