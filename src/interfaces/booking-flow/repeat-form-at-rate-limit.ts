import type { Localizer } from '../../infra/i18n/localizer.ts'
import { errors, ProtocolError } from '../../protocol/errors.ts'
import { retryAfterOf } from '../http/problem-details.ts'
import type { View } from '../pages/page-layout.ts'
import { limitText } from '../pages/refusal-texts.ts'

/**
 * Runs the function `work` for a submitted form. If the visitor has reached a rate limit, shows the form again with all
 * input.
 */
export async function showAgainAtLimit<T>(
  work: () => Promise<T>,
  again: (note: string) => View | Promise<View>,
  localizer: Localizer,
): Promise<T | View> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof ProtocolError) || error.code !== 'rate_limited') throw error
    const note = limitText(error, localizer)
    return { ...(await again(note)), status: errors.rate_limited.http, retryAfter: retryAfterOf(error) ?? 0 }
  }
}
