import { sql } from 'kysely'
import type { Database } from '../../infra/db/database.ts'
import { newSecret } from '../keys/encrypt-secrets.ts'
import { digestOf } from './stored-oauth-state.ts'

/** The value of the column `model` that marks a row of `oauth_state` as a command that waits for the consent of a person. */
const MODEL = 'CalendarGrant'

/** The answer of a provider to a command: the encrypted code in base64url form, or that the person refused. */
export type GrantAnswer = { code: string } | { isRefused: true }

const PREFIX = 'terminal'

/** Makes the state of an authorization request that a command begins. Only its digest is stored. */
export const newTerminalState = (): string => newSecret(PREFIX)

/** Whether the state of an authorization request belongs to a command, and not to a page of the desk. */
export const isForTerminal = (state: string): boolean => state.startsWith(`${PREFIX}_`)

export async function grantBegin(
  db: Database,
  { state, provider }: { state: string; provider: string },
  expires_at: Date,
): Promise<void> {
  const payload = JSON.stringify({ provider })
  await db
    .insertInto('oauth_state')
    .values({ model: MODEL, id: digestOf(state), payload, expires_at })
    .execute()
}

/** Passes the answer of the provider to the command that waits for it. Returns false if none waits, or if it has one. */
export async function grantAnswer(
  db: Database,
  { state, provider }: { state: string; provider: string },
  answer: GrantAnswer,
  now: Date,
): Promise<boolean> {
  const { rows } = await sql`
    update oauth_state set payload = payload || ${JSON.stringify({ answer })}::jsonb
    where model = ${MODEL} and id = ${digestOf(state)} and payload ->> 'provider' = ${provider} and expires_at > ${now}
      and not payload ? 'answer' returning id`.execute(db)
  return rows.length > 0
}

export async function grantAnswerOf(db: Database, state: string): Promise<GrantAnswer | undefined> {
  const { rows } = await sql<{ answer: GrantAnswer | null }>`
    select payload -> 'answer' as answer from oauth_state where model = ${MODEL} and id = ${digestOf(state)}`.execute(
    db,
  )
  return rows[0]?.answer ?? undefined
}

export async function grantEnd(db: Database, state: string): Promise<void> {
  await db.deleteFrom('oauth_state').where('model', '=', MODEL).where('id', '=', digestOf(state)).execute()
}
