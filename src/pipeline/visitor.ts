import { hash } from 'node:crypto'
import { networkOf } from '../net/addresses.ts'
import { type Caller, type Stranger, VISITOR } from '../protocol/caller.ts'
import type { Means } from '../protocol/means.ts'
import type { Call } from '../protocol/operation.ts'

export const principalOf = (visit: string): string => `${VISITOR}${hash('sha256', visit, 'base64url')}`

type VisitorMeans = Means<'business' | 'limits' | 'strangerLimitMet'>

/** Somebody with a browser. What tells them apart is a secret of theirs, so only a digest is kept. */
export async function visitorOf({ peer, locale, sentForm }: Call, visit: string, means: VisitorMeans): Promise<Caller> {
  const principal = principalOf(visit)
  return {
    ...{ principal, mechanism: 'page', profile: '', identities: [principal], credentials: false },
    ...(locale !== undefined && { locale }),
    ...(sentForm !== undefined && { sentForm }),
    stranger: await visitorAt(peer.address, means),
  }
}

/**
 * A visit costs nothing to begin, so what visitors may have is counted for all of one network together, apart from what
 * programs there have.
 */
export async function visitorAt(
  address: string,
  { business, limits, strangerLimitMet }: VisitorMeans,
): Promise<Stranger> {
  return {
    network: `visitors ${networkOf(address)}`,
    limits: { ...limits.strangers, ...limits.visitors, ...(await business.get())?.limits?.visitors },
    besideKeys: undefined,
    met: (limit) => strangerLimitMet('visitors', limit),
  }
}
