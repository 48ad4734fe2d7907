/** What something can be, and what makes it so. The pictures in `docs/states.md` are made from these. */
export interface Machine<Status extends string, Step extends string> {
  name: string
  /** Where each step leads from each status. What a status does not list cannot be done to it. */
  steps: Readonly<Record<Status, Partial<Record<Step, Status>>>>
  next(from: Status, step: Step): Status | undefined
  /** The same for who has made sure that it leads somewhere. */
  after(from: Status, step: Step): Status
  isOver(status: Status): boolean
  /** What it can be when nothing follows. */
  endings: Status[]
}

export function machine<Status extends string, Step extends string>(
  name: string,
  steps: Readonly<Record<Status, Partial<Record<Step, NoInfer<Status>>>>>,
): Machine<Status, Step> {
  const next = (from: Status, step: Step): Status | undefined => steps[from][step]
  const isOver = (status: Status) => Object.keys(steps[status]).length === 0
  return {
    ...{ name, steps, next, isOver },
    after(from, step) {
      const reached = next(from, step)
      if (reached === undefined) throw new Error(`${name}: ${step} leads nowhere from ${from}`)
      return reached
    },
    endings: (Object.keys(steps) as Status[]).filter(isOver),
  }
}
