import { hash, randomUUID } from 'node:crypto'
import type { SignedInStaff } from '../../core/authentication/staff-sessions.ts'
import type { Dependencies } from '../../protocol/dependency-types.ts'
import { openSealed } from '../../protocol/open-sealed-content.ts'
import type { Message } from '../../protocol/types.generated.ts'
import { formOf } from '../pages/page-route-setup.ts'
import type { DeskRequest } from './call-operation-as-staff.ts'

/**
 * The lifetime of a form token in seconds. It is long enough for a page that stays open over a weekend. Stored replies
 * live longer than form tokens, so a second submission of a form always finds the reply to the first submission.
 */
const FORM_LIFETIME_SECONDS = 3 * 24 * 3600

const TOKEN = 'form'
/**
 * The character between the two parts of a form token. The first part is signed, and all forms of a page share it. The
 * second part is the number of the form on the page.
 */
const SEPARATOR = '~'

export interface DeskForm {
  /** A key that identifies one form. All submissions of the same form have the same key. */
  key: string
  /** A digest of the URL and the fields of the submitted form. */
  content: string
  /** Maps the id of each called operation to the number of its calls during this form submission. */
  calls: Map<string, number>
}

/**
 * The values that a form shows in its fields. If the server refused these values before, `refusal` contains the reason.
 */
export interface FilledForm {
  query: URLSearchParams
  refusal?: Message | undefined
}

const scopeOf = ({ id }: Pick<SignedInStaff, 'id'>) => `form of the desk of ${id}`

/**
 * Adds a form token (which identifies one form) to each POST form in the HTML of a page. The HTML contains texts of
 * users only in escaped form. Therefore the pattern matches only form tags that this server wrote.
 */
export function withTokens(
  markup: string,
  who: Pick<SignedInStaff, 'id'>,
  { cursors, clock }: Dependencies<'cursors' | 'clock'>,
): string {
  const sealed = cursors.seal(scopeOf(who), [randomUUID()], clock())
  let count = 0
  return markup.replace(/<form [^<>]*>/g, (tag) =>
    tag.includes(' method="post"')
      ? `${tag}<input type="hidden" name="${TOKEN}" value="${sealed}${SEPARATOR}${count++}">`
      : tag,
  )
}

/**
 * Reads a submitted form, and removes the form token from its fields. Returns undefined if the token is invalid, has
 * expired, or belongs to another staff member.
 */
export function submittedForm(
  { who, request }: Pick<DeskRequest, 'who' | 'request'>,
  { cursors, clock }: Dependencies<'cursors' | 'clock'>,
): DeskForm | undefined {
  const fields = formOf(request)
  const token = fields.get(TOKEN) ?? ''
  fields.delete(TOKEN)
  const [sealed = '', nth = '', ...more] = token.split(SEPARATOR)
  const isOurs = openSealed(() => cursors.open(scopeOf(who), sealed, clock(), FORM_LIFETIME_SECONDS)) !== undefined
  if (!isOurs || !/^[\w-]{1,40}$/.test(nth) || more.length > 0) return undefined
  return {
    key: `desk form ${hash('sha256', token, 'base64url')}`,
    content: hash('sha256', JSON.stringify([request.url, ...fields]), 'base64url'),
    calls: new Map(),
  }
}
