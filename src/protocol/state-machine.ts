/**
 * A state machine: its statuses and the steps between them. A script draws the diagrams in `docs/states.md` from it.
 */
export interface StateMachine<Status extends string, Step extends string> {
  name: string
  /** For each status: the allowed steps, and the status after each step. */
  steps: Readonly<Record<Status, Partial<Record<Step, Status>>>>
  next(from: Status, step: Step): Status | undefined
  /** Returns the status after a step, like `next`. Throws an error if the step is not allowed. */
  after(from: Status, step: Step): Status
  isOver(status: Status): boolean
  endings: Status[]
}

export function stateMachine<Status extends string, Step extends string>(
  name: string,
  steps: Readonly<Record<Status, Partial<Record<Step, NoInfer<Status>>>>>,
): StateMachine<Status, Step> {
  const next = (from: Status, step: Step): Status | undefined => steps[from][step]
  const isOver = (status: Status) => Object.keys(steps[status]).length === 0
  return {
    name,
    steps,
    next,
    isOver,
    after(from, step) {
      const reached = next(from, step)
      if (reached === undefined) throw new Error(`${name}: ${step} leads nowhere from ${from}`)
      return reached
    },
    endings: (Object.keys(steps) as Status[]).filter(isOver),
  }
}
