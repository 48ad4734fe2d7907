import type { FastifyRequest } from 'fastify'
import type { CallDependencies } from '../../pipeline/dispatch-operation.ts'
import type { Dependencies } from '../../protocol/dependency-types.ts'
import type { View } from '../pages/page-layout.ts'
import type { HoldReference } from './visitor-choices.ts'

export interface StepRequest extends Pick<FastifyRequest, 'localizer' | 'peer'> {
  query: URLSearchParams
  form: URLSearchParams
  /** The hold (a reserved slot) that the visitor's browser has stored in a cookie. */
  remembered: HoldReference | undefined
  /** Whether a cookie proves that this browser created the booking. */
  hasSent(bookingId: string): boolean
}

/**
 * A redirect after the visitor has completed a step of the booking. `opened` is the id of a booking that the browser
 * may open from now on. `newHold` is the hold (a reserved slot) that the step created.
 */
interface StepRedirect {
  to: string
  opened?: string
  newHold?: HoldReference & { until: Date }
}

export type StepAnswer = Promise<View | StepRedirect | undefined>

export type BookDependencies = CallDependencies & Dependencies<'log'>
