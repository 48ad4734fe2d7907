import { keep } from '../../domain/desk/bookings/keep.ts'
import { dismissGivenUp } from '../../domain/desk/inbox/dismiss-given-up.ts'
import { sendAgain } from '../../domain/desk/inbox/send-again.ts'
import type { Message } from '../../infra/i18n/catalogue.ts'
import { type Content, html } from '../../infra/util/html.ts'
import { bookingsListed } from './bookings-page.ts'
import { type Asking, ask, type DeskMeans, may, unlessNotThere } from './desk-calls.ts'
import type { Answer, DeskView } from './desk-page.ts'
import { givenUpPart } from './given-up-part.ts'
import { lapsingPart } from './lapsing-part.ts'
import { mayNot } from './may-not.ts'
import { strandedPart } from './stranded-part.ts'

/** Open items, the most urgent first. The last part lists bookings that wait for the buyer. */
export async function inboxPage(asking: Asking, means: DeskMeans): Promise<DeskView> {
  const { say } = asking.request.speech
  const bookings = async (title: Message, query: Record<string, string>): Promise<Content> => {
    const listed = await bookingsListed(new URLSearchParams(query), asking, means)
    return listed && html`<h2>${say(title)}</h2>${listed}`
  }
  const parts = await Promise.all([
    lapsingPart(asking, means),
    bookings('desk.requests', { status: 'pending' }),
    bookings('desk.claimed', { status: 'requires_action', claimed: 'true' }),
    strandedPart(asking, means),
    givenUpPart(asking, means),
    bookings('desk.unfinished', { status: 'requires_action', claimed: 'false' }),
  ])
  const notify = (turn: 'on' | 'off', label: Message) =>
    html`<button type="button" class="plain" data-notify="${turn}">${say(label)}</button>`
  return {
    status: 200,
    title: say('desk.inbox'),
    who: asking.who,
    place: 'inbox',
    body: html`${parts.some(Boolean) ? parts : html`<p class="note">${say('desk.inbox.none')}</p>`}
<div class="acts">${notify('on', 'desk.inbox.notify')}${notify('off', 'desk.inbox.notify.off')}</div>`,
  }
}

/** Runs the pressed action. A missing item was already dealt with, so this is no error. */
export async function inboxChosen(form: URLSearchParams, asking: Asking, means: DeskMeans): Promise<Answer> {
  const deeds = {
    keep: { operation: keep, call: (booking_id: string) => ask(keep, { booking_id }, asking, means) },
    again: { operation: sendAgain, call: (told_id: string) => ask(sendAgain, { told_id }, asking, means) },
    dismiss: { operation: dismissGivenUp, call: (told_id: string) => ask(dismissGivenUp, { told_id }, asking, means) },
  }
  const [name, deed] = Object.entries(deeds).find(([one]) => form.has(one)) ?? []
  if (name === undefined || !deed || !may(asking.who, deed.operation)) return mayNot(deed?.operation, asking)
  await deed.call(form.get(name) || '-').catch(unlessNotThere)
  return { to: '/desk/inbox' }
}
