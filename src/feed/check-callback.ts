import type { Config } from '../config.ts'
import { ProtocolError } from '../protocol/errors.ts'
import { checkedTarget, EgressError } from '../trust/egress.ts'

/** An address that we are to call must be one that may be called, now and each time it is. */
export async function checkCallback(url: string, config: Config): Promise<void> {
  try {
    await checkedTarget(url, config)
  } catch (error) {
    if (!(error instanceof EgressError)) throw error
    const message = `callback_url ${error.message}.`
    throw new ProtocolError('validation_error', message, {
      errors: [{ field: 'callback_url', message: error.message }],
    })
  }
}
