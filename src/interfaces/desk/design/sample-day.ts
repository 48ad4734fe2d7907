import { fileURLToPath } from 'node:url'
import { readDefinitionFile } from '../../../domain/definition/read-definition.ts'
import { once } from '../../../infra/util/memoize.ts'
import { DEMO_BUSINESS } from '../../assets/demo-pictures.ts'
import type { Day } from '../day-entries.ts'

/** The business of the examples: the demo salon. */
export const sampleBusiness = once(() => readDefinitionFile(fileURLToPath(DEMO_BUSINESS)).definition)

export const ZONE = 'America/New_York'
/** The day of the examples, a Wednesday. It never changes, so that the pages look the same on each day. */
export const DATE = '2026-06-17'

export const at = (clock: string, date = DATE) => `${date}T${clock}:00-04:00`
export const NOW = new Date(at('11:20'))

const span = (from: string, to: string, date: string) => ({ start: at(from, date), end: at(to, date) })

type DayBooking = Day['bookings'][number]
type Line = [status: DayBooking['status'], from: string, to: string, name: string, resource: string, service?: string]

const TAGS: Partial<Record<string, string[]>> = {
  'Ruth Adeyemi': ['Latex allergy'],
  'Omar Santos': ['New', 'Nut allergy'],
}

/** A booking in each state that the calendar shows, and cards of different heights. */
const LINES: readonly Line[] = [
  ['completed', '09:00', '10:00', 'Alice Williams', 'staff_jane'],
  ['in_progress', '10:45', '11:45', 'Ruth Adeyemi', 'staff_jane'],
  ['confirmed', '12:00', '12:20', 'Marta Oliveira', 'staff_jane', 'svc_consult'],
  ['pending', '13:00', '14:00', 'Yuki Tanaka', 'staff_jane'],
  ['confirmed', '15:00', '16:00', 'Bartholomew Featherstonehaugh-Cholmondeley', 'staff_jane'],
  ['no_show', '11:00', '12:00', 'Peter Novak', 'staff_alex'],
  ['requires_action', '13:30', '14:30', 'Claire Dubois', 'staff_alex'],
  ['confirmed', '13:00', '15:30', 'Sara Haddad', 'staff_nina', 'svc_color'],
  ['confirmed', '10:00', '10:05', 'Ines Moreau', 'staff_nina', 'svc_consult'],
  ['confirmed', '10:05', '10:15', 'Jörg Ängström', 'staff_nina', 'svc_consult'],
  ['confirmed', '10:15', '10:30', 'Aylin Yılmaz', 'staff_nina', 'svc_consult'],
  ['confirmed', '10:30', '11:00', 'Omar Santos', 'staff_nina', 'svc_consult'],
  ['confirmed', '12:15', '13:00', 'Greg Byrne', 'staff_alex', 'svc_haircut'],
]

/** One day of the calendar with an entry of each kind. */
export function sampleDay(date = DATE): Day {
  const { services, resources = [] } = sampleBusiness()
  const nameOf = (id: string) => services.find((one) => one.id === id)?.name ?? id
  const working = (id: string, from: string, to: string) => {
    const { name = id, type = 'staff' } = resources.find((one) => one.id === id) ?? {}
    return { id, name, type, there: [span(from, to, date)] }
  }
  return {
    date,
    timezone: ZONE,
    resources: [
      working('staff_jane', '09:00', '18:00'),
      working('staff_alex', '10:00', '18:00'),
      working('staff_nina', '10:00', '18:00'),
      working('room_studio', '09:00', '18:00'),
    ],
    bookings: LINES.map(([status, from, to, name, resource, service_id = 'svc_haircut'], nth) => ({
      id: `example_${nth}`,
      service_id,
      service_name: nameOf(service_id),
      status,
      ...span(from, to, date),
      party_size: service_id === 'svc_color' ? 2 : 1,
      name,
      tags: TAGS[name] ?? [],
      ...(name === 'Marta Oliveira' && { attending: true }),
      resource_ids: [resource],
    })),
    sessions: [
      {
        id: 'example_class',
        service_id: 'svc_yoga',
        ...span('16:30', '17:30', date),
        resource_ids: ['room_studio'],
        capacity: 8,
        taken: 6,
        held: 0,
        status: 'open',
      },
    ],
    blocks: [
      {
        id: 'example_block',
        resource_id: 'staff_alex',
        ...span('15:30', '17:00', date),
        reason: 'Dentist',
        created_by: 'staff',
        created_at: at('09:00', date),
      },
    ],
    busy: [{ resource_id: 'staff_nina', ...span('16:30', '17:30', date) }],
    holds: [
      { kind: 'hold', ...span('11:00', '11:45', date), expires_at: at('11:30', date), resource_id: 'staff_nina' },
    ],
  }
}
