import { hash, randomUUID } from 'node:crypto'
import { type Content, html } from '../../infra/util/html.ts'
import type { Means } from '../../protocol/means.ts'
import { opened } from '../../protocol/opened.ts'

/** What a form proves: that one of our pages was opened, not long ago, by somebody who does not fill in what cannot be seen. */
const SCOPE = 'form of a page'
const LASTS_SECONDS = 3 * 3600
/** Faster than this nobody writes a name. */
const LEAST_MILLISECONDS = 1_500

const TOKEN = 'form'
/** A name that programs like to fill in. */
const TRAP = 'contact_via'

/** No two forms have the same token. */
export const formToken = ({ cursors, clock }: Means<'cursors' | 'clock'>): Content =>
  html`<input type="hidden" name="${TOKEN}" value="${cursors.seal(SCOPE, [randomUUID()], clock())}">`

/** What tells a form from all others, without which it cannot be sent. */
export const digestOfForm = (form: URLSearchParams): string => hash('sha256', form.get(TOKEN) ?? '', 'base64url')

/** People see nothing of it, nor do screen readers. */
export const trap = html`<p class="trap" aria-hidden="true"><label for="${TRAP}">Contact via</label>
<input id="${TRAP}" name="${TRAP}" tabindex="-1" autocomplete="off"></p>`

export function isOurForm(
  form: URLSearchParams,
  { cursors, clock }: Means<'cursors' | 'clock'>,
  slowly = false,
): boolean {
  if (form.get(TRAP)) return false
  const [token = '', now] = [form.get(TOKEN) ?? '', clock()]
  const opens = (at: Date, seconds: number) => opened(() => cursors.open(SCOPE, token, at, seconds)) !== undefined
  if (!opens(now, LASTS_SECONDS)) return false
  return !slowly || !opens(now, LEAST_MILLISECONDS / 1000)
}
