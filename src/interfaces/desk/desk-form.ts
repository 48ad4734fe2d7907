import { hash, randomUUID } from 'node:crypto'
import type { Dependencies } from '../../protocol/dependencies.ts'
import type { Message } from '../../protocol/types.generated.ts'
import { openSealed } from '../../protocol/unseal.ts'
import { formOf } from '../pages/scope.ts'
import type { SignedInStaff } from './browser-session.ts'
import type { DeskRequest } from './desk-calls.ts'

/**
 * Lifetime of a form token. A page that stays open over a weekend still works. Stored replies live longer, so no form is
 * accepted after the reply to its first submission was deleted.
 */
const FORM_LIFETIME_SECONDS = 3 * 24 * 3600

const TOKEN = 'form'
/** Separates the sealed part, one for each page, from the number of the form on the page. */
const SEPARATOR = '~'

export interface DeskForm {
  /** The same for every submission of this form, and different for every other form. */
  key: string
  /** Digest of the address and the submitted fields. */
  content: string
  /** Number of calls of each operation in this submission. */
  calls: Map<string, number>
}

/** The values that fill a form, and the refusal of the call that used them. */
export interface FilledForm {
  query: URLSearchParams
  refusal?: Message | undefined
}

const scopeOf = ({ id }: Pick<SignedInStaff, 'id'>) => `form of the desk of ${id}`

/** Adds a token to each POST form. User text in the markup is escaped, so the pattern matches only our own tags. */
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

/** The submitted form, if its token belongs to this person and has not expired. Removes the token from the fields. */
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
