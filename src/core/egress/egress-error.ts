/** The server refuses to call an address that a caller named, or the call failed. */
export class EgressError extends Error {
  readonly reason: 'forbidden' | 'unreachable' | 'oversized'

  constructor(reason: 'forbidden' | 'unreachable' | 'oversized', message: string) {
    super(message)
    this.reason = reason
  }
}

export const noAnswer = () => new EgressError('unreachable', 'did not answer')
