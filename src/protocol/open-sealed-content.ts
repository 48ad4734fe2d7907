import { ProtocolError } from './errors.ts'

/**
 * Opens content, such as a form, that this server sealed (protected against changes) earlier. Returns undefined if the
 * seal has expired or the content was changed.
 */
export function openSealed<T>(open: () => T): T | undefined {
  try {
    return open()
  } catch (error) {
    if (error instanceof ProtocolError) return undefined
    throw error
  }
}
