import { expect } from 'vitest'
import { readDefinition } from '../../src/domain/definition/read-definition.ts'
import { PlainError } from '../../src/infra/util/command-line-error.ts'
import type { BusinessDefinition, ServiceDefinition } from '../../src/protocol/types.generated.ts'
import { businessWith } from '../support/definitions.ts'

/** A rule, the one member of an accepted service that is made wrong (left out when undefined), the place named if another. */
export type FaultCase = [rule: string, path: string, wrong: unknown, named?: string]

/** Where a service's people, rooms and places come from in these tests. */
export const surroundings: Partial<BusinessDefinition> = {
  locations: [
    { id: 'loc_one', name: 'Downtown' },
    { id: 'loc_two', name: 'Uptown' },
  ],
  resources: [
    { id: 'res_ana', type: 'staff', name: 'Ana', image_url: 'https://studio.example/ana.jpg' },
    { id: 'res_bo', type: 'staff', name: 'Bo' },
    { id: 'res_room', type: 'room', name: 'Room 1' },
  ],
}

export const offering = (...services: ServiceDefinition[]) => businessWith(services, surroundings)

/** The service alone keeps every rule; with that one member changed it is refused, and exactly this place is named. */
export function expectServiceFault(service: ServiceDefinition, path: string, wrong: unknown, named = path) {
  const within = `services[${service.id}].`
  expectFault(offering(service), within + path, wrong, within + named)
}

export function expectFault(accepted: BusinessDefinition, path: string, wrong: unknown, named = path) {
  expectAccepted(accepted)
  expect(placesRefused(withMember(accepted, path, wrong))).toEqual([named])
}

export const expectAccepted = (definition: object) => expect(placesRefused(definition)).toEqual([])

/** The places that a refusal names; none when the definition is accepted. */
export function placesRefused(definition: object): string[] {
  try {
    readDefinition(JSON.stringify(definition), 'business.json')
    return []
  } catch (error) {
    if (!(error instanceof PlainError)) throw error
    const [headline, ...faults] = error.message.split('\n')
    expect(headline).toBe('business.json was not applied:')
    return [...new Set(faults.map((line) => /^business\.json:1: (\S+) \S/.exec(line)?.[1] ?? line))]
  }
}

/** The warnings about services that one of the staff carries out, unless they say otherwise. */
export const warningsOf = (...services: ServiceDefinition[]) => {
  const resources: ServiceDefinition['resources'] = [{ type: 'staff', options: ['res_ana'] }]
  const staffed = services.map((one): ServiceDefinition => ({ resources, ...one }))
  return readDefinition(JSON.stringify(offering(...staffed)), 'business.json').warnings
}

/** A copy in which the member at a path such as `services[svc_a].media[0].url` is another, or left out when undefined. */
export function withMember(definition: object, path: string, value: unknown): object {
  const copy: object = JSON.parse(JSON.stringify(definition))
  const names = path.split(/[.[\]]+/).filter((name) => name !== '')
  const last = names.pop() ?? ''
  const parent = names.reduce<unknown>(memberOf, copy)
  if (typeof parent !== 'object' || parent === null) throw new Error(`Nothing stands at ${path}`)
  Object.assign(parent, { [last]: value })
  return copy
}

const memberOf = (parent: unknown, name: string): unknown =>
  Array.isArray(parent) && !/^\d+$/.test(name)
    ? parent.find((item: { id?: string }) => item.id === name)
    : Object(parent)[name]
