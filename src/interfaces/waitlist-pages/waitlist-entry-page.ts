import { canMail, willMail } from '../../core/mails/build-queued-mails.ts'
import { pageUrl } from '../../domain/bookings/booking-page-links.ts'
import { recipientOf } from '../../domain/waitlist/notify-entry.ts'
import { maskedEmail } from '../../infra/util/email-address.ts'
import { html } from '../../infra/util/html-template.ts'
import type { Dependencies } from '../../protocol/dependency-types.ts'
import { bookAgain } from '../booking-flow/book-again-link.ts'
import type { Answer } from '../pages/page-layout.ts'
import { aboutEntry } from './describe-entry.ts'
import type { EntryContext } from './load-entry-page-context.ts'

/**
 * The page of a waitlist entry (a buyer's place in the waitlist). It shows the position, or the reason why the entry
 * has ended. A current offer has its own page. An accepted entry redirects to its booking.
 */
export async function entryPage(
  context: EntryContext,
  dependencies: Dependencies<'config' | 'business' | 'tag'>,
): Promise<Answer> {
  const { tag } = dependencies
  const { entry, definition, path, localizer } = context
  const { say } = localizer
  const { status, position, booking_id } = entry
  // This URL contains the first secret of the booking. It no longer works after the staff have renewed the secret links
  // of the booking.
  if (status === 'accepted' && booking_id !== null)
    return { to: pageUrl('', tag, { id: booking_id, record: {} }, 'manage') }
  const about = aboutEntry(context, tag)
  if (status === 'waiting') {
    const to = recipientOf(entry, 'waitlist.offered')
    const isMailed = willMail(to, { definition, isMailSetUp: await canMail(dependencies) })
    return {
      status: 200,
      title: say('waiting.title'),
      body: html`<p class="note">${say('waiting.position', { position })}</p>
<p>${say('waiting.how')}${isMailed && ` ${say('waiting.mail', { email: maskedEmail(to.email) })}`}</p>
${about}
<p><a class="button danger" href="${path}/leave">${say('waiting.leave')}</a></p>`,
    }
  }
  const { name: business } = definition.business
  const hasLeft = status === 'removed'
  return {
    status: hasLeft ? 200 : 410,
    title: say('waiting.over'),
    body: html`<p class="note">${hasLeft ? say('waiting.left') : say('waiting.expired', { business })}</p>
${about}
${bookAgain(definition, entry.service_id, localizer)}`,
  }
}
