import { hash, randomUUID } from 'node:crypto'
import { type Content, html } from '../../infra/util/html.ts'
import type { Dependencies } from '../../protocol/dependencies.ts'
import { openSealed } from '../../protocol/unseal.ts'

/** A form token proves that a browser opened one of our pages at most three hours ago. A hidden field detects bots. */
const SCOPE = 'form of a page'
const TOKEN_LIFETIME_SECONDS = 3 * 3600
/** A faster submission of a form with a name is a bot. */
const LEAST_FILLING_MS = 1_500

const TOKEN = 'form'
/** Name of the hidden field. Bots like to fill it in. */
const TRAP = 'contact_via'

/** A hidden field with a token that is unique for each rendered form. */
export const formToken = ({ cursors, clock }: Dependencies<'cursors' | 'clock'>): Content =>
  html`<input type="hidden" name="${TOKEN}" value="${cursors.seal(SCOPE, [randomUUID()], clock())}">`

/** The digest of the form token, which identifies a rendered form. */
export const digestOfForm = (form: URLSearchParams): string => hash('sha256', form.get(TOKEN) ?? '', 'base64url')

/** The hidden field, invisible to people and to screen readers. */
export const trap = html`<p class="trap" aria-hidden="true"><label for="${TRAP}">Contact via</label>
<input id="${TRAP}" name="${TRAP}" tabindex="-1" autocomplete="off"></p>`

export function isOurForm(
  form: URLSearchParams,
  { cursors, clock }: Dependencies<'cursors' | 'clock'>,
  slowly = false,
): boolean {
  if (form.get(TRAP)) return false
  const [token = '', now] = [form.get(TOKEN) ?? '', clock()]
  const opens = (at: Date, seconds: number) => openSealed(() => cursors.open(SCOPE, token, at, seconds)) !== undefined
  if (!opens(now, TOKEN_LIFETIME_SECONDS)) return false
  return !slowly || !opens(now, LEAST_FILLING_MS / 1000)
}
