import { hash } from 'node:crypto'
import { notificationAsText } from '../../core/mails/mail-text.ts'
import type { Composed } from '../../core/mails/notification-text.ts'
import { addressOf, type MailRow } from '../../core/mails/queries.ts'
import { textToSend } from '../../core/mails/text-to-send.ts'
import type { StoredTextProvider } from '../../infra/config/text-provider.ts'
import { type Content, Html, html } from '../../infra/util/html-template.ts'
import { style } from './style.ts'

/**
 * The content security policy of the pages that show mails. It allows only the inline style and the frame with the
 * mail.
 */
export const pagePolicy = [
  "default-src 'none'",
  `style-src 'sha256-${hash('sha256', style, 'base64')}'`,
  "frame-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

/**
 * The content security policy of a mail in its frame. Like a mail program, it allows images and styles. It allows no
 * scripts, no forms, and no access to the data of this server's pages.
 */
export const mailPolicy = [
  "default-src 'none'",
  "style-src 'unsafe-inline'",
  'img-src https: data:',
  "form-action 'none'",
  "frame-ancestors 'self'",
  'sandbox allow-popups allow-popups-to-escape-sandbox',
].join('; ')

const SENT = 'The messages that the server sends through SMTP_URL, newest first.'
const KEPT = 'The messages that the server would send, newest first. It keeps them here until SMTP_URL is set.'

export const listView = (mails: readonly { row: MailRow; subject: string | undefined }[], isSent: boolean): string =>
  page(
    'Mails',
    html`<p class="soft">${isSent ? SENT : KEPT}</p>
${
  mails.length === 0
    ? html`<p>There are none yet. Book something.</p>`
    : html`<table>
<thead><tr><th scope="col">To</th><th scope="col">Subject</th><th scope="col">Written</th><th scope="col">Status</th></tr></thead>
<tbody>${mails.map(entry)}</tbody></table>`
}`,
  )

const entry = ({ row, subject }: { row: MailRow; subject: string | undefined }) => html`<tr>
<td>${recipientOf(row)}</td>
<td><a href="/mails/${row.id}">${subject ?? row.kind}</a></td>
<td>${row.created_at.toISOString().replace('T', ' ').slice(0, 16)}</td>
<td>${statusOf(row)}</td>
</tr>
`

export function mailView(
  row: MailRow,
  composed: Composed | undefined,
  textProvider: StoredTextProvider | undefined,
): string {
  const { kind, subject, locale, problem } = row
  const facts = {
    To: recipientOf(row),
    Kind: kind,
    About: subject,
    Language: locale,
    Status: statusOf(row),
    Problem: problem,
  }
  const title = composed?.letter.subject ?? kind
  return page(
    title,
    html`<p><a href="/mails">All mails</a></p>
<dl>${Object.entries(facts).map(([name, value]) => value !== null && html`<div><dt>${name}</dt><dd>${value}</dd></div>\n`)}</dl>
${composed ? parts(row, composed, { title, textProvider }) : html`<p>There is nothing to be said any more: this mail is not sent.</p>`}`,
  )
}

function parts(
  row: MailRow,
  composed: Composed,
  { title, textProvider }: { title: string; textProvider: StoredTextProvider | undefined },
): Content {
  const { textMessage } = composed.letter
  if (row.channel !== 'text') return mailParts(row, composed, title)
  return textMessage && html`<pre>${textToSend(textMessage, textProvider)}</pre>`
}

const mailParts = ({ id }: MailRow, { letter, localizer }: Composed, title: string): Content => html`
<iframe src="/mails/${id}/html" title="${title}" sandbox="allow-popups allow-popups-to-escape-sandbox"></iframe>
<h2>As text</h2>
<pre>${notificationAsText(letter, localizer)}</pre>
${
  letter.calendar &&
  html`<h2>Calendar, ${letter.calendar.method}</h2>
<p><a href="/mails/${id}/calendar.ics">calendar.ics</a></p>
<pre>${letter.calendar.text}</pre>`
}`

const recipientOf = (row: MailRow) => addressOf(row) || (row.audience === 'staff' ? 'the staff' : 'a deleted recipient')

const statusOf = ({ status, channel }: MailRow) =>
  `${status.replace('_', ' ')}${{ mail: '', webhook: ' to the webhook', text: ' as a text message' }[channel]}`

const page = (title: string, body: Html): string =>
  html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
${new Html(`<style>${style}</style>`)}
</head>
<body>
<main>
<h1>${title}</h1>
${body}
</main>
</body>
</html>
`.text
