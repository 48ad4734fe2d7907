import type { FastifyRequest } from 'fastify'
import type { View } from '../pages/layout.ts'
import type { KeptName } from './choice.ts'

/** A request for one of the pages, as a step needs it. */
export interface Asking extends Pick<FastifyRequest, 'speech' | 'peer'> {
  query: URLSearchParams
  form: URLSearchParams
  /** What this browser remembers to keep. */
  remembered: KeptName | undefined
  /** Whether this browser remembers that it booked this. */
  hasSent(bookingId: string): boolean
}

/** Where a step leads: who has just booked may see everything about the booking, whichever of its pages comes first. */
interface Onwards {
  to: string
  opened?: string
  kept?: KeptName & { until: Date }
}

export type StepAnswer = Promise<View | Onwards | undefined>
