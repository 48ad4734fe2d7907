import { asMembers, type Members } from '../caller/answer.ts'
import type { Target } from '../target/target.ts'
import { type HostedPlatform, type HostOptions, PlatformHost } from './platform-host.ts'

/**
 * A host for businesses that take part in the Universal Commerce Protocol (UCP). Each profile has the member `ucp` in
 * addition to `usp`, with every capability of the business.
 */
export class UcpPlatformHost extends PlatformHost {
  readonly #target: Target

  constructor(options: HostOptions, target: Target) {
    super(options)
    this.#target = target
  }

  override add(options?: Parameters<PlatformHost['add']>[0]): HostedPlatform {
    const platform = super.add(options)
    const { capabilities: offered, offer } = this.#target
    const capabilities = Object.fromEntries(Object.entries(offered).map(([name, entries]) => [name, listed(entries)]))
    const payment_handlers = asMembers(offer.payment_handlers) ?? {}
    platform.document = {
      ...platform.document,
      usp: { ...asMembers(platform.document.usp), capabilities },
      ucp: { version: offer.version, services: {}, capabilities, payment_handlers },
    }
    return platform
  }
}

/** Returns the entries of one capability without the settings of the business. */
function listed(entries: unknown): Members[] {
  if (!Array.isArray(entries)) return []
  return entries.flatMap((entry) => {
    const { version, spec, schema, extends: parents } = asMembers(entry) ?? {}
    return { version, spec, schema, ...(parents !== undefined && { extends: parents }) }
  })
}
