import { hash } from 'node:crypto'
import { type Html, html } from './html.ts'
import { style } from './style.ts'

/** One answer to a browser. */
export interface View {
  status: number
  title: string
  body: Html
  /** Whether its form may lead to another site, such as a payment provider's, or one that has no https. */
  leadsOut?: boolean | string
}

/** Written without surrounding space: the policy allows this very text and no other. */
const styleElement = html`<style>${style}</style>`

const policy = (formAction: string) =>
  [
    "default-src 'none'",
    `style-src 'sha256-${hash('sha256', style.text, 'base64')}'`,
    `form-action ${formAction}`,
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ')

const stays = policy("'self'")
// A browser holds the redirect that answers a form to the policy too, and providers have domains of many kinds.
const leadsOut = (to: string | true) => policy(to === true ? "'self' https:" : `'self' https: ${to}`)

export const headersOf = (view: View): Record<string, string> => ({
  'content-security-policy': view.leadsOut ? leadsOut(view.leadsOut) : stays,
  'content-type': 'text/html; charset=utf-8',
})

export function page({ title, body }: View, business: { name: string; url?: string } | undefined): string {
  const { name = 'Booking', url } = business ?? {}
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${title} – ${name}</title>
${styleElement}
</head>
<body>
<header><p>${url !== undefined && /^https?:/i.test(url) ? html`<a href="${url}">${name}</a>` : name}</p></header>
<main>
<h1>${title}</h1>
${body}
</main>
</body>
</html>
`.text
}
