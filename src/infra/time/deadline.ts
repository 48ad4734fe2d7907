import { SECOND } from './units.ts'

/**
 * Rounds a deadline down to whole seconds. Answers publish whole seconds, and nothing may count after its published
 * deadline.
 */
export const deadlineAt = (instant: number): Date => new Date(Math.floor(instant / SECOND) * SECOND)
