import { sql } from 'kysely'
import type { StoredMailServer } from '../../infra/config/mail-server.ts'
import type { Database, Tx } from '../../infra/db/database.ts'

/** Lets only one transaction at a time change or test the mail server. The lock lasts until the transaction ends. */
export async function mailServerLock(tx: Tx): Promise<void> {
  await sql`lock table mail_server in share row exclusive mode`.execute(tx)
}

/** Returns the number of the last change of the mail server. Returns null if none is stored. */
export async function mailServerRevision(db: Database): Promise<string | null> {
  const { rows } = await sql<{ revision: string }>`select revision from mail_server`.execute(db)
  return rows[0]?.revision ?? null
}

export async function storedMailServer(db: Database): Promise<StoredMailServer | undefined> {
  const { rows } = await sql<StoredMailServer>`
    select host, port, security, username, password, sender from mail_server`.execute(db)
  return rows[0]
}

/**
 * Replaces the stored mail server. The transaction must hold the lock of the table. Each new row gets a new revision. The
 * revision shows other processes the change.
 */
export async function mailServerReplace(tx: Tx, server: StoredMailServer): Promise<void> {
  await mailServerDelete(tx)
  const { host, port, security, username, password, sender } = server
  await sql`
    insert into mail_server (host, port, security, username, password, sender)
    values (${host}, ${port}, ${security}, ${username}, ${password}, ${sender})`.execute(tx)
}

export async function mailServerDelete(tx: Tx): Promise<void> {
  await sql`delete from mail_server`.execute(tx)
}
