import { explainAvailability } from '../../availability/explain-availability.ts'
import type { Plan } from '../../availability/plan.ts'
import { ProtocolError } from '../../protocol/errors.ts'
import type { ExplainAvailability } from '../../protocol/types.generated.ts'
import { ask } from './ask.ts'
import { peopleFor, type Wish } from './free-times.ts'
import type { Asked } from './tool.ts'

type Nearest = ExplainAvailability['output']['instead'][number]

/** Why nothing of a service is free, and what comes nearest. */
export interface Explained {
  plan: Plan
  reasons: string[]
  instead: Nearest[]
}

/** Whoever asks for more gets the first of what was asked for explained. */
const MOST = 4

/** The same of all that was asked for; nothing of more days than are explained at once. */
export async function explained(plans: readonly Plan[], wish: Wish, asked: Asked): Promise<Explained[]> {
  const { from, to, party, location } = wish
  const questions = plans.flatMap((plan) => peopleFor(plan, wish).map((person) => ({ plan, person }))).slice(0, MOST)
  const answers = await Promise.all(
    questions.map(async ({ plan, person }) => {
      const input = {
        ...{ service_id: plan.service.id, start_date: from, end_date: to, locale: 'en' },
        ...(person !== undefined && { resource_id: person }),
        ...(party !== undefined && { party_size: party }),
        ...(location !== undefined && { location_id: location }),
      }
      const answer = await ask(explainAvailability, input, asked).catch(unlessTooWide)
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

export const DIFFERENCES: Record<Nearest['differs'], string> = {
  earlier: 'Earlier',
  later: 'Later',
  resource: 'With others',
  location: 'Elsewhere',
  duration: 'For another length',
}
