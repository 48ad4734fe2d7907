import { requireStoredKeysOpen } from '../core/keys/signing-keys.ts'
import { PlainError } from '../infra/util/command-line-error.ts'
import type { Runtime } from '../server/build-dependencies.ts'

const CHECK_INTERVAL_MS = 5_000

/**
 * Stops the server if its secret key can no longer decrypt the stored keys. Otherwise, the server would encrypt new
 * secrets that the other servers cannot decrypt.
 */
export function watchSecret({ db, signingBox, log }: Pick<Runtime, 'db' | 'signingBox' | 'log'>): () => Promise<void> {
  const check = () =>
    requireStoredKeysOpen(db, signingBox).catch((error) => {
      if (!(error instanceof PlainError))
        return log.warn({ err: error }, 'The server could not check that USP_SECRET_KEY still opens the stored keys.')
      // The error is thrown outside the promise, so that it ends the process like any other fatal error.
      setImmediate(() => {
        throw error
      })
    })
  let checking: Promise<unknown> | undefined
  const timer = setInterval(() => {
    checking ??= check().finally(() => {
      checking = undefined
    })
  }, CHECK_INTERVAL_MS)
  timer.unref()
  return async () => {
    clearInterval(timer)
    await checking
  }
}
