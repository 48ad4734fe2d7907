import { amountHelp } from '../../../infra/i18n/format-amounts.ts'
import type { Localizer } from '../../../infra/i18n/localizer.ts'
import { type Content, html } from '../../../infra/util/html-template.ts'
import type { BusinessDefinition } from '../../../protocol/types.generated.ts'
import { countedPathText, pathParts } from './definition-path-text.ts'
import { itemsIn } from './definition-sections.ts'
import { MONEY } from './field-kinds.ts'
import { labelOf, valueLabel } from './field-labels.ts'

/**
 * Maps error messages about a business definition to texts in the language of the page. The validator writes these
 * messages in English. The patterns capture the parts of a message that the text repeats.
 */
const MESSAGE_PATTERNS = [
  [/^is missing|^must NOT have fewer than 1 /, 'missing'],
  [/^must be left out|^must NOT be valid|^is not allowed here/, 'left_out'],
  [/^names the (?:resource|service|location) (\S+), which/, 'unknown'],
  [/^names (\S+), which is a/, 'wrong_kind'],
  [/^names (\S+), which does not belong to this service$/, 'never_with'],
  [/^must be (?:integer|number)$/, 'number'],
  [/^must be one of (.+)$/, 'one_of'],
  [/^must be a day,/, 'day'],
  [/^must be a duration /, 'duration'],
  [/^must be a full address,/, 'address'],
  [/^must be an origin /, 'origin'],
  [/^must match format "email"/, 'email'],
  [/^opens at (\S+), which is not before it closes at (\S+)$/, 'opens'],
  [/^begins (?:on|at) (\S+), after it ends (?:on|at) (\S+)$/, 'order'],
  [/^has a min(?:_advance)? above its max/, 'min_max'],
  [/^must be longer than zero|^ends at \S+, the moment it begins$/, 'no_length'],
  [/^is longer than the calendar$/, 'too_long'],
  [/^is longer than (\d+) days$/, 'longer'],
  [/^repeats the id (\S+)$/, 'repeats'],
  [/^must NOT have duplicate items/, 'twice'],
  [/^must NOT have more than (\d+) /, 'most'],
  [/^(?:is above|must be <=) (-?[\d.]+)/, 'at_most'],
  [/^must be >= (-?[\d.]+)/, 'at_least'],
  [/^must be > (-?[\d.]+)/, 'above'],
  [/^must not be negative$/, 'negative'],
  [/^is \d+, but bookings cost at most /, 'deposit_high'],
  [/^is free, but policies\.requires_payment is true$/, 'free_paid'],
  [/^is \w+, but must be free when /, 'paid_free'],
  [/^must be a (?:whole )?number of minor units/, 'amount'],
  [/^is \w+, which requires UCP checkout|^can be listed only in a standalone profile/, 'standalone'],
  [/^is true, but only a business whose deployment_mode is ucp_native/, 'ucp_only'],
  [/ is not an IANA time zone/, 'zone'],
  [/ is not an ISO 4217 currency$/, 'currency'],
  [/ is not a BCP 47 tag/, 'tag'],
  [/^(?:accepts only tokens of this server|requires oauth2_bearer )/, 'own_tokens'],
  [/^is not an RFC 5545 recurrence rule /, 'rule'],
  [/^are allowed only for group services$/, 'class_only'],
  [/^are not allowed for a group service,/, 'not_class'],
  [/^cannot be combined with a range,/, 'beside_range'],
  [/^has both a late_cancellation_fee/, 'one_fee'],
  [/^cannot be combined with hours:/, 'beside_hours'],
  [/^name resources of several requirements/, 'several'],
  [/^gives (\d+) durations to choose from, and at most (\d+) /, 'lengths'],
  [/^and durations give up to (\d+) times a day, and at most (\d+) /, 'times'],
  [/^must have exactly one of fixed,/, 'one_length'],
  [/^cannot be hourly when /, 'open_hourly'],
  [/^must be at_buyer_location /, 'at_buyer'],
  [/^are allowed only for services at_buyer_location$/, 'at_buyer_only'],
  [/^has more than one primary entry$/, 'one_main'],
  [/^is (\S+), which is the path of a page of this server$/, 'taken_word'],
  [/^must have a reverse-domain name |^is \S+, which the protocol does not define/, 'own_name'],
  [/^must be at (\S+), the domain in /, 'at_vendor'],
  [/^is not older than (\S+)$/, 'older'],
  [/^says (\S+), but is listed under (\S+)$/, 'says'],
  [/^is not known here/, 'not_known'],
  [/^must match |^must be (?:string|array|object|boolean|null|a time )|^holds a NUL /, 'pattern'],
  [/^must be "?([^"]+)"?$/, 'one_of'],
] as const

/**
 * Returns the id of the form field for a path in the business definition, such as `hours`. Returns undefined if the
 * form has no such field.
 */
export type FieldFor = (path: string) => string | undefined

export const faultPath = (fault: string): string | undefined => FAULT.exec(fault)?.[1]

/**
 * Matches one error message about the business definition. The message consists of a path, a space and a description.
 */
const FAULT = /^([\w[\].-]+) (.+)$/s

/**
 * Returns the text for an error that concerns the whole business definition, such as its size. Returns undefined or
 * false if the error concerns one property.
 */
const ofAll = (fault: string, { say }: Localizer): Content => {
  if (/^The definition (?:takes too|has \d+ characters)/.test(fault)) return say('setup.fault.too_large')
  const [, count] = /^and (\d+) more$/.exec(fault) ?? []
  return count !== undefined && say('setup.change.more', { count: Number(count) })
}

/** The example amount in help texts, in minor units of the currency, such as cents. */
const AN_AMOUNT = 8250

/**
 * Describes one error in the business definition. The text names the form field, links to this field, and explains the
 * problem. The current definition (`now`) supplies the names of list entries.
 */
export function faultText(
  fault: string,
  localizer: Localizer,
  now: Partial<BusinessDefinition> = {},
  fieldFor: FieldFor = () => undefined,
): Content {
  const whole = ofAll(fault, localizer)
  if (whole) return whole
  const [, path, message] = FAULT.exec(fault) ?? []
  const found = MESSAGE_PATTERNS.find(([begins]) => begins.test(message ?? ''))
  if (path === undefined || message === undefined || !found) return html`<span lang="en" dir="ltr">${fault}</span>`
  const [begins, name] = found
  const [, first = '', second = ''] = begins.exec(message) ?? []
  const values =
    name === 'one_of'
      ? first
          .split(', ')
          .map((one) => valueLabel(one, localizer))
          .join(', ')
      : ''
  const field = fieldFor(path)
  const called = html`<strong>${memberText(path, localizer, now)}</strong>`
  const member = field === undefined ? called : html`<a href="#${encodeURIComponent(field)}">${called}</a>`
  if (name === 'number' && MONEY.includes(pathParts(path).at(-1) ?? '')) {
    return html`${member}: ${amountHelp(localizer, AN_AMOUNT, now.business?.currency ?? 'USD')}`
  }
  return html`${member} ${localizer.say(`setup.fault.${name}`, { first, second, name: first, values })}`
}

function memberText(path: string, localizer: Localizer, now: object): Content {
  const [, list = '', id, rest = ''] = /^(\w+)\[([^\]]+)\]\.?(.*)$/.exec(path) ?? []
  const entry = itemsIn(now, list).find((one) => one.id === id)
  if (entry?.name === undefined) return countedPathText(path, localizer)
  return html`${labelOf(list, localizer)} · <bdi>${String(entry.name)}</bdi>${rest && ` › ${countedPathText(rest, localizer)}`}`
}
