import { type RawBuilder, sql } from 'kysely'
import { isLocal, type SearchCircle } from './search-circle.ts'

/** With each of more than so many all in the circle would be compared, which takes longer than to look them up in all the world. */
const A_FEW = 8

/** Around a place the index of areas has the categories with them; elsewhere, and for many, they have one of their own. */
export const hasCategory = (categories: string[], circle: SearchCircle | undefined): RawBuilder<boolean> =>
  isLocal(circle) && categories.length <= A_FEW
    ? sql`array_to_tsvector(array_replace(category_ids, '', ' ')) @@ ${anyOf(categories)}::tsquery
        and ${isOverlap(categories)}`
    : sql`category_ids && ${categories}::text[]`

/** As a function no index knows it: the other one has all services of the world, and would be read beside that of areas. */
const isOverlap = (categories: string[]) => sql`arrayoverlap(category_ids, ${categories}::text[])`

const anyOf = (categories: string[]) => categories.map(lexeme).join(' | ')

/** No lexeme is empty. */
const lexeme = (category: string) => `'${category === '' ? ' ' : category.replaceAll(/['\\]/g, '$&$&')}'`
