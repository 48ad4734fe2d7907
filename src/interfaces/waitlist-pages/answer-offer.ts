import { accept } from '../../domain/waitlist/book-accepted-offer.ts'
import { endEntry, isLiveEntry, lockAnyEntry } from '../../domain/waitlist/read-and-lock-entry.ts'
import { decline } from '../../domain/waitlist/release-declined-offer.ts'
import { isRefusal, pathOf } from '../../protocol/errors.ts'
import {
  addressOf,
  type BuyerForm,
  countryOf,
  needsAddress,
  readBuyerForm,
  withRefusedAddress,
} from '../booking-flow/buyer-form.ts'
import type { Answer } from '../pages/page-layout.ts'
import type { WayOut } from './confirm-leaving-waitlist.ts'
import type { EntryContext, WaitlistPageDependencies } from './load-entry-page-context.ts'
import { findOfferedSlot, offerPage, shownPrice } from './offer-page.ts'

const ACTOR = 'buyer'

/**
 * Books the slot that the waitlist offered to the buyer. Books nothing if the form arrives too late or twice. Also
 * books nothing if the offer or its price is no longer the same as on the page.
 */
export async function acceptOffered(
  context: EntryContext,
  form: URLSearchParams,
  dependencies: WaitlistPageDependencies,
): Promise<Answer> {
  const { entry, path, plan } = context
  const buyerForm = addressIn(form, context)
  if (buyerForm.faults.size > 0) return (await offerPage(context, dependencies, buyerForm)) ?? { to: path }
  const now = dependencies.clock()
  try {
    const disputed = await dependencies.makeChange(async (tx) => {
      const found = await lockAnyEntry(tx, entry.id, now)
      if (found?.status !== 'offered' || found.offered_slot_id !== form.get('slot')) return undefined
      // Another server may have made the offer with a newer business definition (services and prices). Therefore this
      // server reads the definition from the database and not from its cache.
      const current = await dependencies.business.seenBy(tx)
      const slot = await findOfferedSlot({ entry: found, definition: current, now }, { db: tx, tag: dependencies.tag })
      if (slot && form.get('terms') !== shownPrice(slot)) return slot.plan
      const delivery_address = plan && needsAddress(plan.service) ? addressOf(buyerForm) : undefined
      await accept(tx, found, { definition: current, tag: dependencies.tag, actor: ACTOR, delivery_address }, now)
      return undefined
    })
    if (!disputed) return { to: path }
    const asOfNow = { ...context, definition: disputed.business, plan: disputed, now }
    return (await offerPage(asOfNow, dependencies, buyerForm, 'waiting.offer.changed')) ?? { to: path }
  } catch (error) {
    if (!isRefusal(error)) throw error
    const faulty = pathOf(error)
    if (faulty?.startsWith('$.delivery_address') !== true) return { to: path }
    return (await offerPage(context, dependencies, withRefusedAddress(buyerForm, faulty))) ?? { to: path }
  }
}

/**
 * Reads the buyer's address for an appointment at the buyer's place. The form has no other fields about the buyer, so
 * the function ignores errors about other fields.
 */
function addressIn(form: URLSearchParams, { definition, plan, localizer }: EntryContext): BuyerForm {
  const country = countryOf(definition, localizer.locale)
  const buyerForm = readBuyerForm(form, plan?.service ?? { channel: { type: 'virtual' } }, country)
  const ofAddress = [...buyerForm.faults].filter(([field]) => ['line1', 'city', 'country'].includes(field))
  return { ...buyerForm, faults: new Map(ofAddress) }
}

/**
 * Removes the buyer's entry from the waitlist or declines the offer, depending on the buyer's choice. Declines only the
 * offer that the page showed.
 */
export async function leaveOrDecline(
  { entry, path }: EntryContext,
  way: WayOut,
  form: URLSearchParams,
  dependencies: WaitlistPageDependencies,
): Promise<Answer> {
  const now = dependencies.clock()
  await dependencies.makeChange(async (tx) => {
    const found = await lockAnyEntry(tx, entry.id, now)
    if (!found || !isLiveEntry(found)) return
    if (way === 'leave') return void (await endEntry(tx, found, { step: 'leave', actor: ACTOR }, now))
    if (found.status !== 'offered' || found.offered_slot_id !== form.get('slot')) return
    await decline(tx, found, { definition: await dependencies.business.get(), actor: ACTOR }, now)
  })
  return { to: path }
}
