import { Marked, type Tokens } from 'marked'
import { Html, html } from '../../../infra/util/html-template.ts'
import { type Page, pages } from './documentation-pages.ts'

export const SITE = '/docs'

/**
 * Renders a documentation page as HTML. HTML tags in the text appear as text, so the browser never executes them. A
 * link to a file outside the site becomes plain text.
 */
export function render({ path, markdown }: Page): Html {
  const anchors = anchorMaker()
  const marked = new Marked({
    gfm: true,
    renderer: {
      html: ({ text }) => html`${text}`.text,
      heading({ tokens, depth, text }) {
        const [level, id] = [new Html(`h${depth}`), anchors(text)]
        return html`<${level} id="${id}">${new Html(this.parser.parseInline(tokens))}</${level}>\n`.text
      },
      link({ href, tokens }) {
        const [text, target] = [new Html(this.parser.parseInline(tokens)), addressOf(href, path)]
        return (target === undefined ? text : html`<a href="${target}">${text}</a>`).text
      },
      image: ({ href, text }: Tokens.Image) => html`<img src="${addressOf(href, path) ?? ''}" alt="${text}">`.text,
      // Wide code and wide tables scroll inside their own boxes. With `tabindex`, people can scroll them with the keyboard.
      code: ({ text }) => html`<pre tabindex="0" role="group" aria-label="Code"><code>${text}</code></pre>\n`.text,
      table(token) {
        const table = tableOf(token, ({ tokens }) => new Html(this.parser.parseInline(tokens)))
        return html`<div class="wide" tabindex="0" role="group" aria-label="Table">${table}</div>\n`.text
      },
    },
  })
  return new Html(marked.parse(markdown, { async: false }))
}

const tableOf = ({ header, rows }: Tokens.Table, inline: (cell: Tokens.TableCell) => Html) =>
  html`<table><thead><tr>${header.map((cell) => html`<th scope="col">${inline(cell)}</th>`)}</tr></thead>
<tbody>${rows.map((row) => html`<tr>${row.map((cell) => html`<td>${inline(cell)}</td>`)}</tr>\n`)}</tbody></table>`

/** Returns the URL of a link's target. Returns undefined if the documentation site does not contain the target page. */
function addressOf(href: string, from: string): string | undefined {
  if (/^https?:|^#/.test(href)) return href
  const { pathname, hash } = new URL(href, `http://site/docs/${from}`)
  if (pathname.startsWith('/docs/images/')) return pathname
  const path = pathname.replace(/^\/docs\//, '').replace(/\.md$/, '')
  return pages().has(path) ? `${SITE}/${path}${hash}` : undefined
}

/**
 * Returns a function that creates the anchor (the `id` attribute) of each heading on a page. The anchors are the same
 * as on GitHub, so that links work on both sites. A repeated heading gets a number at the end of its anchor.
 */
export function anchorMaker() {
  const seen = new Map<string, number>()
  return (heading: string) => {
    const anchor = heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .trim()
      .replace(/\s/g, '-')
    const times = seen.get(anchor) ?? 0
    seen.set(anchor, times + 1)
    return times === 0 ? anchor : `${anchor}-${times}`
  }
}
