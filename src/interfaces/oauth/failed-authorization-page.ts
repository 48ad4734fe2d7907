import type { IncomingHttpHeaders } from 'node:http'
import { html } from '../../infra/util/html-template.ts'
import type { Dependencies } from '../../protocol/dependency-types.ts'
import { localizerOfVisitor } from '../pages/choose-page-language.ts'
import { headersOf, page } from '../pages/page-layout.ts'
import { readQuery } from '../pages/read-form-and-query.ts'

interface Failed {
  status: number
  why: string | undefined
  url: string
  back?: URL
  headers: IncomingHttpHeaders
}

/**
 * The page for an OAuth authorization request that the server cannot process. After such a request, the server shows
 * this page instead of a redirect.
 */
export async function failedPage(
  { status, why = 'It cannot be read.', url, back, headers }: Failed,
  { business }: Dependencies<'business'>,
) {
  const definition = await business.get()
  const query = readQuery(url)
  const localizer = localizerOfVisitor(query.get('lang') ?? undefined, { headers }, definition)
  const { say } = localizer
  const view = {
    status,
    offersLanguages: true,
    title: say('account.link.failed'),
    body: html`<p>${say('account.link.failed.text')}</p>
<p class="soft">${say('account.link.failed.for_app', { why })}</p>
${back && html`<p><a href="${back.href}" rel="noreferrer">${say('booking.back_to', { site: back.host })}</a></p>`}`,
  }
  const looking = { localizer, definition, baseUrl: '', query }
  return { status, headers: headersOf(view, looking), body: page(view, looking) }
}
