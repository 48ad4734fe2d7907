import { createHmac, hash, type KeyObject } from 'node:crypto'
import { seal, unseal } from '../core/keys/encrypt-secrets.ts'
import { findReply, oldestValid } from '../core/records/stored-replies.ts'
import type { Database } from '../infra/db/database.ts'
import type { UnitOfWork } from '../infra/db/unit-of-work.ts'
import { asRecord } from '../infra/util/object-members.ts'
import type { Call } from '../protocol/define-operation.ts'
import { ProtocolError } from '../protocol/errors.ts'
import { canonical } from '../protocol/parse-json-safely.ts'

/** The parts of an answer that the server stores. With them, it can send exactly the same answer to a retry. */
export interface StoredReply {
  status: number
  text: string
  summary: string
}

/** Returns the idempotency key of a call. Refuses a call without this key if its operation requires one. */
export function idempotencyKey(call: Call): string | undefined {
  const { binding, headers, meta, named, submission } = call
  if (submission) return submission.key
  const keyOfRequest = named?.key ?? headers['idempotency-key']
  const key: unknown = binding === 'mcp' ? asRecord(asRecord(meta).usp).idempotency_key : keyOfRequest
  if (key === undefined) return refuseIfNeeded(call)
  if (typeof key !== 'string' || !/^[\x20-\x7e]{1,255}$/.test(key))
    throw new ProtocolError('invalid_request', 'Idempotency-Key must have 1 to 255 visible characters; a UUID is best.')
  return key
}

function refuseIfNeeded({ operation: { needsKey }, named }: Call): undefined {
  if (needsKey === undefined || (needsKey === 'over REST' && named)) return
  const field = named ? 'meta.idempotency-key' : 'Idempotency-Key'
  const advice = 'Send a new UUID for each intended change, and the same UUID for a retry.'
  throw new ProtocolError('invalid_request', `Refused: ${field} is missing. ${advice}`, {
    errors: [{ field, message: 'is missing' }],
  })
}

/** This error means that another call with the same idempotency key has stored its answer first. */
export class IdempotencyKeyTakenError extends Error {}

interface ReplyStorage {
  key: string
  boxKey: KeyObject
  now: Date
}

interface RequestIdentity {
  principal: string
  publisher: string | null
  fingerprint: Buffer
}

export const requestIdentityOf = (call: Call, key: KeyObject): RequestIdentity => ({
  principal: call.caller?.principal ?? '',
  publisher: call.caller?.publisher ?? null,
  fingerprint: fingerprintOf(call, key),
})

export async function findStoredReply(
  db: Database,
  identity: RequestIdentity,
  { key, boxKey, now }: ReplyStorage,
): Promise<StoredReply | undefined> {
  const first = await findReply(db, key, identity, now)
  if (!first) return undefined
  if (!first.reply)
    throw new ProtocolError(
      'idempotency_conflict',
      'The stored answer was erased with the personal data in it. Use a new key.',
    )
  if (!first.fingerprint.equals(identity.fingerprint))
    throw new ProtocolError('idempotency_conflict', 'This Idempotency-Key was used for another request. Use a new one.')
  return unsealedReply(first.reply, boxKey)
}

/**
 * Decrypts a stored answer. If the secret key was lost, the server cannot read the answer. It then refuses the call and
 * does not run the operation a second time.
 */
function unsealedReply(reply: Buffer, boxKey: KeyObject): StoredReply {
  try {
    return JSON.parse(unseal(boxKey, reply))
  } catch {
    throw new ProtocolError(
      'idempotency_conflict',
      'The first call was carried out, but its answer can no longer be read. Check its effect before you use a ' +
        'new key.',
    )
  }
}

/**
 * Stores the answer of a call in the transaction of its changes. If the idempotency key already has a stored answer,
 * PostgreSQL rolls back the whole transaction.
 */
export function storeReply(
  tx: UnitOfWork,
  { principal, publisher, fingerprint }: RequestIdentity,
  { people, ...stored }: StoredReply & { people: readonly string[] },
  { key, boxKey, now }: ReplyStorage,
): void {
  const reply = seal(boxKey, JSON.stringify(stored))
  tx.require({
    name: 'keep_reply',
    values: [publisher, principal, key, fingerprint, reply, ...subjectsOf(people), now, oldestValid(now)],
    refusal: () => new IdempotencyKeyTakenError(),
  })
}

/**
 * Splits the bookings or waitlist entries of the people in an answer into two columns: the first, and a list if there
 * are several. Servers of the previous version read only the first column.
 */
const subjectsOf = (people: readonly string[]): [string | null, readonly string[] | null] => [
  people[0] ?? null,
  people.length > 1 ? people : null,
]

/**
 * Returns a digest of the call, from which the server recognizes a repeated call. If the input contains a secret, the
 * digest needs the key. Otherwise, somebody with a copy of the database could guess the secret.
 */
export function fingerprintOf(
  { operation, input, submission }: Pick<Call, 'operation' | 'input' | 'submission'>,
  key: KeyObject,
): Buffer {
  const text = `${operation.id} ${submission ? submission.content : canonical(input)}`
  return operation.hasSecretInput ? createHmac('sha256', key).update(text).digest() : hash('sha256', text, 'buffer')
}
