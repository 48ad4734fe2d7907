import type { FastifyRequest } from 'fastify'
import type { CallDependencies } from '../../pipeline/dispatch.ts'
import type { Dependencies } from '../../protocol/dependencies.ts'
import type { View } from '../pages/layout.ts'
import type { HoldReference } from './visitor-choices.ts'

export interface StepRequest extends Pick<FastifyRequest, 'localizer' | 'peer'> {
  query: URLSearchParams
  form: URLSearchParams
  /** The hold in the cookie of the browser. */
  remembered: HoldReference | undefined
  /** Whether a cookie shows that the browser created the booking. */
  hasSent(bookingId: string): boolean
}

/**
 * A redirect after a step. From now on, the browser may see the booking `opened` with all data. `newHold` is the hold
 * that the step created.
 */
interface StepRedirect {
  to: string
  opened?: string
  newHold?: HoldReference & { until: Date }
}

export type StepAnswer = Promise<View | StepRedirect | undefined>

export type BookDependencies = CallDependencies & Dependencies<'log'>
