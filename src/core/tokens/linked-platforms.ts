import { sql } from 'kysely'
import type { Database } from '../../infra/db/database.ts'
import { type Scope, scopesIn } from './oauth-scopes.ts'
import { digestOf } from './stored-oauth-state.ts'

/** SQL for all programs that a buyer can authorize: AI assistants, and the platforms that the business registered. */
const clients = sql`(
  select id, name, redirect_uris from clients union all select id, name, redirect_uris from assistants)`

export interface LinkedPlatform {
  client: string
  name: string
  /**
   * The hosts in the redirect URLs of the assistant or platform. The pages show these hosts, because an assistant
   * chooses its own name and the server cannot verify the name.
   */
  hosts: string[]
  since: Date
  scopes: Scope[]
}

/**
 * Finds the permission (grant) of a buyer that led to a token. Returns undefined if the token is revoked, or if the
 * permission, the buyer's account or the client no longer exists.
 */
export async function findValidGrant(
  db: Database,
  { jti, client, account, grant }: { jti: string; client: string; account: string; grant: string },
  now: Date,
): Promise<{ isProven: boolean } | undefined> {
  const { rows } = await sql<{ isProven: boolean }>`
    select exists (select from buyer_accounts where id = ${account} and verified_at is not null) as "isProven"
    from oauth_state g join ${clients} c on c.id = g.payload ->> 'clientId'
    where g.model = 'Grant' and g.id = ${digestOf(grant)} and g.account_id = ${account} and c.id = ${client}
      and g.expires_at > ${now} and not exists (select from revoked_tokens where jti = ${jti})`.execute(db)
  return rows[0]
}

const MOST_GRANTS = 30

/**
 * If an account has given too many permissions (grants) to platforms and assistants, deletes the least recently used
 * ones. Each use of a permission creates a refresh token. Therefore the newest refresh token shows the last use.
 */
export async function limitGrants(db: Database, account: string): Promise<void> {
  await sql`
    delete from oauth_state where grant_id in (
      select g.id from oauth_state g
      left join oauth_state r on r.grant_id = g.id and r.model = 'RefreshToken'
      where g.model = 'Grant' and g.account_id = ${account}
      group by g.id, g.payload
      order by greatest(max((r.payload ->> 'iat')::integer), (g.payload ->> 'iat')::integer) desc offset ${MOST_GRANTS}
    )`.execute(db)
}

interface Found {
  client: string
  name: string
  redirect_uris: string[]
  since: number
  scope: string | null
}

export async function linksOf(db: Database, account: string, now: Date): Promise<LinkedPlatform[]> {
  const { rows } = await sql<Found>`
    select c.id as client, c.name, c.redirect_uris, min((g.payload ->> 'iat')::integer) as since,
      string_agg((select string_agg(scope, ' ') from jsonb_each_text(g.payload -> 'resources') r (resource, scope)), ' ') as scope
    from oauth_state g join ${clients} c on c.id = g.payload ->> 'clientId'
    where g.model = 'Grant' and g.account_id = ${account} and g.expires_at > ${now}
    group by c.id, c.name, c.redirect_uris order by since, c.id`.execute(db)
  return rows.map(({ client, name, redirect_uris, since, scope }) => ({
    client,
    name,
    since: new Date(since * 1000),
    scopes: scopesIn(scope),
    hosts: [...new Set(redirect_uris.map((uri) => new URL(uri).hostname))],
  }))
}

/**
 * Ends all permissions (grants) that an account gave to a platform or assistant. All tokens from these permissions end
 * too.
 */
export async function unlink(db: Database, account: string, client: string): Promise<void> {
  await sql`
    delete from oauth_state where grant_id in
      (select id from oauth_state
       where model = 'Grant' and account_id = ${account} and payload ->> 'clientId' = ${client})`.execute(db)
}
