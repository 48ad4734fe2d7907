import { createLocalJWKSet, errors, type JSONWebKeySet, type JWTVerifyGetKey } from 'jose'
import { MINUTE } from '../../infra/time/units.ts'
import { ProtocolError } from '../../protocol/errors.ts'

export interface KeySet<T extends Keys> {
  /** What was read last, at once. When it is old it is read anew meanwhile. */
  lastRead(): T | undefined
  /** The key that a token names. */
  find: JWTVerifyGetKey
}

interface Keys {
  keys: JSONWebKeySet
}

interface Known<T> {
  value: T
  find: JWTVerifyGetKey
}

/** A key that the issuer took back counts no longer than this; before, it is read anew while nobody waits. */
const LIFETIME = 5 * MINUTE
const RENEWED_AFTER = 4 * MINUTE
const PAUSE = MINUTE
/** Calls that wait for the issuer, which may take its time: more of them would keep others from being answered. */
const MOST_WAITING = 20
const PAUSE_AFTER_FAILURE = 5_000

/**
 * The keys of an issuer, kept for minutes. A token that names another key has them read again, but not more than once a
 * minute: who calls with nonsense must not make us read at will. Pauses count from the end of an attempt, since one may
 * take longer than the pause.
 */
export function keySet<T extends Keys>(load: () => Promise<T>, clock: () => Date): KeySet<T> {
  let known: Known<T> | undefined
  let failure: unknown
  let endedAt = Number.NEGATIVE_INFINITY
  let underway: Promise<void> | undefined

  const sinceEnd = () => clock().getTime() - endedAt
  const pause = () => (known === undefined ? PAUSE_AFTER_FAILURE : failure === undefined ? RENEWED_AFTER : PAUSE)
  const isDue = () => sinceEnd() > pause()
  const read = () => {
    underway ??= attempt().finally(() => {
      endedAt = clock().getTime()
      underway = undefined
    })
    return underway
  }
  const attempt = async () => {
    try {
      const value = await load()
      known = { value, find: createLocalJWKSet(value.keys) }
      failure = undefined
    } catch (error) {
      failure = error
    }
  }
  let waiting = 0
  const waitFor = async (reading: Promise<void>) => {
    if (waiting >= MOST_WAITING) throw busy()
    waiting++
    await reading.finally(() => waiting--)
  }
  const current = async (): Promise<Known<T>> => {
    if (isDue()) {
      const reading = read()
      // Keys that were read once still serve while their issuer is away, and nobody waits to learn that it still is.
      if (!known || (failure === undefined && sinceEnd() > LIFETIME)) await waitFor(reading)
    }
    if (!known) throw failure
    return known
  }

  return {
    lastRead() {
      if (isDue()) read()
      return known?.value
    },
    async find(header, token) {
      const { find } = await current()
      try {
        return await find(header, token)
      } catch (error) {
        if (!(error instanceof errors.JWKSNoMatchingKey) || sinceEnd() <= PAUSE) throw error
        await waitFor(read())
        return (await current()).find(header, token)
      }
    },
  }
}

const busy = () =>
  new ProtocolError(
    'service_unavailable',
    'The keys of the issuer of access tokens are being read. Try again shortly.',
    {
      retryAfter: 5,
    },
  )
