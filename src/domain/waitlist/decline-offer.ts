import { zoneOf } from '../../core/business/definition-facts.ts'
import { useMailQuota } from '../../core/limits/mail-quota.ts'
import { defineOperation } from '../../protocol/define-operation.ts'
import { peopleOfEntry } from '../../protocol/list-records-about-people.ts'
import type { DeclineOffer } from '../../protocol/types.generated.ts'
import { entryInput, entryOutput, entrySummary, onEntry, toEntry } from './entry-response.ts'
import { lockEntry, readAgain } from './read-and-lock-entry.ts'
import { decline } from './release-declined-offer.ts'

export const declineOffer = defineOperation<DeclineOffer>({
  ...onEntry,
  id: 'declineOffer',
  rest: 'POST /waitlist/{entry_id}/decline',
  tool: 'usp_waitlist_decline',
  title: 'Decline an offer',
  description:
    'Declines the offered slot, which is then offered to the next entry. The declining entry moves to the end ' +
    'of the waitlist. It is removed if it waited for this very slot, or if the business removes entries that ' +
    'decline.',
  effect: 'update',
  input: entryInput,
  output: entryOutput,
  people: peopleOfEntry,
  summary: entrySummary,
  async handle(context) {
    const { input, db, caller, now, business, tag } = context
    const entry = await lockEntry(context, input.entry_id)
    // After a decline, the server offers the slot to the next waitlist entry and mails its buyer. An unknown caller
    // with two entries could decline an offer in turns and cause many mails. Therefore these mails count toward a mail
    // quota.
    if (caller.stranger) useMailQuota(db, caller.stranger, { existing: entry.id }, now)
    await decline(db, entry, { definition: await business.get(), actor: caller.principal }, now)
    return { entry: toEntry(await readAgain(db, entry.id, now), tag, await zoneOf(context)) }
  },
})
