import { isClaimed } from '../../domain/bookings/booking-amounts-owed.ts'
import { placeOfBooking } from '../../domain/bookings/booking-location-text.ts'
import { pageUrl } from '../../domain/bookings/booking-page-links.ts'
import { type BookingRow, bookingAsOf, isBeingChecked } from '../../domain/bookings/booking-row.ts'
import { type BookingPlace, bookingsOfBuyer, type Half } from '../../domain/bookings/bookings-of-buyer.ts'
import { serviceName } from '../../domain/bookings/translate-booking-texts.ts'
import { entriesOfBuyer } from '../../domain/waitlist/entries-of-buyer.ts'
import { timeRange, untilText } from '../../infra/i18n/format-times.ts'
import type { Localizer, Message } from '../../infra/i18n/localizer.ts'
import type { Dependencies } from '../../protocol/dependency-types.ts'
import { openSealed } from '../../protocol/open-sealed-content.ts'
import type { Item, ItemDependencies, ListViewer } from './list-item-types.ts'
import { entryItem } from './waitlist-entry-item.ts'

export type ListDependencies = ItemDependencies & Dependencies<'db' | 'cursors'>

export interface Listed {
  items: Item[]
  next: string | undefined
}

export const LISTS = ['ahead', 'waiting', 'past'] as const
export type List = (typeof LISTS)[number]

const PAGE_SIZE = 50
const CURSOR_SECONDS = 24 * 3600

export async function listed(
  list: List,
  cursor: string,
  looking: ListViewer,
  dependencies: ListDependencies,
): Promise<Listed> {
  const { cursors, clock } = dependencies
  const scope = `my ${list} ${looking.account.id}`
  const found = await find(list, openCursor(scope, cursor, dependencies), looking, dependencies)
  const last = found.length > PAGE_SIZE ? found[PAGE_SIZE - 1] : undefined
  return {
    items: found.slice(0, PAGE_SIZE).map(({ item }) => item),
    next: last && cursors.seal(scope, last.place, clock()),
  }
}

interface Found {
  item: Item
  place: unknown[]
}

async function find(
  list: List,
  [first, second]: readonly unknown[],
  looking: ListViewer,
  dependencies: ListDependencies,
): Promise<Found[]> {
  const { email } = looking.account
  const limit = PAGE_SIZE + 1
  if (list !== 'waiting') {
    const after: BookingPlace | undefined = typeof first === 'number' ? [first, String(second)] : undefined
    return ofBookings({ email, half: list, after, limit }, looking, dependencies)
  }
  const after = typeof first === 'string' ? first : undefined
  const entries = await entriesOfBuyer(dependencies.db, { email, after, limit }, dependencies.clock())
  return entries.map((entry) => ({ item: entryItem(entry, looking, dependencies), place: [entry.number] }))
}

async function ofBookings(
  query: { email: string; half: Half; after: BookingPlace | undefined; limit: number },
  looking: ListViewer,
  dependencies: ListDependencies,
): Promise<Found[]> {
  const bookings = await bookingsOfBuyer(dependencies.db, query, dependencies.clock())
  return bookings.map((booking) => ({
    item: bookingItem(booking, looking, dependencies),
    place: [booking.starts_at.getTime(), booking.id],
  }))
}

/**
 * Decodes a cursor (a position in a list) from the URL. For an unknown or expired cursor, returns the start of the
 * list.
 */
function openCursor(scope: string, cursor: string, { cursors, clock }: ListDependencies): readonly unknown[] {
  return (cursor !== '' && openSealed(() => cursors.open(scope, cursor, clock(), CURSOR_SECONDS))) || []
}

function bookingItem(
  row: BookingRow,
  { definition, localizer }: ListViewer,
  { config, tag, clock }: ItemDependencies,
): Item {
  const now = clock()
  const booking = bookingAsOf(row, now)
  const { record, starts_at, ends_at } = booking
  return {
    what: serviceName(booking, definition, localizer),
    when: timeRange(localizer, starts_at, ends_at, record.zone),
    where: placeOfBooking(booking, definition, localizer),
    state: stateText(booking, localizer, now),
    url: pageUrl(config.baseUrl, tag, booking, 'manage'),
  }
}

/**
 * Returns a text with the status of a booking. If the buyer still has an open task, the text names the task and its
 * deadline.
 */
function stateText(booking: BookingRow, localizer: Localizer, now: Date): string {
  const { say, money } = localizer
  const { status, expires_at, record } = booking
  const { zone, payment, tasks } = record
  if (status !== 'requires_action' || !expires_at) return say(`my.state.${status}` satisfies Message)
  if (isBeingChecked(booking, now)) return say('booking.payment.checking')
  const time = untilText(localizer, expires_at, zone, now)
  const open = tasks.filter((task) => task.status === 'pending').map(({ type }) => type)
  if (!payment || !open.includes('payment')) return say('open.steps', { time })
  if (isClaimed(booking) && open.length === 1) return say('booking.payment.claimed.title')
  return say('open.payment', { amount: money(payment.due, payment.currency), time })
}
