/** Why an address that a caller chose is not called, or could not be. */
export class EgressError extends Error {
  readonly reason: 'forbidden' | 'unreachable' | 'oversized'

  constructor(reason: 'forbidden' | 'unreachable' | 'oversized', message: string) {
    super(message)
    this.reason = reason
  }
}

export const noAnswer = () => new EgressError('unreachable', 'did not answer')
