import { VERSION } from './capabilities.ts'

export interface CapabilityVersion {
  version: string
  extends?: string | string[]
  requires?: { protocol?: Range; capabilities?: Record<string, Range> }
}

interface Range {
  min?: string
  max?: string
}

export type Offered = Record<string, CapabilityVersion[]>
export type Agreed = ReadonlyMap<string, string>

/** The highest common version of each capability, without extensions whose base capability is missing. */
export function negotiate(ours: Offered, theirs: Offered): Agreed {
  const shared = Object.keys(ours).flatMap((name) => {
    const common = highestCommon(ours[name] ?? [], Object.hasOwn(theirs, name) ? (theirs[name] ?? []) : [])
    return common ? [[name, common] as const] : []
  })
  return withoutOrphans(new Map(shared))
}

function highestCommon(ours: CapabilityVersion[], theirs: CapabilityVersion[]): CapabilityVersion | undefined {
  const known = new Set(theirs.map(({ version }) => version))
  return ours
    .filter(({ version }) => known.has(version))
    .sort((one, other) => (one.version < other.version ? 1 : -1))[0]
}

/** Removes an extension when the capability it extends is not agreed, and then everything that extends it. */
function withoutOrphans(entries: Map<string, CapabilityVersion>): Agreed {
  const agreed = new Map([...entries].map(([name, { version }]) => [name, version]))
  const orphan = [...entries].find(([, entry]) => !isCarried(entry, agreed) || !isSatisfied(entry, agreed))
  if (!orphan) return agreed
  entries.delete(orphan[0])
  return withoutOrphans(entries)
}

const isCarried = ({ extends: parents }: CapabilityVersion, agreed: Agreed) =>
  parents === undefined || [parents].flat().some((parent) => agreed.has(parent))

function isSatisfied({ requires = {} }: CapabilityVersion, agreed: Agreed): boolean {
  if (!isWithin(VERSION, requires.protocol)) return false
  return Object.entries(requires.capabilities ?? {}).every(([name, range]) => isWithin(agreed.get(name), range))
}

const isWithin = (version: string | undefined, { min = '', max = '9999-12-31' }: Range = {}) =>
  version !== undefined && version >= min && version <= max

/** The capabilities an answer names: the operation's own, and its extensions. */
export function capabilitiesConcerning(capability: string, agreed: Agreed, ours: Offered): Agreed {
  const parentsOf = (name: string) => (ours[name] ?? []).flatMap((entry) => entry.extends ?? [])
  return new Map([...agreed].filter(([name]) => name === capability || parentsOf(name).includes(capability)))
}
