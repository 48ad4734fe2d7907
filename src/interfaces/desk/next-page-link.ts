import type { Localizer } from '../../infra/i18n/localizer.ts'
import { type Content, html } from '../../infra/util/html-template.ts'

interface Pagination {
  has_more: boolean
  cursor: string | null
}

/** Returns a link to the next page of a list. Returns undefined on the last page. */
export function nextPageLink(
  path: string,
  query: URLSearchParams,
  { has_more, cursor }: Pagination,
  { say }: Localizer,
): Content {
  if (!has_more) return undefined
  const next = new URLSearchParams(query)
  next.set('after', cursor ?? '')
  return html`<p><a class="button plain" href="${`${path}?${next}`}">${say('desk.more')}</a></p>`
}

export const NO_MORE: Pagination = { has_more: false, cursor: null }
