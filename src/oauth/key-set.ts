import { createLocalJWKSet, errors, type JSONWebKeySet, type JWTVerifyGetKey } from 'jose'

export interface KeySet<T extends Keys> {
  /** What was read last; read anew when it is old. */
  get(): Promise<T>
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

const LIFETIME = 3_600_000
const PAUSE = 60_000
const PAUSE_AFTER_FAILURE = 5_000

/**
 * The keys of an issuer, kept for an hour. A token that names another key has them read again, but not more than once a
 * minute: who calls with nonsense must not make us read at will.
 */
export function keySet<T extends Keys>(load: () => Promise<T>, clock: () => Date): KeySet<T> {
  let known: Known<T> | undefined
  let triedAt = Number.NEGATIVE_INFINITY
  let failure: unknown
  let underway: Promise<void> | undefined

  const age = () => clock().getTime() - triedAt
  const readOnce = () => {
    underway ??= read().finally(() => {
      underway = undefined
    })
    return underway
  }
  const read = async () => {
    triedAt = clock().getTime()
    try {
      const value = await load()
      known = { value, find: createLocalJWKSet(value.keys) }
    } catch (error) {
      failure = error
    }
  }
  const current = async (): Promise<Known<T>> => {
    if (underway || age() > (known ? LIFETIME : PAUSE_AFTER_FAILURE)) await readOnce()
    // Keys that were read once still serve while their issuer cannot be reached.
    if (!known) throw failure
    return known
  }

  return {
    get: async () => (await current()).value,
    async find(header, token) {
      const { find } = await current()
      try {
        return await find(header, token)
      } catch (error) {
        if (!(error instanceof errors.JWKSNoMatchingKey) || age() <= PAUSE) throw error
        await readOnce()
        return (await current()).find(header, token)
      }
    },
  }
}
