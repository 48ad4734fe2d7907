import { isKeptAfterDecline } from '../../domain/waitlist/release-declined-offer.ts'
import { html } from '../../infra/util/html-template.ts'
import type { Tag } from '../../protocol/keyed-digest.ts'
import type { Answer } from '../pages/page-layout.ts'
import { aboutEntry } from './describe-entry.ts'
import type { EntryContext } from './load-entry-page-context.ts'

/** The two actions that need a confirmation: leaving the waitlist, and declining an offered slot. */
export const WAYS_OUT = ['leave', 'decline'] as const
export type WayOut = (typeof WAYS_OUT)[number]

export const isWayOut = (name: string): name is WayOut => WAYS_OUT.some((way) => way === name)

/**
 * The page on which a buyer confirms leaving the waitlist or declining an offered slot. If the action is no longer
 * possible, redirects to the page of the waitlist entry.
 */
export function confirmWayOut(context: EntryContext, way: WayOut, tag: Tag): Answer {
  const { entry, definition, path, localizer } = context
  const { say } = localizer
  const { status } = entry
  const isPossible = status === 'offered' || (status === 'waiting' && way === 'leave')
  if (!isPossible) return { to: path }
  const meaning =
    way === 'leave'
      ? say('waiting.leave.meaning')
      : say(isKeptAfterDecline(entry, definition) ? 'waiting.decline.stays' : 'waiting.decline.leaves')
  return {
    status: 200,
    title: say(`waiting.${way}.title`),
    body: html`<p class="note">${meaning}</p>
${aboutEntry(context, tag)}
<form method="post">
<input type="hidden" name="slot" value="${entry.offered_slot_id}">
<button class="danger">${say(`waiting.${way}.do`)}</button>
</form>
<p><a class="button plain" href="${path}">${say('waiting.back')}</a></p>`,
  }
}
