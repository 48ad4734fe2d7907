import { sql } from 'kysely'
import { LISTENER_APPLICATION_NAME } from '../core/jobs/postgres-notify-listener.ts'
import { reseal } from '../core/keys/reencrypt-stored-secrets.ts'
import { isDue, type KeyState, listKeys, rotateKey, withdrawKey } from '../core/keys/rotate-keys.ts'
import { accessKeys, withdrawAccessKey } from '../core/tokens/token-signing-keys.ts'
import { resealAddresses } from '../domain/busy-times/reseal-addresses.ts'
import { resealCalendarApps } from '../domain/desk/setup/reseal-calendar-apps.ts'
import { resealClientSecret } from '../domain/desk/setup/reseal-client-secret.ts'
import type { Config } from '../infra/config/read-config.ts'
import { type Database, SERVER_APPLICATION_NAME } from '../infra/db/database.ts'
import { PlainError, USP } from '../infra/util/command-line-error.ts'
import { table } from './format-table.ts'
import { open } from './open-database.ts'

const USAGE = `Usage: ${USP} keys list | rotate | compromise KID | reseal`

export async function run([action, kid = '']: string[]) {
  if (!['list', 'rotate', 'compromise', 'reseal'].includes(action ?? '') || (action === 'compromise' && !kid))
    throw new PlainError(USAGE)
  const { runtime, close } = await open({ schema: action === 'reseal' ? 'known' : 'fitting' })
  try {
    const now = runtime.clock()
    if (action === 'list') console.log(table(await listed(runtime.db, now)))
    else if (action === 'reseal') console.log(await resealStored(runtime.db, runtime.config))
    else if (action === 'rotate') console.log(rotated(await rotateKey(runtime, now)))
    else if (await withdrawKey(runtime, kid, now))
      console.log(`${kid} was removed from the profile and no longer signs.`)
    else if (await withdrawAccessKey(runtime.db, kid))
      console.log(
        `${kid} was removed. Restart the servers: they create a new key, and clients must request new access tokens.`,
      )
    else throw new PlainError(`There is no key ${kid}. See: ${USP} keys list`)
  } finally {
    await close()
  }
}

const rotated = (kid: string) =>
  `${kid} is published now and starts to sign in five minutes. The old key stays published for a week after that.`

async function listed(db: Database, now: Date) {
  const ofTokens = (await accessKeys(db)).map(({ kid, created_at }) => ({
    kid,
    created: created_at,
    signs: 'access tokens',
    'published until': 'withdrawn',
  }))
  return [...shown(await listKeys(db), now), ...ofTokens]
}

function shown(keys: KeyState[], now: Date) {
  const signing = keys.findLast(({ signs_from }) => signs_from <= now)
  return keys.map((key) => ({
    kid: key.kid,
    created: key.created_at,
    signs: key === signing ? signsNow(key, now) : key.signs_from > now ? 'soon' : 'no longer',
    'published until': key.published_until ?? 'rotation',
  }))
}

const signsNow = (key: KeyState, now: Date) =>
  key.published_until === null && isDue(key, now) ? 'now, due for rotation' : 'now'

/**
 * Decrypts the secrets in the database with the former secret key, and encrypts them with the current secret key.
 * Returns a text for the operator about the result.
 */
export async function resealStored(db: Database, { secretKey, formerSecretKey }: Config): Promise<string> {
  if (secretKey === undefined || formerSecretKey === undefined)
    throw new PlainError('Set USP_SECRET_KEY to the new value and USP_SECRET_KEY_OLD to the previous one.')
  if (secretKey === formerSecretKey)
    throw new PlainError('USP_SECRET_KEY and USP_SECRET_KEY_OLD are the same. Set USP_SECRET_KEY to the new value.')
  if (await doesServerRun(db))
    throw new PlainError(
      'A server is running on this database. Stop all servers, run this again, then start them with the new key.',
    )
  const secrets = { former: formerSecretKey, next: secretKey }
  const steps = [resealAddresses, resealCalendarApps, resealClientSecret]
  const { keys, replies, unreadable } = await reseal(db, secrets, steps)
  return [
    `${keys} keys and ${replies} stored replies are sealed with the new key. Start the servers with it, without USP_SECRET_KEY_OLD.`,
    ...(unreadable > 0
      ? [`${unreadable} stored replies could not be opened with the old key. Retries of these calls are refused.`]
      : []),
  ].join('\n')
}

/**
 * Whether a server is connected to this database. If so, the command refuses to continue. Each server has one
 * connection for notifications that bypasses the pooler. With a pooler, PostgreSQL recognizes a server only by this
 * connection.
 */
async function doesServerRun(db: Database): Promise<boolean> {
  const { rows } = await sql`
    select from pg_stat_activity
    where application_name in (${SERVER_APPLICATION_NAME}, ${LISTENER_APPLICATION_NAME}) and datname = current_database() limit 1`.execute(
    db,
  )
  return rows.length > 0
}
