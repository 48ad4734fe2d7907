import { explainAvailability } from '../../domain/availability/explain-availability.ts'
import type { Plan } from '../../domain/availability/plan.ts'
import { ProtocolError } from '../../protocol/errors.ts'
import type { ExplainAvailability } from '../../protocol/types.generated.ts'
import { ask } from './ask.ts'
import { questionsOf, type Wish } from './free-times.ts'
import type { Asked } from './tool.ts'

type Nearest = ExplainAvailability['output']['instead'][number]

export interface Explained {
  plan: Plan
  reasons: string[]
  instead: Nearest[]
}

/** Only the first queries are explained. */
const MOST = 4

/** Explains each query of the search. A search over too many days gets no explanation. */
export async function explained(plans: readonly Plan[], wish: Wish, asked: Asked): Promise<Explained[]> {
  const answers = await Promise.all(
    questionsOf(plans, wish)
      .slice(0, MOST)
      .map(async ({ plan, input }) => {
        const answer = await ask(explainAvailability, { ...input, locale: 'en' }, asked).catch(unlessTooWide)
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
