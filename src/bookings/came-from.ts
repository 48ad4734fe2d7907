import { type RawBuilder, sql } from 'kysely'
import { ASSISTED, VISITOR } from '../protocol/caller.ts'
import type { Schema } from '../protocol/schemas.ts'

/** How people get at a booking or a place in line: on our own pages, also by an assistant's link, through a platform, or by the staff. */
export const WAYS_IN = ['page', 'assistant', 'platform', 'staff'] as const
export type WayIn = (typeof WAYS_IN)[number]

/** Whose it is says so and never changes: what the staff book is nobody's, and visitors of our pages have names of their own. */
export function cameFrom(principal: string): WayIn {
  if (principal === '') return 'staff'
  if (principal.startsWith(ASSISTED)) return 'assistant'
  return principal.startsWith(VISITOR) ? 'page' : 'platform'
}

export const wayIn: Schema = {
  enum: WAYS_IN,
  description:
    'How it came in: on the pages of the business, there by the link of an assistant, through a platform, or by asking the staff.',
}

/** The same of what is stored. */
export const hasComeFrom = (way: WayIn): RawBuilder<boolean> => stored[way]

const ofVisitor = sql<boolean>`starts_with(principal, ${VISITOR})`
const ofAssisted = sql<boolean>`starts_with(principal, ${ASSISTED})`
const stored: Record<WayIn, RawBuilder<boolean>> = {
  staff: sql`principal = ''`,
  page: ofVisitor,
  assistant: ofAssisted,
  platform: sql`principal <> '' and not ${ofVisitor} and not ${ofAssisted}`,
}
