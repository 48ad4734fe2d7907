import { sql } from 'kysely'
import type { Database } from '../../infra/db/database.ts'
import type { UnitOfWork } from '../../infra/db/unit-of-work.ts'
import { DIGESTS_IN_TEXT } from './picture-addresses.ts'
import type { PictureFormat } from './picture-formats.ts'

export interface Picture {
  digest: Buffer
  type: PictureFormat['type']
  width: number
  height: number
  content: Buffer
  small: Buffer | null
}

/** Lets only one transaction at a time add pictures, so that their maximum number holds. Readers do not wait. */
export async function picturesLock(tx: UnitOfWork): Promise<void> {
  await sql`lock table pictures in share row exclusive mode`.execute(tx)
}

export async function countPictures(db: Database): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*)::integer as count from pictures`.execute(db)
  return rows[0]?.count ?? 0
}

/** Stores a picture. If the same picture is already stored, it counts as new, so that the server does not delete it. */
export async function pictureUpsert(tx: UnitOfWork, picture: Picture, now: Date): Promise<void> {
  const { digest, type, width, height, content, small } = picture
  await sql`
    insert into pictures (digest, type, width, height, content, small, created_at)
    values (${digest}, ${type}, ${width}, ${height}, ${content}, ${small}, ${now})
    on conflict (digest) do update set unused_since = null, created_at = excluded.created_at`.execute(tx)
}

export type StoredFile = Pick<Picture, 'type' | 'content'>

/** Returns one version of a picture. A picture that was uploaded in a small width has only one version. */
export async function pictureFile(db: Database, digest: Buffer, isSmall: boolean): Promise<StoredFile | undefined> {
  const content = isSmall ? sql`coalesce(small, content)` : sql`content`
  const { rows } = await sql<StoredFile>`
    select type, ${content} as content from pictures where digest = ${digest}`.execute(db)
  return rows[0]
}

/**
 * Records since when the business definition names a picture no longer. Then deletes the pictures that were unused for
 * the whole time since `before`.
 */
export async function unusedPicturesDelete(db: Database, { now, before }: { now: Date; before: Date }): Promise<void> {
  await db.transaction().execute(async (tx) => {
    // A new definition may name an unused picture again. Therefore no definition may be applied meanwhile.
    await sql`lock table business in share mode`.execute(tx)
    await sql`
      with used as (
        select decode(found[1], 'hex') as digest
        from business, regexp_matches(definition::text, ${DIGESTS_IN_TEXT}, 'g') as found)
      update pictures set unused_since = case when digest in (select digest from used) then null else ${now}::timestamptz end
      where (unused_since is null) <> (digest in (select digest from used))`.execute(tx)
    await sql`delete from pictures where unused_since < ${before}`.execute(tx)
  })
}
