import { type RawBuilder, sql } from 'kysely'
import { ASSISTED, OF_ASSISTANTS, VISITOR } from '../../protocol/caller.ts'
import type { Schema } from '../../protocol/schemas.ts'

export const WAYS_IN = ['page', 'assistant', 'platform', 'staff'] as const
export type WayIn = (typeof WAYS_IN)[number]

const assisted = [ASSISTED, ...OF_ASSISTANTS]

/** The booking source follows from the principal and never changes. Bookings by the staff have an empty principal. */
export function cameFrom(principal: string): WayIn {
  if (principal === '') return 'staff'
  if (assisted.some((beginning) => principal.startsWith(beginning))) return 'assistant'
  return principal.startsWith(VISITOR) ? 'page' : 'platform'
}

export const wayIn: Schema = {
  enum: WAYS_IN,
  description:
    'How it came in: on the pages of the business, through an assistant, through a platform, or by asking the staff.',
}

export const hasComeFrom = (way: WayIn): RawBuilder<boolean> => stored[way]

const ofVisitor = sql<boolean>`starts_with(principal, ${VISITOR})`
const ofAssisted = sql<boolean>`principal ^@ any (${assisted}::text[])`
const stored: Record<WayIn, RawBuilder<boolean>> = {
  staff: sql`principal = ''`,
  page: ofVisitor,
  assistant: ofAssisted,
  platform: sql`principal <> '' and not ${ofVisitor} and not ${ofAssisted}`,
}
