import type { RawBuilder } from 'kysely'
import { canonical } from '../protocol/canonical.ts'
import type { Context } from '../protocol/operation.ts'

export const PAGE = { usual: 20, most: 100 }
/** A list is browsed within minutes. */
const CURSOR_SECONDS = 60 * 60

interface Asked {
  pagination?: { cursor?: string | null; limit?: number }
}

/** A page of what a search finds: one more is read than is shown, to know whether there are more. */
export async function pageOf<Row extends { position: unknown[] }>(
  operation: string,
  { input: { pagination = {}, ...asked }, db, cursors, now }: Context<Asked>,
  search: (after: Row['position'] | undefined, limit: number) => RawBuilder<Row>,
) {
  const scope = canonical([operation, asked])
  const limit = Math.min(pagination.limit ?? PAGE.usual, PAGE.most)
  const after = pagination.cursor ? cursors.open(scope, pagination.cursor, now, CURSOR_SECONDS) : undefined
  const { rows } = await search(after as Row['position'] | undefined, limit + 1).execute(db)
  const page = rows.slice(0, limit)
  const last = rows.length > limit ? page.at(-1) : undefined
  return {
    page,
    pagination: { cursor: last ? cursors.seal(scope, last.position, now) : null, has_more: last !== undefined },
  }
}
