import type { Members } from '../../caller/answer.ts'
import type { Caller } from '../../caller/caller.ts'
import type { OperationName } from '../../caller/operations.ts'
import { expectEqual, expectList, expectMembers, expectText, expectTrue } from '../../run/expectations.ts'
import { Mismatch } from '../../run/mismatch.ts'
import type { Slot } from '../../target/free-slots.ts'

export interface Page {
  items: Members[]
  pagination: Members
  result: Members
}

/**
 * An operation that returns pages. `items` names the list in the answer. `nested`: `cursor` and `limit` are in the
 * member `pagination`.
 */
interface PagedOperation {
  items: string
  nested: boolean
}

const PAGED = {
  listServices: { items: 'services', nested: true },
  readFeed: { items: 'items', nested: false },
  queryAvailability: { items: 'slots', nested: false },
  searchBusinesses: { items: 'businesses', nested: true },
  searchServices: { items: 'services', nested: true },
} satisfies Partial<Record<OperationName, PagedOperation>>

export type PagedName = keyof typeof PAGED

const MAX_PAGES = 60

/** Returns the input of a call for one page. */
export function pageInput(name: PagedName, input: Members, position: Members): Members {
  return PAGED[name].nested ? { ...input, pagination: position } : { ...input, ...position }
}

export async function readPage(caller: Caller, name: PagedName, input: Members, position: Members): Promise<Page> {
  const result = (await caller.call(name, pageInput(name, input, position))).success()
  const { items } = PAGED[name]
  return {
    items: expectList(result[items], items),
    pagination: expectMembers(result.pagination, 'pagination'),
    result,
  }
}

/** Reads all pages from the first to the last. Requires that each page is valid and has at most `limit` items. */
export async function readPages(caller: Caller, name: PagedName, input: Members, limit?: number): Promise<Page[]> {
  const pages: Page[] = []
  const cursors = new Set<unknown>()
  const size = limit === undefined ? {} : { limit }
  let cursor: string | undefined
  do {
    const page = await readPage(caller, name, input, cursor === undefined ? size : { ...size, cursor })
    pages.push(page)
    if (limit !== undefined)
      expectTrue(page.items.length <= limit, `at most ${limit} items on a page`, `${page.items.length} items`)
    const { cursor: next, has_more } = page.pagination
    expectEqual(has_more, next !== null, `has_more with the cursor ${JSON.stringify(next)}`)
    cursor = next === null ? undefined : expectText(next, 'cursor')
    if (cursors.has(cursor)) throw new Mismatch('a new cursor on each page', cursor ?? 'none')
    cursors.add(cursor)
    if (pages.length > MAX_PAGES) throw new Mismatch(`an end within the first ${MAX_PAGES} pages`, 'more pages')
  } while (cursor !== undefined)
  return pages
}

export async function readAll(
  caller: Caller,
  name: PagedName,
  input: Members = {},
  limit?: number,
): Promise<Members[]> {
  return (await readPages(caller, name, input, limit)).flatMap(({ items }) => items)
}

/** Returns the slots of all pages of an availability query. */
export const allSlots = async (caller: Caller, query: Members): Promise<Slot[]> =>
  (await readAll(caller, 'queryAvailability', query)) as Slot[]

/** Changes one character in the middle of a text. In an encoded text, each bit of this character has a meaning. */
export function altered(text: string): string {
  const middle = Math.floor(text.length / 2)
  return `${text.slice(0, middle)}${text[middle] === 'A' ? 'B' : 'A'}${text.slice(middle + 1)}`
}
