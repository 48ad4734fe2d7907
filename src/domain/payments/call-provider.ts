import type { Backoff } from '../../core/jobs/backoff.ts'
import { ProviderError } from './provider.ts'

/** Calls the provider and records for the backoff whether it responded. A refusal is a response, too. */
export async function callProvider<T>(pace: Backoff, ask: () => Promise<T>): Promise<T> {
  try {
    const answer = await ask()
    pace.answered()
    return answer
  } catch (error) {
    if (error instanceof ProviderError && error.isFinal) pace.answered()
    else if (error instanceof ProviderError) pace.unanswered()
    throw error
  }
}
