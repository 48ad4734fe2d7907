import { setImmediate as othersTurn } from 'node:timers/promises'
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
import { StoryAgenda } from './story-agenda.ts'
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
  const teller = await StoryTeller.start(runtime, staffId, story.toldAt)
  const agenda = await agendaOf(teller, definition, seed)
  for (let event = agenda.next(); event && event.at <= story.toldAt.getTime(); event = agenda.next()) {
    if (shouldStop()) return
    agenda.add((await event.run().catch(ignoreRefusal)) ?? [])
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

/** A time of the story can be taken, for example by a booking of the owner. The story then goes on without this step. */
function ignoreRefusal(error: unknown): undefined {
  if (error instanceof StoryRefusedError || error instanceof StepDoneError || error instanceof ProtocolError) return
  throw error
}
