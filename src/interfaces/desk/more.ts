import type { Speech } from '../../infra/i18n/speech.ts'
import { type Content, html } from '../../infra/util/html.ts'

interface Pagination {
  has_more: boolean
  cursor: string | null
}

/** Leads to what comes after this page of a list, where something does. */
export function moreOf(
  path: string,
  query: URLSearchParams,
  { has_more, cursor }: Pagination,
  { say }: Speech,
): Content {
  if (!has_more) return undefined
  const next = new URLSearchParams(query)
  next.set('after', cursor ?? '')
  return html`<p><a class="button plain" href="${`${path}?${next}`}">${say('desk.more')}</a></p>`
}

export const NO_MORE: Pagination = { has_more: false, cursor: null }
