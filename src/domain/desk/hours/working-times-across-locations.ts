import type { BusinessDefinition, ResourceDefinition } from '../../../protocol/types.generated.ts'
import { type WorkingTime, workingTimeAt } from '../../availability/resource-working-times.ts'
import { intersection, merged, type Span } from '../../availability/time-spans.ts'

export function workingSpans(
  business: BusinessDefinition | undefined,
  zone: string,
  range: Span,
): (resource: ResourceDefinition) => Span[] {
  if (!business) return () => []
  const places = (business.locations ?? []).map(({ id }) => id)
  const at = new Map<string | undefined, WorkingTime>()
  const workingTime = (place: string | undefined): WorkingTime => {
    const known = at.get(place) ?? workingTimeAt({ business, zone, durations: [], byTheDay: false }, range, place)
    at.set(place, known)
    return known
  }
  return (resource) => {
    const ofResource = resource.locations ?? places
    const spans = (ofResource.length > 0 ? ofResource : [undefined]).flatMap((place) => {
      const { open, day } = workingTime(place)
      return intersection(open, day(resource))
    })
    return merged(spans.toSorted(([one], [other]) => one - other))
  }
}
