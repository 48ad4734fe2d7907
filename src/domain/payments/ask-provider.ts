import type { Pace } from '../../core/jobs/pace.ts'
import { ProviderError } from './provider.ts'

/** Asks the provider, and has the pace know whether it answered: a no is an answer, too. */
export async function askProvider<T>(pace: Pace, ask: () => Promise<T>): Promise<T> {
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
