import { hash } from 'node:crypto'
import { type Content, Html, html } from '../../../infra/util/html-template.ts'
import { isDecision, isGuide, type Page, pages, plain } from './documentation-pages.ts'
import { render, SITE } from './render-markdown.ts'
import type { Match } from './search.ts'
import { style } from './style.ts'

export const policy = [
  "default-src 'none'",
  `style-src 'sha256-${hash('sha256', style, 'base64')}'`,
  "img-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ')

export const startView = (): string => {
  const all = [...pages().values()]
  return layout(
    'Documentation',
    html`<h1>Documentation</h1>
<ul class="cards"><li><a href="${SITE}/api"><strong>API reference</strong></a><br>Every operation of the REST interface, with a form to try it.</li></ul>
<h2>Guides</h2>
<ul class="cards">${all.filter(isGuide).map((page) => html`<li><a href="${SITE}/${page.path}"><strong>${page.title}</strong></a><br>${firstParagraph(page)}</li>\n`)}</ul>
<h2>For contributors</h2>
${linkList(all.filter((page) => !isGuide(page) && !isDecision(page)))}
<details><summary>Decisions: why the server works as it does</summary>${linkList(all.filter(isDecision))}</details>`,
  )
}

export const pageView = (page: Page): string => layout(page.title, html`<article>${render(page)}</article>`)

export const searchView = (query: string, matches: readonly Match[]): string =>
  layout(
    'Search',
    html`<h1>Search</h1>
<p role="status">${summary(query, matches.length)}</p>
<ol class="cards">${matches.map(({ path, anchor, heading, page, excerpt }) => html`<li><a href="${SITE}/${path}#${anchor}"><strong>${heading}</strong></a>${page !== heading && html` <span class="soft">${page}</span>`}<br>${excerpt}</li>\n`)}</ol>`,
    query,
  )

const summary = (query: string, count: number) =>
  query.trim() === ''
    ? 'Type one word or more.'
    : count === 0
      ? `No page contains “${query}”.`
      : `Best matches for “${query}”:`

const linkList = (some: readonly Page[]): Html =>
  html`<ul>${some.map(({ path, title }) => html`<li><a href="${SITE}/${path}">${title}</a></li>\n`)}</ul>`

const firstParagraph = ({ markdown }: Page): string => {
  const text = plain(markdown.split(/\n{2,}/).find((block) => /^[A-Z[]/.test(block)) ?? '')
  // On a documentation page, a sentence that ends with a colon introduces a list. The start page does not show the
  // list, so it omits this sentence.
  return text.endsWith(':') ? text.slice(0, text.lastIndexOf('. ') + 1) : text
}

const layout = (title: string, body: Content, query = ''): string =>
  html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
${new Html(`<style>${style}</style>`)}
</head>
<body>
<a class="skip" href="#main">Skip to the content</a>
<header><nav aria-label="Documentation"><a href="${SITE}">Documentation</a> <a href="${SITE}/api">API reference</a></nav>
<form action="${SITE}/search" role="search"><label>Search <input type="search" name="q" value="${query}" maxlength="100"></label> <button>Search</button></form></header>
<main id="main">
${body}
</main>
</body>
</html>
`.text
