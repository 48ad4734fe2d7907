import type { Database } from '../../infra/db/database.ts'

/** Records the newest backup. The metrics report its time and size. */
export async function lastBackupUpsert(db: Database, backup: { taken_at: Date; bytes: number }): Promise<void> {
  const row = { only_row: true, ...backup }
  await db
    .insertInto('last_backup')
    .values(row)
    .onConflict((conflict) => conflict.column('only_row').doUpdateSet(backup))
    .execute()
}

export const lastBackupFind = (db: Database) =>
  db.selectFrom('last_backup').select(['taken_at', 'bytes']).executeTakeFirst()
