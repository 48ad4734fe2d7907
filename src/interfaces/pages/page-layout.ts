import { hash } from 'node:crypto'
import { isSafeWebUrl } from '../../core/business/contact-channels.ts'
import { isOpenToAssistants, isOpenToBrowsers } from '../../core/business/definition-facts.ts'
import { languages } from '../../infra/i18n/languages.ts'
import type { Localizer } from '../../infra/i18n/localizer.ts'
import { accentOf, DEFAULT_ACCENT } from '../../infra/util/accent-color.ts'
import { localeOf } from '../../infra/util/cached-intl-formatters.ts'
import { type Content, Html, html } from '../../infra/util/html-template.ts'
import { memoize } from '../../infra/util/memoize.ts'
import { ASSISTANT_PATH, LLMS_PATH } from '../../protocol/base-url-paths.ts'
import type { BusinessDefinition } from '../../protocol/types.generated.ts'
import { pictureAddress } from '../assets/demo-pictures.ts'
import { contactList } from './business-contact-links.ts'
import { FONT_LINK } from './font-link.ts'
import { icon } from './icons.ts'
import { legalList } from './policy-and-legal-links.ts'
import { ICON_LINK } from './site-icon.ts'
import { buyerStyle } from './style.ts'

export interface View {
  status: number
  title: string
  /** The visible heading of the page. The default is the title. */
  heading?: Content
  body: Html
  /**
   * The other sites to which forms on the page may redirect. `true` allows any https site, such as a payment provider.
   * A text allows any https site, and also the origin in the text.
   */
  formTargets?: boolean | string
  /**
   * Metadata for search engines and link previews. A page without these metadata tells search engines not to index the
   * page.
   */
  published?: Published
  /** The number of seconds after which the client may try again (header `Retry-After`). */
  retryAfter?: number
  wide?: boolean
  /** Whether an error page links to its versions in other languages. Such links help if the page explains the error. */
  offersLanguages?: boolean
}

interface Published {
  path: string
  description?: string | undefined
  image?: string | undefined
  /** The schema.org data of the page, for search engines. */
  data?: object
}

export type Answer = View | { to: string }

export interface PageViewer {
  localizer: Localizer
  definition: BusinessDefinition | undefined
  baseUrl: string
  /** The query of the page's URL. The links to the other languages of the page contain the same query. */
  query: URLSearchParams
  /**
   * The origins of the websites that may show the page in a frame, such as `https://salon.example`. By default, no
   * other website may show the page in a frame.
   */
  framedBy?: readonly string[]
}

export const SCRIPT = '/assets/pages.js'

/**
 * Returns the style element of a page. The content security policy (CSP) contains a digest of exactly this text.
 * Therefore the element must not add whitespace.
 */
const styleOf = memoize(20, (accent: string) => {
  const { light, dark } = accentOf(accent)
  const text = `${buyerStyle}
:root{--accent:${light.accent};--on-accent:${light.on}}
@media (prefers-color-scheme:dark){:root{--accent:${dark.accent};--on-accent:${dark.on}}}`
  return { element: new Html(`<style>${text}</style>`), digest: hash('sha256', text, 'base64') }
})

const stylesFor = ({ definition }: PageViewer) => styleOf(definition?.website?.accent ?? DEFAULT_ACCENT)

export function headersOf(view: View, looking: PageViewer): Record<string, string> {
  const { formTargets, retryAfter } = view
  // Browsers apply this policy also to the redirect after a form. Payment providers use many domains, so the policy can
  // allow any https site.
  const forms =
    formTargets === undefined || formTargets === false
      ? "'self'"
      : `'self' https:${formTargets === true ? '' : ` ${formTargets}`}`
  const { framedBy = [] } = looking
  const policy = [
    "default-src 'none'",
    `style-src 'sha256-${stylesFor(looking).digest}'`,
    "script-src 'self'",
    "connect-src 'self'",
    "font-src 'self'",
    // The policy for images allows `'self'` in addition to `https:`, because this server sends the icon and may run
    // without https.
    "img-src 'self' https: data:",
    `form-action ${forms}`,
    "base-uri 'none'",
    `frame-ancestors ${framedBy.length > 0 ? `'self' ${framedBy.join(' ')}` : "'none'"}`,
  ].join('; ')
  return {
    'content-security-policy': policy,
    'content-type': 'text/html; charset=utf-8',
    'content-language': looking.localizer.language,
    ...(retryAfter !== undefined && { 'retry-after': String(retryAfter) }),
  }
}

export function page(view: View, looking: PageViewer): string {
  const { localizer, definition } = looking
  const { say } = localizer
  const name = definition?.business.name ?? say('page.untitled')
  return html`<!doctype html>
<html lang="${localizer.locale}"${localizer.direction === 'rtl' && html` dir="rtl"`}>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${view.title} – ${name}</title>
${view.published ? published(view, view.published, looking) : html`<meta name="robots" content="noindex">`}
${FONT_LINK}
${stylesFor(looking).element}
${ICON_LINK}
<script type="module" src="${SCRIPT}"></script>
</head>
<body>
<a class="skip" href="#main">${say('page.skip')}</a>
<header>${brand(name, looking)}</header>
<main id="main"${view.wide && html` class="wide"`}>
<h1>${view.heading ?? view.title}</h1>
${view.body}
</main>
<footer>
${contactList(definition, say('page.contact'))}
${definition && html`<ul><li><a href="/my" target="_top">${say('my.title')}</a></li></ul>`}
${legalList(definition, localizer)}
${offersLanguages(view) && languageList(looking)}
</footer>
</body>
</html>
`.text
}

function brand(name: string, { definition }: PageViewer): Content {
  const { logo } = definition?.website ?? {}
  const url = definition && isOpenToBrowsers(definition) ? '/book' : definition?.business.url
  const shown = logo === undefined ? name : html`<img src="${pictureAddress(logo)}" alt="" height="40">${name}`
  return html`<p class="brand">${isSafeWebUrl(url) || url === '/book' ? html`<a href="${url}">${shown}</a>` : shown}</p>`
}

function published(
  { title }: View,
  { path, description, image, data }: Published,
  { baseUrl, definition, localizer, query }: PageViewer,
): Content {
  const plain = baseUrl + path
  // If the page has a language in its URL, the canonical URL contains this language too.
  const address = query.has('lang') ? `${plain}?lang=${localizer.language}` : plain
  return html`<link rel="canonical" href="${address}">
${
  definition &&
  isOpenToAssistants(definition) &&
  html`<link rel="alternate" type="text/markdown" href="${baseUrl}${LLMS_PATH}" title="For assistants: MCP at ${baseUrl}${ASSISTANT_PATH}">
`
}<link rel="alternate" hreflang="x-default" href="${plain}">
${Object.keys(languages).map(
  (one) => html`<link rel="alternate" hreflang="${one}" href="${plain}?lang=${one}">
`,
)}<meta property="og:type" content="website">
<meta property="og:title" content="${title}">
<meta property="og:url" content="${address}">
<meta property="og:locale" content="${territoryLocale(localizer.locale)}">
${
  description !== undefined &&
  html`<meta name="description" content="${description}">
<meta property="og:description" content="${description}">`
}
${image !== undefined && html`<meta property="og:image" content="${image}">`}
${data && new Html(`<script type="application/ld+json">${JSON.stringify(data).replaceAll('<', '\\u003c')}</script>`)}`
}

/**
 * Returns the locale with its most likely territory, such as `de_DE`, because Open Graph (link previews) requires a
 * territory.
 */
function territoryLocale(locale: string): string {
  const { language, region } = localeOf(locale).maximize()
  return `${language}_${region}`
}

/**
 * Whether the page links to its versions in other languages. Most error pages have no such links, because the links
 * would repeat the query that caused the error.
 */
const offersLanguages = ({ status, offersLanguages: explained = false }: View): boolean =>
  explained || status < 400 || status === 409 || status === 410 || status === 422

/**
 * Links to the same page in each language. Each link has only a query and no path, because a request path such as
 * `//host` could lead to another site.
 */
function languageList({ localizer, query }: PageViewer): Content {
  const all = Object.entries(languages)
  if (all.length < 2) return undefined
  const otherParameters = new URLSearchParams(query)
  otherParameters.delete('lang')
  const addressPrefix = otherParameters.size > 0 ? `?${otherParameters}&` : '?'
  const link = (language: string) => `${addressPrefix}lang=${language}`
  return html`<nav class="languages" aria-label="${localizer.say('page.language')}"><details><summary>${icon('globe')}${languages[localizer.language]}</summary>
<ul>
${all.map(([tag, name]) =>
  tag === localizer.language
    ? html`<li><span aria-current="true" lang="${tag}">${name}</span></li>`
    : html`<li><a href="${link(tag)}" lang="${tag}" hreflang="${tag}" rel="nofollow">${name}</a></li>`,
)}
</ul></details></nav>`
}
