import { ProtocolError } from './errors.ts'

/** The content of a sealed address, form or challenge; undefined when the seal has expired or is not from this server. */
export function openSealed<T>(open: () => T): T | undefined {
  try {
    return open()
  } catch (error) {
    if (error instanceof ProtocolError) return undefined
    throw error
  }
}
