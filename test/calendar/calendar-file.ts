import ICAL from 'ical.js'
import nodeIcal from 'node-ical'
import type { Shop, Who } from '../support/desk.ts'
import type { Answer } from '../support/server.ts'

export const fileOf = (shop: Shop, bookingId: string, { bearer, profile }: Who = shop.platform): Promise<Answer> =>
  shop.raw({
    method: 'GET',
    url: `/usp/v1/bookings/${bookingId}/calendar.ics`,
    headers: {
      ...(bearer && { authorization: `Bearer ${bearer}` }),
      ...(profile && { 'usp-agent': `profile="${profile}"` }),
    },
  })

/** What a parser that is not ours finds in it; a strict one throws where a line is malformed. */
export function read(file: string) {
  const calendar = new ICAL.Component(ICAL.parse(file))
  return { calendar, events: calendar.getAllSubcomponents('vevent').map(readEvent) }
}

const readEvent = (event: ICAL.Component) => ({
  event,
  uid: event.getFirstPropertyValue('uid'),
  start: event.getFirstPropertyValue('dtstart')?.toString(),
  end: event.getFirstPropertyValue('dtend')?.toString(),
  sequence: event.getFirstPropertyValue('sequence'),
  status: event.getFirstPropertyValue('status'),
  summary: event.getFirstPropertyValue('summary'),
  description: event.getFirstPropertyValue('description'),
  location: event.getFirstPropertyValue('location'),
  names: event.getAllProperties().map(({ name }) => name),
})

/** The event, as a parser that has nothing in common with the other reads it. */
export async function asOthersRead(file: string) {
  const found = Object.values(await nodeIcal.async.parseICS(file)).filter((one) => one?.type === 'VEVENT')
  const [event] = found
  if (found.length !== 1 || event?.type !== 'VEVENT') throw new Error(`There are ${found.length} events`)
  return event
}

/** The lines as they came, folds undone. */
export const linesOf = (file: string): string[] => file.replaceAll('\r\n ', '').split('\r\n').slice(0, -1)
