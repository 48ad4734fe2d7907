import { hash, randomUUID } from 'node:crypto'
import type { Means } from '../../protocol/means.ts'
import { opened } from '../../protocol/opened.ts'
import { formOf } from '../pages/scope.ts'
import type { Asking } from './desk-calls.ts'
import type { AtDesk } from './session.ts'

/**
 * A page that stays open over a weekend still works. Replies are kept for longer than this, so no form is accepted after the reply
 * to its first submission was deleted.
 */
const LASTS_SECONDS = 3 * 24 * 3600

const TOKEN = 'form'
/** Separates what the server sealed, which a page has once, from what tells the forms of the page apart. */
const SEPARATOR = '~'

/** A form of the desk that somebody submitted. */
export interface DeskForm {
  /** The same for every submission of this form, and for no other form. */
  key: string
  /** Digest of what was submitted, and to where. */
  content: string
  /** How many calls each operation got from this submission so far. */
  calls: Map<string, number>
}

const scopeOf = ({ id }: Pick<AtDesk, 'id'>) => `form of the desk of ${id}`

/** Adds a token to each form that changes something. Text that people wrote is escaped, so only our own markup matches. */
export function withTokens(
  markup: string,
  who: Pick<AtDesk, 'id'>,
  { cursors, clock }: Means<'cursors' | 'clock'>,
): string {
  const sealed = cursors.seal(scopeOf(who), [randomUUID()], clock())
  let count = 0
  return markup.replace(/<form [^<>]*>/g, (tag) =>
    tag.includes(' method="post"')
      ? `${tag}<input type="hidden" name="${TOKEN}" value="${sealed}${SEPARATOR}${count++}">`
      : tag,
  )
}

/** The form that was submitted, if this server made it for this person and not too long ago. Takes the token out of its fields. */
export function submittedForm(
  { who, request }: Pick<Asking, 'who' | 'request'>,
  { cursors, clock }: Means<'cursors' | 'clock'>,
): DeskForm | undefined {
  const fields = formOf(request)
  const token = fields.get(TOKEN) ?? ''
  fields.delete(TOKEN)
  const [sealed = '', nth = '', ...more] = token.split(SEPARATOR)
  const isOurs = opened(() => cursors.open(scopeOf(who), sealed, clock(), LASTS_SECONDS)) !== undefined
  if (!isOurs || !/^[\w-]{1,40}$/.test(nth) || more.length > 0) return undefined
  return {
    key: `desk form ${hash('sha256', token, 'base64url')}`,
    content: hash('sha256', JSON.stringify([request.url, ...fields]), 'base64url'),
    calls: new Map(),
  }
}
