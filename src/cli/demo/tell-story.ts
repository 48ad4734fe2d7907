import { setImmediate as othersTurn, setTimeout as pass } from 'node:timers/promises'
import { firstOwner } from '../../core/authentication/staff-members.ts'
import { findDemoStory, logFinish } from '../../domain/desk/demo/demo-log.ts'
import { dateIn } from '../../infra/time/time-zone.ts'
import { ProtocolError } from '../../protocol/errors.ts'
import type { BusinessDefinition } from '../../protocol/types.generated.ts'
import type { Runtime } from '../../server/shared-services.ts'
import { classEvents, findNextClasses } from './arrange-classes.ts'
import { closingEvents } from './close-times.ts'
import { inboxEvents } from './fill-inbox.ts'
import { visitEvent } from './live-visit.ts'
import { planVisits } from './plan-visits.ts'
import { StoryAgenda, type StoryEvent } from './story-agenda.ts'
import { StoryRefusedError } from './story-calls.ts'
import { storyDays } from './story-days.ts'
import { StoryTeller } from './story-teller.ts'
import { StepDoneError } from './story-time.ts'

const SEED = 'glamour'

/**
 * Makes the bookings of the demo: four weeks of the past, and three weeks to come. Each step is a call of an operation
 * as at its time in the story. If the story was begun earlier, the function goes on with it. Returns early if
 * `shouldStop` returns true.
 */
export async function tellStory(
  runtime: Runtime,
  { seed = SEED, shouldStop = () => false }: { seed?: string; shouldStop?: () => boolean } = {},
): Promise<void> {
  const story = await findDemoStory(runtime.db)
  const definition = await runtime.business.get()
  if (story?.state !== 'begun' || !definition) return
  const staffId = (await firstOwner(runtime.db)) ?? 'demo'
  const teller = new StoryTeller(runtime, { staffId, toldAt: story.toldAt })
  await teller.readDoneSteps()
  const agenda = await agendaOf(teller, definition, seed)
  for (let event = agenda.next(); event && event.at <= story.toldAt.getTime(); event = agenda.next()) {
    if (shouldStop()) return
    const following = await runEvent(event, runtime)
    if (following === 'removed') return
    agenda.add(following)
    await othersTurn()
  }
  await runtime.makeChange(async (tx) => logFinish(tx, runtime.clock()))
}

async function agendaOf(teller: StoryTeller, definition: BusinessDefinition, seed: string): Promise<StoryAgenda> {
  const zone = definition.business.timezone
  const toldAt = teller.toldAt.getTime()
  const days = storyDays(definition, dateIn(zone, toldAt))
  const classes = await findNextClasses(teller, { days, toldAt })
  const arrangedClasses = classes.map(({ start }) => dateIn(zone, Date.parse(start)))
  const frame = { seed, zone, toldAt, days, arrangedClasses }
  const agenda = new StoryAgenda()
  agenda.add(closingEvents(teller, frame))
  agenda.add(planVisits(frame).map((visit) => visitEvent(teller, visit)))
  agenda.add(classEvents(teller, classes, frame))
  agenda.add(inboxEvents(teller, frame))
  return agenda
}

/** How often the function tries an event, for example while the database does not answer, and the pause in milliseconds. */
const [ATTEMPTS, PAUSE_MS] = [5, 1_000]
const TEMPORARY = new Set<string>(['service_unavailable', 'rate_limited'])

/**
 * Runs an event, and returns the events that follow. A time of the story can be taken, for example by a booking of the
 * owner. The story then goes on without this event.
 */
async function runEvent(event: StoryEvent, { log }: Pick<Runtime, 'log'>): Promise<readonly StoryEvent[] | 'removed'> {
  for (let attempt = 1; ; attempt++)
    try {
      return (await event.run()) ?? []
    } catch (error) {
      if (isRefusal(error)) {
        log.debug({ err: error, at: new Date(event.at) }, 'The demo data go on without a step that was refused.')
        return []
      }
      // The owner has removed the demo data meanwhile.
      if (error instanceof StepDoneError) return 'removed'
      if (attempt === ATTEMPTS) throw error
      await pass(PAUSE_MS)
    }
}

const isRefusal = (error: unknown): boolean =>
  error instanceof StoryRefusedError || (error instanceof ProtocolError && !TEMPORARY.has(error.code))
