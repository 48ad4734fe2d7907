import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import type { Database } from '../db/database.ts'
import { isClient } from '../trust/api-keys.ts'

/** Where oidc-provider keeps what it must remember, as it wants it: a store for each of its models. */
export const stateIn = (db: Database, clock: () => Date) => (model: string) =>
  model === 'Client' ? clientsIn(db) : entriesIn(db, clock, model)

/** Callers choose what is looked for, and the database takes no NUL. */
const isStorable = (id: string) => !id.includes('\0')

/** The provider wants to hold a secret; the true ones are digests in the database, and compared there. */
const NO_SECRET = randomBytes(32).toString('base64url')

const clientsIn = (db: Database) => ({
  async find(id: string) {
    if (!isStorable(id) || !(await isClient(db, id))) return undefined
    return {
      client_id: id,
      client_secret: NO_SECRET,
      grant_types: ['client_credentials'],
      response_types: [],
      redirect_uris: [],
    }
  },
})

const entriesIn = (db: Database, clock: () => Date, model: string) => ({
  async find(id: string): Promise<unknown> {
    if (!isStorable(id)) return undefined
    const entry = await db
      .selectFrom('oauth_state')
      .select('payload')
      .where('model', '=', model)
      .where('id', '=', id)
      .where('expires_at', '>', clock())
      .executeTakeFirst()
    return entry?.payload
  },
  async upsert(id: string, payload: object, seconds: number) {
    const until = new Date(clock().getTime() + seconds * 1000)
    await sql`
      insert into oauth_state (model, id, payload, expires_at)
      values (${model}, ${id}, ${JSON.stringify(payload)}, ${until})
      on conflict (model, id) do update set payload = excluded.payload, expires_at = excluded.expires_at`.execute(db)
  },
  async destroy(id: string) {
    await db.deleteFrom('oauth_state').where('model', '=', model).where('id', '=', id).execute()
  },
})

export async function forgetOldState(db: Database, now: Date): Promise<void> {
  await db.deleteFrom('oauth_state').where('expires_at', '<', now).execute()
}
