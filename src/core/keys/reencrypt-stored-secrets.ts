import type { KeyObject } from 'node:crypto'
import { sql } from 'kysely'
import type { Database, Tx } from '../../infra/db/database.ts'
import { PlainError } from '../../infra/util/command-line-error.ts'
import { mailServerReplace, storedMailServer } from '../business/mail-server-queries.ts'
import { storedTextProvider, textProviderDelete, textProviderReplace } from '../business/text-provider-queries.ts'
import { type SealingKeys, seal, sealingKeysOf, unsealIfPossible } from './encrypt-secrets.ts'

export interface Resealed {
  keys: number
  replies: number
  /**
   * The number of stored replies that the former secret key cannot decrypt. If a caller repeats one of these calls, the
   * server cannot return the stored reply.
   */
  unreadable: number
}

export interface SealingKeyChange {
  former: KeyObject
  next: KeyObject
}

/** Re-encrypts the rows of a table that a higher layer owns, in the transaction of all other changes. */
export type ResealStep = (tx: Tx, keys: { former: SealingKeys; next: SealingKeys }) => Promise<void>

/**
 * Decrypts all encrypted rows with the former secret key, and encrypts them with the next secret key. All changes
 * happen in one transaction. Table locks prevent other writes until the transaction ends.
 */
export async function reseal(
  db: Database,
  secrets: { former: string; next: string },
  steps: readonly ResealStep[] = [],
): Promise<Resealed> {
  const [former, next] = [sealingKeysOf(secrets.former), sealingKeysOf(secrets.next)]
  return db.transaction().execute(async (tx) => {
    await sql`
      lock table signing_keys, oauth_keys, mail_server, push_key, push_subscriptions, text_provider, replies
      in share row exclusive mode`.execute(tx)
    const signing = await resealKeys(tx, 'signing_keys', { former: former.signingKeys, next: next.signingKeys })
    const oauth = await resealKeys(tx, 'oauth_keys', { former: former.oauthKeys, next: next.oauthKeys })
    await resealMailPassword(tx, { former: former.mailServer, next: next.mailServer })
    await resealPushData(tx, { former: former.push, next: next.push })
    await resealTextSecret(tx, { former: former.textProvider, next: next.textProvider })
    for (const step of steps) await step(tx, { former, next })
    return { keys: signing + oauth, ...(await resealReplies(tx, { former: former.replies, next: next.replies })) }
  })
}

async function resealKeys(tx: Tx, table: 'signing_keys' | 'oauth_keys', box: SealingKeyChange): Promise<number> {
  const stored = await tx.selectFrom(table).select(['kid', 'private_jwk']).execute()
  for (const { kid, private_jwk: sealed } of stored) {
    const private_jwk = resealed(sealed, box)
    if (!private_jwk)
      throw new PlainError(
        'USP_SECRET_KEY_OLD does not open the keys stored in this database. Nothing was changed. Set it to the value ' +
          'that the servers had until now.',
      )
    await tx.updateTable(table).set({ private_jwk }).where('kid', '=', kid).execute()
  }
  return stored.length
}

/**
 * Re-encrypts the password of the mail server. If the former secret key cannot decrypt the password, the function
 * deletes it, and an owner must enter it again.
 */
async function resealMailPassword(tx: Tx, box: SealingKeyChange): Promise<void> {
  const server = await storedMailServer(tx)
  if (server?.password) await mailServerReplace(tx, { ...server, password: resealed(server.password, box) ?? null })
}

/**
 * Encrypts the data for push notifications with the new secret key: the push key, and the addresses of the browsers. If
 * the former secret key cannot decrypt these data, the function deletes them. The server then creates a new push key, and
 * the staff must turn the notifications on again.
 */
async function resealPushData(tx: Tx, box: SealingKeyChange): Promise<void> {
  const key = await tx.selectFrom('push_key').select('private_jwk').executeTakeFirst()
  const private_jwk = key && resealed(key.private_jwk, box)
  if (private_jwk) await tx.updateTable('push_key').set({ private_jwk }).execute()
  else await tx.deleteFrom('push_key').execute()
  for (const { id, sealed: stored } of await tx.selectFrom('push_subscriptions').select(['id', 'sealed']).execute()) {
    const sealed = private_jwk && resealed(stored, box)
    if (sealed) await tx.updateTable('push_subscriptions').set({ sealed }).where('id', '=', id).execute()
    else await tx.deleteFrom('push_subscriptions').where('id', '=', id).execute()
  }
}

/**
 * Re-encrypts the secret of the provider of text messages. If the former secret key cannot decrypt it, the function
 * deletes the provider, and an owner must enter it again.
 */
async function resealTextSecret(tx: Tx, box: SealingKeyChange): Promise<void> {
  const provider = await storedTextProvider(tx)
  if (!provider) return
  const secret = resealed(provider.secret, box)
  if (secret) await textProviderReplace(tx, { ...provider, secret })
  else await textProviderDelete(tx)
}

const BATCH = 500

/**
 * Re-encrypts the stored replies (answers to earlier calls) in batches, because the replies of a busy week do not fit
 * into memory.
 */
async function resealReplies(tx: Tx, box: SealingKeyChange): Promise<Pick<Resealed, 'replies' | 'unreadable'>> {
  const counts = { replies: 0, unreadable: 0 }
  let last = { principal: '', key: '' }
  for (;;) {
    const { rows } = await sql<{ principal: string; key: string; reply: Buffer }>`
      select principal, key, reply from replies
      where (principal, key) > (${last.principal}, ${last.key}) and reply is not null
      order by principal, key limit ${BATCH}`.execute(tx)
    last = rows.at(-1) ?? last
    const opened = rows.flatMap(({ reply, ...row }) => {
      const sealed = resealed(reply, box)
      return sealed ? [{ ...row, reply: sealed.toString('hex') }] : []
    })
    await sql`
      update replies set reply = decode(new.reply, 'hex')
      from jsonb_to_recordset(${JSON.stringify(opened)}) as new (principal text, key text, reply text)
      where (replies.principal, replies.key) = (new.principal, new.key)`.execute(tx)
    counts.replies += opened.length
    counts.unreadable += rows.length - opened.length
    if (rows.length < BATCH) return counts
  }
}

/** Returns undefined if the former secret key cannot decrypt the text. */
export function resealed(sealed: Buffer, { former, next }: SealingKeyChange): Buffer | undefined {
  const text = unsealIfPossible(former, sealed)
  return text === undefined ? undefined : seal(next, text)
}
