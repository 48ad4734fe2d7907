import type { FastifyRequest } from 'fastify'
import type { View } from '../pages/layout.ts'

/** A request for one of the pages, as a step needs it. */
export interface Asking extends Pick<FastifyRequest, 'speech' | 'peer'> {
  query: URLSearchParams
  form: URLSearchParams
  /** Whether this browser remembers that it booked this. */
  hasSent(bookingId: string): boolean
}

/** Who has just booked may see everything about the booking, whichever of its pages comes first. */
export type StepAnswer = Promise<View | { to: string; opened?: string } | undefined>
