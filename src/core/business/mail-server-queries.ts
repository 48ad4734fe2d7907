import { sql } from 'kysely'
import type { StoredMailServer } from '../../infra/config/mail-server.ts'
import type { Database, Tx } from '../../infra/db/database.ts'

export async function storedMailServer(db: Database): Promise<StoredMailServer | undefined> {
  const { rows } = await sql<StoredMailServer>`
    select host, port, security, username, password, sender from mail_server`.execute(db)
  return rows[0]
}

/** Replaces the stored mail server. Each new row gets a new revision, from which the other processes notice the change. */
export async function mailServerReplace(tx: Tx, server: StoredMailServer): Promise<void> {
  await mailServerDelete(tx)
  const { host, port, security, username, password, sender } = server
  await sql`
    insert into mail_server (host, port, security, username, password, sender)
    values (${host}, ${port}, ${security}, ${username}, ${password}, ${sender})`.execute(tx)
}

/** Deletes the stored mail server. Returns whether there was one. Concurrent changes wait until this one has ended. */
export async function mailServerDelete(tx: Tx): Promise<boolean> {
  await sql`lock table mail_server in share row exclusive mode`.execute(tx)
  const { rows } = await sql`delete from mail_server returning host`.execute(tx)
  return rows.length > 0
}
