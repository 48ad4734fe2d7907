import { hash, randomUUID } from 'node:crypto'
import { type Content, html } from '../../infra/util/html-template.ts'
import type { Dependencies } from '../../protocol/dependency-types.ts'
import { openSealed } from '../../protocol/open-sealed-content.ts'

/**
 * The purpose of the token in each form. The token proves that the browser opened a page of this server in the last
 * three hours.
 */
const SCOPE = 'form of a page'
const TOKEN_LIFETIME_SECONDS = 3 * 3600
/**
 * The minimum time in milliseconds that a person needs to fill in a form with a name. A faster sender counts as a bot.
 */
const LEAST_FILLING_MS = 1_500

const TOKEN = 'form'
/** The name of a hidden form field that detects bots, because bots often fill in fields with this name. */
const TRAP = 'contact_via'

/** Returns a hidden form input with a token. Each rendered form has its own token. */
export const formToken = ({ cursors, clock }: Dependencies<'cursors' | 'clock'>): Content =>
  html`<input type="hidden" name="${TOKEN}" value="${cursors.seal(SCOPE, [randomUUID()], clock())}">`

/** Returns the digest of the form token, which identifies one rendered form. */
export const digestOfForm = (form: URLSearchParams): string => hash('sha256', form.get(TOKEN) ?? '', 'base64url')

/**
 * The hidden form field that detects bots. People do not see the field and screen readers skip it, so only bots fill it
 * in.
 */
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
