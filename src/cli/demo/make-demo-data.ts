import { setImmediate as othersTurn, setTimeout as pass } from 'node:timers/promises'
import { firstOwner } from '../../core/authentication/staff-members.ts'
import { findDemoData, logFinish } from '../../domain/desk/demo/demo-data-audit-log.ts'
import { dateIn } from '../../infra/time/time-zone.ts'
import { ProtocolError } from '../../protocol/errors.ts'
import type { BusinessDefinition } from '../../protocol/types.generated.ts'
import type { Runtime } from '../../server/build-dependencies.ts'
import { StepRefusedError } from './call-operations.ts'
import { DemoSimulation } from './demo-simulation.ts'
import { inboxEvents } from './fill-inbox.ts'
import { classEvents, findNextClasses } from './fill-next-classes.ts'
import { closingEvents } from './plan-blocked-times.ts'
import { planVisits } from './plan-visits.ts'
import { simulatedDays } from './simulated-days.ts'
import { EventQueue, type SimulatedEvent } from './simulated-event-queue.ts'
import { StepDoneError } from './simulated-time.ts'
import { visitEvent } from './visit-events.ts'

const SEED = 'glamour'

/**
 * Makes the demo bookings of the past four weeks and the next three weeks. Each step calls an operation of the server
 * at a simulated time. If an earlier start of the server began the simulation, the function continues it. It returns
 * early if `shouldStop` returns true.
 */
export async function makeDemoData(
  runtime: Runtime,
  { seed = SEED, shouldStop = () => false }: { seed?: string; shouldStop?: () => boolean } = {},
): Promise<void> {
  const demo = await findDemoData(runtime.db)
  const definition = await runtime.business.get()
  if (demo?.state !== 'begun' || !definition) return
  const staffId = (await firstOwner(runtime.db)) ?? 'demo'
  const simulation = new DemoSimulation(runtime, { staffId, begunAt: demo.begunAt })
  await simulation.readDoneSteps()
  const queue = await eventQueueOf(simulation, definition, seed)
  for (let event = queue.next(); event && event.at <= demo.begunAt.getTime(); event = queue.next()) {
    if (shouldStop()) return
    const following = await runEvent(event, runtime)
    if (following === 'removed') return
    queue.add(following)
    await othersTurn()
  }
  await runtime.makeChange(async (tx) => logFinish(tx, runtime.clock()))
}

async function eventQueueOf(
  simulation: DemoSimulation,
  definition: BusinessDefinition,
  seed: string,
): Promise<EventQueue> {
  const zone = definition.business.timezone
  const begunAt = simulation.begunAt.getTime()
  const days = simulatedDays(definition, dateIn(zone, begunAt))
  const classes = await findNextClasses(simulation, { days, begunAt })
  const arrangedClasses = classes.map(({ start }) => dateIn(zone, Date.parse(start)))
  const frame = { seed, zone, begunAt, days, arrangedClasses }
  const queue = new EventQueue()
  queue.add(closingEvents(simulation, frame))
  queue.add(planVisits(frame).map((visit) => visitEvent(simulation, visit)))
  queue.add(classEvents(simulation, classes, frame))
  queue.add(inboxEvents(simulation, frame))
  return queue
}

/**
 * The number of attempts to run an event, and the pause between two attempts in milliseconds. An attempt can fail while
 * the database does not answer.
 */
const [ATTEMPTS, PAUSE_MS] = [5, 1_000]
const TEMPORARY = new Set<string>(['service_unavailable', 'rate_limited'])

/**
 * Runs an event of the simulation, and returns the events that follow from it. If the business refuses the event, for
 * example because the owner has booked its time, the simulation continues without the event.
 */
async function runEvent(
  event: SimulatedEvent,
  { log }: Pick<Runtime, 'log'>,
): Promise<readonly SimulatedEvent[] | 'removed'> {
  for (let attempt = 1; ; attempt++)
    try {
      return (await event.run()) ?? []
    } catch (error) {
      if (isRefusal(error)) {
        log.debug({ err: error, at: new Date(event.at) }, 'The demo data go on without a step that was refused.')
        return []
      }
      // The owner has removed the demo data while the simulation ran.
      if (error instanceof StepDoneError) return 'removed'
      if (attempt === ATTEMPTS) throw error
      await pass(PAUSE_MS)
    }
}

const isRefusal = (error: unknown): boolean =>
  error instanceof StepRefusedError || (error instanceof ProtocolError && !TEMPORARY.has(error.code))
