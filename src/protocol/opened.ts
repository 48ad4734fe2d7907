import { ProtocolError } from './errors.ts'

/** What was sealed into an address, a form or a challenge; nothing where the seal is too old, or not of this server. */
export function opened<T>(open: () => T): T | undefined {
  try {
    return open()
  } catch (error) {
    if (error instanceof ProtocolError) return undefined
    throw error
  }
}
