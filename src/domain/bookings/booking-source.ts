import { type RawBuilder, sql } from 'kysely'
import { ASSISTANT_CLIENT_PREFIXES, ASSISTED_VISITOR_PREFIX, VISITOR_PREFIX } from '../../protocol/caller-types.ts'
import type { Schema } from '../../protocol/json-schemas.ts'

export const BOOKING_SOURCES = ['page', 'assistant', 'platform', 'staff'] as const
export type BookingSource = (typeof BOOKING_SOURCES)[number]

const assisted = [ASSISTED_VISITOR_PREFIX, ...ASSISTANT_CLIENT_PREFIXES]

/**
 * Returns the source of a booking: page, assistant, platform or staff. The server derives the source from the principal
 * (the stored name of the caller who made the booking). The principal is empty if the staff made the booking.
 */
export function bookingSourceOf(principal: string): BookingSource {
  if (principal === '') return 'staff'
  if (assisted.some((beginning) => principal.startsWith(beginning))) return 'assistant'
  return principal.startsWith(VISITOR_PREFIX) ? 'page' : 'platform'
}

export const bookingSourceSchema: Schema = {
  enum: BOOKING_SOURCES,
  description: 'The source: the pages of the business, an assistant, a platform, or the staff.',
}

export const isFromSource = (way: BookingSource): RawBuilder<boolean> => stored[way]

const ofVisitor = sql<boolean>`starts_with(principal, ${VISITOR_PREFIX})`
const ofAssisted = sql<boolean>`principal ^@ any (${assisted}::text[])`
const stored: Record<BookingSource, RawBuilder<boolean>> = {
  staff: sql`principal = ''`,
  page: ofVisitor,
  assistant: ofAssisted,
  platform: sql`principal <> '' and not ${ofVisitor} and not ${ofAssisted}`,
}
