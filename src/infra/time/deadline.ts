import { SECOND } from './units.ts'

/** Deadlines are stored in whole seconds, as answers publish them: nothing counts after its published deadline. */
export const deadlineAt = (instant: number): Date => new Date(Math.floor(instant / SECOND) * SECOND)
