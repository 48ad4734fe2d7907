import { type RawBuilder, sql } from 'kysely'
import { isLocal, type SearchCircle } from './search-circle.ts'

/**
 * Limit for the index of areas. It compares each category with all services in the circle, so more categories are
 * slower than a global lookup.
 */
const MAX_LOCAL_CATEGORIES = 8

/**
 * Near a place, the index of areas includes the categories. Otherwise, or with many categories, they have a separate
 * index.
 */
export const hasCategory = (categories: string[], circle: SearchCircle | undefined): RawBuilder<boolean> =>
  isLocal(circle) && categories.length <= MAX_LOCAL_CATEGORIES
    ? sql`array_to_tsvector(array_replace(category_ids, '', ' ')) @@ ${anyOf(categories)}::tsquery
        and ${isOverlap(categories)}`
    : sql`category_ids && ${categories}::text[]`

/**
 * A function instead of an operator: PostgreSQL must not read the global index of categories in addition to the index
 * of areas.
 */
const isOverlap = (categories: string[]) => sql`arrayoverlap(category_ids, ${categories}::text[])`

const anyOf = (categories: string[]) => categories.map(lexeme).join(' | ')

/** A lexeme cannot be empty, so a space stands for an empty id. */
const lexeme = (category: string) => `'${category === '' ? ' ' : category.replaceAll(/['\\]/g, '$&$&')}'`
