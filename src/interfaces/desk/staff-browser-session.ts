import type { FastifyReply, FastifyRequest } from 'fastify'
import {
  DESK_SESSION_SECONDS,
  type SignedInStaff,
  staffOfSession,
  staffSessionBegin,
  staffSessionEnd,
} from '../../core/authentication/staff-sessions.ts'
import type { UnitOfWork } from '../../infra/db/unit-of-work.ts'
import type { Dependencies } from '../../protocol/dependency-types.ts'
import { ownCookie } from '../pages/cookies.ts'

/**
 * The maximum number of characters in the stored name of a device. The name comes from the `User-Agent` header, which
 * can have any length.
 */
const MAX_DEVICE_CHARACTERS = 200

const cookie = ownCookie('usp_desk')

export async function findSignedInStaff(
  request: FastifyRequest,
  { db, clock, config }: Dependencies<'db' | 'clock' | 'config'>,
): Promise<SignedInStaff | undefined> {
  const secret = cookie.read(request, config)
  return secret === '' ? undefined : staffOfSession(db, secret, clock())
}

interface SignIn {
  /** Returns the id of the staff member who signs in. Returns undefined if the sign-in is not valid. */
  findStaff(tx: UnitOfWork, now: Date): Promise<string | undefined>
  /** The secret of the new browser session. If this value is undefined, the server creates a secret. */
  secret?: string | undefined
  /** Whether the staff member signs in with a company account. These sessions end when an owner removes the sign-in. */
  isByCompany?: boolean
}

/**
 * Starts a new session for the browser, and ends its previous session. Returns the id of the staff member, or undefined
 * if the sign-in fails.
 */
export async function signIn(
  { findStaff, secret, isByCompany = false }: SignIn,
  request: FastifyRequest,
  reply: FastifyReply,
  dependencies: Dependencies<'db' | 'clock' | 'config' | 'makeChange'>,
): Promise<string | undefined> {
  const now = dependencies.clock()
  const before = await findSignedInStaff(request, dependencies)
  const entered = await dependencies.makeChange(async (tx) => {
    const staffId = await findStaff(tx, now)
    if (staffId === undefined) return undefined
    if (before) await staffSessionEnd(tx, before.id, before.session)
    return {
      staffId,
      secret: await staffSessionBegin(tx, { staffId, device: deviceOf(request), secret, isByCompany }, now),
    }
  })
  if (entered) cookie.keep(reply, entered.secret, DESK_SESSION_SECONDS, dependencies.config)
  return entered?.staffId
}

/**
 * Signs the browser in to an existing browser session. Returns the id of the staff member, or undefined if the session
 * has ended.
 */
export async function resumeSession(
  secret: string,
  reply: FastifyReply,
  { db, clock, config }: Dependencies<'db' | 'clock' | 'config'>,
): Promise<string | undefined> {
  const found = await staffOfSession(db, secret, clock())
  if (found) cookie.keep(reply, secret, DESK_SESSION_SECONDS, config)
  return found?.id
}

export const deviceOf = ({ headers }: Pick<FastifyRequest, 'headers'>): string =>
  String(headers['user-agent'] ?? '').slice(0, MAX_DEVICE_CHARACTERS)

export async function signOut(who: SignedInStaff, reply: FastifyReply, { db, config }: Dependencies<'db' | 'config'>) {
  await staffSessionEnd(db, who.id, who.session)
  cookie.keep(reply, '', 0, config)
}
