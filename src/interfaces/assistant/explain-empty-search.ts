import { explainAvailability } from '../../domain/availability/explain-availability.ts'
import type { Plan } from '../../domain/availability/service-scheduling-plan.ts'
import { ProtocolError } from '../../protocol/errors.ts'
import type { ExplainAvailability } from '../../protocol/types.generated.ts'
import { callOperation } from './call-operation.ts'
import { queriesOf, type TimeSearch } from './search-free-times.ts'
import type { ToolContext } from './tool-definition.ts'

type Nearest = ExplainAvailability['output']['instead'][number]

export interface Explanation {
  plan: Plan
  reasons: string[]
  instead: Nearest[]
}

/**
 * The maximum number of queries that one answer explains. A search for free times can consist of several queries, for
 * example one for each service.
 */
const MOST = 4

/** Explains why a search found no free time. The result is empty if the search covers too many days. */
export async function explainSearch(
  plans: readonly Plan[],
  timeSearch: TimeSearch,
  toolContext: ToolContext,
): Promise<Explanation[]> {
  const answers = await Promise.all(
    queriesOf(plans, timeSearch)
      .slice(0, MOST)
      .map(async ({ plan, input }) => {
        const answer = await callOperation(explainAvailability, { ...input, locale: 'en' }, toolContext).catch(
          unlessTooWide,
        )
        if (!answer || answer.refusal) return undefined
        const { reasons, instead } = answer.result
        return { plan, reasons: reasons.map(({ content }) => content), instead }
      }),
  )
  return answers.filter((answer) => answer !== undefined)
}

function unlessTooWide(error: unknown): undefined {
  if (!(error instanceof ProtocolError) || error.code !== 'range_too_wide') throw error
}
