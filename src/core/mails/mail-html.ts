import type { Localizer } from '../../infra/i18n/localizer.ts'
import { type Accent, accentOf, DEFAULT_ACCENT } from '../../infra/util/accent-color.ts'
import { type Content, Html, html } from '../../infra/util/html-template.ts'
import type { BusinessDefinition } from '../../protocol/types.generated.ts'
import { legalLinks } from '../business/business-links.ts'
import { contactChannelsOf } from '../business/contact-channels.ts'
import type { NotificationText } from './notification-text.ts'

/**
 * Writes the HTML of a mail with tables and inline styles, because many mail programs support no other layout. The CSS
 * classes are for mail programs with a dark mode.
 */
export function mailHtml(letter: NotificationText, definition: BusinessDefinition, localizer: Localizer): string {
  const accent = accentOf(definition.website?.accent ?? DEFAULT_ACCENT)
  const { heading, paragraphs, rows = [], actions = [] } = letter
  const [main, ...others] = actions
  return html`<!doctype html>
<html lang="${localizer.locale}" dir="${localizer.direction}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<meta name="format-detection" content="telephone=no, date=no, address=no">
<title>${letter.subject}</title>
${new Html(`<style>${darkStyle(accent)}</style>`)}
</head>
<body class="ground" style="${styles.body}">
<div style="${styles.preview}">${paragraphs[0] ?? heading}</div>
<table role="presentation" class="ground" width="100%" cellpadding="0" cellspacing="0" border="0" style="${styles.ground}"><tr><td align="center" style="padding:24px 12px">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" style="max-width:560px">
<tr><td class="ink" style="${styles.name}"><div role="banner">${sender(definition)}</div></td></tr>
<tr><td class="paper ink" style="${styles.paper}"><div role="main">
<h1 class="ink" style="${styles.heading}">${heading}</h1>
${paragraphs.map((text) => html`<p class="ink" style="${styles.paragraph}">${text}</p>\n`)}
${rows.length > 0 && table(rows)}
${main && button(main, accent)}
${others.map(({ label, url }) => html`<p style="${styles.paragraph}"><a class="link" href="${url}" style="color:${accent.light.accent}">${label}</a></p>\n`)}
</div></td></tr>
<tr><td class="soft" style="${styles.footer}"><div role="contentinfo">${footer(definition, localizer)}</div></td></tr>
</table>
</td></tr></table>
</body>
</html>
`.text
}

/**
 * The head of a mail: the logo of the business, or its name. If a mail program blocks images, the name appears instead
 * of the logo.
 */
function sender({ business: { name }, website }: BusinessDefinition): Content {
  const { logo } = website ?? {}
  return logo === undefined ? name : html`<img src="${logo}" alt="${name}" height="48" style="${styles.logo}">`
}

const table = (rows: NonNullable<NotificationText['rows']>) => html`
<table width="100%" cellpadding="0" cellspacing="0" border="0" style="${styles.rows}">
${rows.map(
  ([name, value]) => html`<tr>
<th class="soft line" scope="row" style="${styles.rowName}">${name}</th>
<td class="ink line" style="${styles.rowValue}"><bdi>${value}</bdi></td>
</tr>
`,
)}</table>
`

/**
 * A link in a mail that looks like a button. The table cell also has the colour of the button, because some mail
 * programs do not colour links.
 */
const button = ({ label, url }: { label: string; url: string }, { light }: Accent) => html`
<table role="presentation" cellpadding="0" cellspacing="0" border="0" style="${styles.buttonTable}"><tr>
<td class="button" align="center" bgcolor="${light.accent}" style="border-radius:8px;background:${light.accent}">
<a class="button" href="${url}" style="${styles.button};background:${light.accent};color:${light.on}">${label}</a>
</td></tr></table>
`

const footer = (definition: BusinessDefinition, localizer: Localizer) =>
  [definition.business.name, ...waysAsMarkup(definition), ...legalAsMarkup(definition, localizer)].map((one, index) => [
    index > 0 && html`<br>\n`,
    one,
  ])

/**
 * The contact data of the business at the end of a mail. Each text is isolated in HTML, because a text in a
 * right-to-left script could otherwise move the punctuation of the next text.
 */
const waysAsMarkup = (definition: BusinessDefinition): Content[] =>
  contactChannelsOf(definition).map(({ text, href }) =>
    href === undefined ? html`<bdi>${text}</bdi>` : softLink(text, href),
  )

function legalAsMarkup(definition: BusinessDefinition, localizer: Localizer): Content[] {
  const links = legalLinks(definition, localizer).map(({ text, url }) => softLink(text, url))
  return links.length > 0 ? [links.map((link, index) => [index > 0 && ' · ', link])] : []
}

const softLink = (text: string, url: string): Content =>
  html`<a href="${url}" class="soft" style="color:#5a5866"><bdi>${text}</bdi></a>`

const FONT = "font-family:system-ui,-apple-system,'Segoe UI',Roboto,'Helvetica Neue',Arial,sans-serif"
const INK = '#1c1b22'
const SOFT = '#5a5866'
const LINE = '#d9d7e0'
const GROUND = '#f3f2f6'

/**
 * The inline styles of a mail. The value `start` aligns a text by the writing direction of its language. Mail programs
 * without support for `start` use the direction of the text.
 */
const styles = {
  body: `margin:0;padding:0;background:${GROUND};color:${INK}`,
  preview: 'display:none;max-height:0;overflow:hidden;mso-hide:all',
  ground: `background:${GROUND}`,
  name: `${FONT};padding:0 4px 16px;color:${INK};font-size:16px;font-weight:600;text-align:start`,
  logo: 'display:block;height:48px;max-width:240px;border:0',
  paper: `${FONT};padding:28px 24px;background:#ffffff;border:1px solid ${LINE};border-radius:12px;text-align:start`,
  heading: `margin:0 0 16px;color:${INK};font-size:22px;line-height:1.3;font-weight:600`,
  paragraph: `margin:0 0 12px;color:${INK};font-size:16px;line-height:1.5;white-space:pre-line;overflow-wrap:anywhere`,
  rows: 'margin:16px 0;border-collapse:collapse',
  rowName: `padding:8px 0;padding-inline-end:16px;border-bottom:1px solid ${LINE};color:${SOFT};font-size:15px;line-height:1.4;font-weight:400;text-align:start;vertical-align:top;white-space:nowrap`,
  rowValue: `width:100%;padding:8px 0;border-bottom:1px solid ${LINE};color:${INK};font-size:15px;line-height:1.4;text-align:start;vertical-align:top;white-space:pre-line;overflow-wrap:anywhere`,
  buttonTable: 'margin:24px 0 16px',
  button:
    'display:inline-block;padding:14px 24px;border-radius:8px;font-size:16px;font-weight:600;line-height:1.25;text-decoration:none',
  footer: `${FONT};padding:16px 4px 0;color:${SOFT};font-size:13px;line-height:1.6;text-align:start`,
}

const darkStyle = ({ dark }: Accent): string => `:root{color-scheme:light dark;supported-color-schemes:light dark}
@media (prefers-color-scheme:dark){
.ground{background:#15141b!important}
.paper{background:#211f2a!important;border-color:#45424f!important}
.ink{color:#f1eff7!important}
.soft{color:#b9b5c6!important}
.line{border-color:#45424f!important}
.link{color:${dark.accent}!important}
.button{background:${dark.accent}!important;color:${dark.on}!important}
}`
