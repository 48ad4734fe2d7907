import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { errors } from 'oidc-provider'
import { clientFind } from '../../core/authentication/api-keys.ts'
import { assistantFind, documentId } from '../../core/tokens/registered-assistants.ts'
import { digestOf } from '../../core/tokens/stored-oauth-state.ts'
import type { Database } from '../../infra/db/database.ts'
import { isReferenceMissing } from '../../infra/db/database-failures.ts'
import { asRecord } from '../../infra/util/object-members.ts'
import type { Offers } from './oauth-features.ts'

/**
 * The storage for the OAuth library oidc-provider. Clients have their own store. All other data, such as tokens and
 * grants, are in the table `oauth_state`.
 */
export const providerStorage = (db: Database, clock: () => Date, offers: Offers) => (model: string) =>
  model === 'Client' ? clientStore(db, offers) : stateStore(db, clock, model)

/**
 * A random placeholder that the OAuth library gets as the secret of each client, because the library requires a secret.
 * The database has only digests of the real secrets. `isSecretOf` compares the secret in a call with a digest.
 */
const NO_SECRET = randomBytes(32).toString('base64url')

const clientStore = (db: Database, { platforms, linking, assistants }: Offers) => ({
  async find(id: string) {
    // PostgreSQL rejects NUL characters, so a client id with a NUL character counts as unknown.
    if (id.includes('\0')) return undefined
    return (
      (platforms && (await platformFind(db, id, linking))) || (assistants && (await publicFind(db, id))) || undefined
    )
  },
})

async function platformFind(db: Database, id: string, linking: boolean) {
  const client = await clientFind(db, id)
  if (!client) return undefined
  const links = linking && client.redirect_uris.length > 0
  return {
    client_id: id,
    client_name: client.name,
    client_secret: NO_SECRET,
    grant_types: ['client_credentials', ...(links ? ['authorization_code', 'refresh_token'] : [])],
    response_types: links ? ['code'] : [],
    response_modes: ['query'],
    redirect_uris: links ? client.redirect_uris : [],
  }
}

/**
 * Finds an assistant by its id, or by the URL of its metadata document. In OAuth, an assistant is a public client,
 * which has no secret.
 */
async function publicFind(db: Database, id: string) {
  const found = await assistantFind(db, id.startsWith('https:') ? documentId(id) : id)
  return (
    found && {
      client_id: found.id,
      client_name: found.name,
      token_endpoint_auth_method: 'none',
      // With the type `native`, redirects to a person's own machine work with any port of the loopback address (RFC
      // 8252).
      application_type: 'native',
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      response_modes: ['query'],
      redirect_uris: found.redirect_uris,
    }
  )
}

/**
 * Converts a database error to a refused grant (the buyer's permission) if the account was deleted while the server
 * stored the grant. Throws all other errors again.
 */
function refuseWithoutAccount(error: unknown): never {
  throw isReferenceMissing(error) ? new errors.InvalidGrant('no account') : error
}

const stateStore = (db: Database, clock: () => Date, model: string) => ({
  async find(id: string): Promise<unknown> {
    const entry = await db
      .selectFrom('oauth_state')
      .select('payload')
      .where('model', '=', model)
      .where('id', '=', digestOf(id))
      .where('expires_at', '>', clock())
      .executeTakeFirst()
    return entry && { ...asRecord(entry.payload), jti: id }
  },
  async upsert(
    id: string,
    { jti: _, ...payload }: { jti?: string; accountId?: string; grantId?: string },
    seconds: number,
  ) {
    const until = new Date(clock().getTime() + seconds * 1000)
    const grant = model === 'Grant' ? id : payload.grantId
    await sql`
      insert into oauth_state (model, id, payload, expires_at, account_id, grant_id)
      values (${model}, ${digestOf(id)}, ${JSON.stringify(payload)}, ${until}, ${payload.accountId ?? null},
        ${grant === undefined ? null : digestOf(grant)})
      on conflict (model, id) do update set payload = excluded.payload, expires_at = excluded.expires_at,
        account_id = excluded.account_id, grant_id = excluded.grant_id`
      .execute(db)
      .catch(refuseWithoutAccount)
  },
  /**
   * Marks an authorization code or refresh token as used. A second use is an attack or a fault, so the server then
   * deletes all tokens of the same grant (the buyer's permission).
   */
  async consume(id: string) {
    const { rows } = await sql`
      update oauth_state set payload = payload || '{"consumed": true}'
      where model = ${model} and id = ${digestOf(id)} and payload -> 'consumed' is null
      returning id`.execute(db)
    if (rows.length > 0) return
    await sql`
      delete from oauth_state where grant_id in
        (select grant_id from oauth_state where model = ${model} and id = ${digestOf(id)})`.execute(db)
    throw new errors.InvalidGrant('already used')
  },
  async destroy(id: string) {
    await db.deleteFrom('oauth_state').where('model', '=', model).where('id', '=', digestOf(id)).execute()
  },
  async revokeByGrantId(id: string) {
    await db.deleteFrom('oauth_state').where('model', '=', model).where('grant_id', '=', digestOf(id)).execute()
  },
  /** Never finds a stored sign-in session, because each request for access to an account requires a new sign-in. */
  async findByUid() {
    return undefined
  },
})
