import type { FastifyRequest } from 'fastify'
import type { CallDependencies } from '../../pipeline/dispatch.ts'
import type { Dependencies } from '../../protocol/dependencies.ts'
import type { View } from '../pages/layout.ts'
import type { HoldReference } from './visitor-choices.ts'

export interface StepRequest extends Pick<FastifyRequest, 'localizer' | 'peer'> {
  query: URLSearchParams
  form: URLSearchParams
  /** The hold in the cookie of this browser. */
  remembered: HoldReference | undefined
  /** Whether a cookie of this browser says that it made this booking. */
  hasSent(bookingId: string): boolean
}

/**
 * A redirect after a step. `opened` is the booking that the browser may see in full from now on; `newHold` is the new
 * hold.
 */
interface StepRedirect {
  to: string
  opened?: string
  newHold?: HoldReference & { until: Date }
}

export type StepAnswer = Promise<View | StepRedirect | undefined>

export type BookDependencies = CallDependencies & Dependencies<'log'>
