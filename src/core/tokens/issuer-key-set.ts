import { createLocalJWKSet, errors, type JSONWebKeySet, type JWTVerifyGetKey } from 'jose'
import { MINUTE } from '../../infra/time/time-units.ts'
import { ProtocolError } from '../../protocol/errors.ts'

export interface KeySet<T extends Keys> {
  /**
   * Returns the token issuer's keys that the server read last, without waiting. If these keys are old, the server reads
   * new keys in the background.
   */
  lastRead(): T | undefined
  find: JWTVerifyGetKey
}

interface Keys {
  keys: JSONWebKeySet
}

interface Known<T> {
  value: T
  find: JWTVerifyGetKey
}

/**
 * How long the server may use cached keys of a token issuer, in milliseconds. If the issuer answers, tokens with a
 * withdrawn key stay valid for at most this time. The server already reads the keys again in the background before this
 * time ends.
 */
const LIFETIME_MS = 5 * MINUTE
const RENEWED_AFTER_MS = 4 * MINUTE
const PAUSE_MS = MINUTE
/**
 * The maximum number of calls that may wait for a slow token issuer. With more waiting calls, the server could no
 * longer answer other calls.
 */
const MOST_WAITING = 20
const PAUSE_AFTER_FAILURE_MS = 5_000

/**
 * Caches the keys of a token issuer for some minutes. If a token names an unknown key, the server reads the keys again,
 * but at most once a minute, because callers can send any number of invalid tokens. The minute begins at the end of a
 * read, because a read can take longer than a minute.
 */
export function keySet<T extends Keys>(load: () => Promise<T>, clock: () => Date): KeySet<T> {
  let known: Known<T> | undefined
  let failure: unknown
  let endedAt = Number.NEGATIVE_INFINITY
  let inProgress: Promise<void> | undefined

  const sinceEnd = () => clock().getTime() - endedAt
  const pause = () =>
    known === undefined ? PAUSE_AFTER_FAILURE_MS : failure === undefined ? RENEWED_AFTER_MS : PAUSE_MS
  const isDue = () => sinceEnd() > pause()
  const read = () => {
    inProgress ??= attempt().finally(() => {
      endedAt = clock().getTime()
      inProgress = undefined
    })
    return inProgress
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
      // While the token issuer does not answer, the server uses the cached keys, so that calls do not wait for the
      // issuer.
      if (!known || (failure === undefined && sinceEnd() > LIFETIME_MS)) await waitFor(reading)
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
        if (!(error instanceof errors.JWKSNoMatchingKey) || sinceEnd() <= PAUSE_MS) throw error
        await waitFor(read())
        return (await current()).find(header, token)
      }
    },
  }
}

const busy = () =>
  new ProtocolError('service_unavailable', 'The server is loading the keys of the token issuer. Try again shortly.', {
    retryAfter: 5,
  })
