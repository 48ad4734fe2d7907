import type { BusinessDefinition, ServiceDefinition } from '../../src/protocol/types.generated.ts'
import { business } from './salon.ts'

const EVERY_DAY = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'] as const
/** The number of services that share one teacher and one room. Their classes never overlap. */
const SHARING = 3

interface Gym {
  services: number
  days: number
  /**
   * The start times of one service on each day. They are minutes after the start of the part of the day that belongs to
   * the service.
   */
  starts: readonly number[]
  capacity?: number
  timezone?: string
  described?: number
}

/** A gym that has only group classes. Each service has a teacher, a room, and the same times every day. */
export function gym({ services, days, starts, capacity = 40, timezone, described = 0 }: Gym): BusinessDefinition {
  const teachers = Math.ceil(services / SHARING)
  const definition = business(
    Array.from({ length: services }, (_, nth) => classOf(nth, { days, starts, capacity, described })),
    teachers,
  )
  const rooms = Array.from({ length: teachers }, (_, nth) => ({
    id: `room_${nth + 1}`,
    type: 'room' as const,
    name: `Room ${nth + 1}`,
  }))
  return {
    ...definition,
    business: { ...definition.business, ...(timezone && { timezone }) },
    hours: [{ days: [...EVERY_DAY], opens: '06:00', closes: '22:00' }],
    resources: [...(definition.resources ?? []), ...rooms],
  }
}

function classOf(
  nth: number,
  { days, starts, capacity, described }: Required<Omit<Gym, 'services' | 'timezone'>>,
): ServiceDefinition {
  const shared = Math.floor(nth / SHARING) + 1
  const first = 7 * 60 + (nth % SHARING) * 5 * 60
  return {
    id: `svc_${nth + 1}`,
    name: `Class ${nth + 1}`,
    ...(described > 0 && { description: { plain: 'Breathe in, and out. '.repeat(described / 21) } }),
    type: 'group',
    duration: { fixed: 'PT50M' },
    pricing: { model: 'free', currency: 'USD' },
    channel: { type: 'phone' },
    capacity: { max: capacity },
    sessions: starts.map((minutes) => ({
      days: [...EVERY_DAY],
      starts: clock(first + minutes),
      resources: [`staff_${shared}`, `room_${shared}`],
    })),
    policies: {
      cancellation: { allowed: true },
      rescheduling: { allowed: true },
      booking_window: { min_advance: 'PT1H', max_advance: `P${days}D`, slot_interval: 'PT30M' },
      confirmation_mode: 'auto',
      requires_payment: false,
    },
  }
}

const clock = (minutes: number) =>
  `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`
