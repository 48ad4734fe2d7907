import { checkedTarget, EgressError } from '../../core/egress/egress.ts'
import { limitOutboundCalls } from '../../core/limits/caller-fetch-limits.ts'
import { ProtocolError } from '../../protocol/errors.ts'
import type { Context } from '../../protocol/operation.ts'

/** Checks the address now. Each delivery checks it again. */
export async function checkCallback(url: string, { config, peer }: Pick<Context, 'config' | 'peer'>): Promise<void> {
  try {
    await limitOutboundCalls(peer.address, () => checkedTarget(url, config))
  } catch (error) {
    if (!(error instanceof EgressError)) throw error
    const message = `callback_url ${error.message}.`
    throw new ProtocolError('validation_error', message, {
      errors: [{ field: 'callback_url', message: error.message }],
    })
  }
}
