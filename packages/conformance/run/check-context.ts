import type { Members } from '../caller/answer.ts'
import { type Authentication, type Binding, Caller, type Identity } from '../caller/caller.ts'
import type { Exchange } from '../caller/exchange.ts'
import type { HostedPlatform, PlatformHost } from '../platform/platform-host.ts'
import type { Staff } from '../staff/staff.ts'
import { deliveryAddress } from '../target/delivery-address.ts'
import type { FreeSlots, Slot, SlotWish } from '../target/free-slots.ts'
import type { SchemaValidator } from '../target/schema-validator.ts'
import type { Target } from '../target/target.ts'
import { Skip } from './mismatch.ts'

/** What all checks of one run share. */
export interface RunEnvironment {
  target: Target
  host: PlatformHost
  /** Every service of the catalogue. */
  services: Members[]
  slots: FreeSlots
  schemas: SchemaValidator
  staff: Staff | undefined
  apiKey: string | undefined
  /** The id and the secret of a client that the business registered, as `ID:SECRET`. */
  client: string | undefined
}

/** A platform of the suite, and the caller that calls in its name. */
export interface Platform {
  hosted: HostedPlatform
  caller: Caller
}

export interface Booked {
  booking: Members
  slot: Slot
  /** The value of the booking-scoped credential, if the business issued one. */
  credential: string | undefined
  /** The whole result of the call. */
  result: Members
}

/** What one check has in its hands. Whatever it books is canceled afterwards. */
export class CheckContext {
  readonly binding: Binding
  readonly target: Target
  /** The requests and answers of this check. */
  readonly exchanges: Exchange[] = []
  readonly #environment: RunEnvironment
  readonly #cleanUps: (() => unknown)[] = []
  #platform: Platform | undefined

  constructor(environment: RunEnvironment, binding: Binding, { newPlatform = false } = {}) {
    this.#environment = environment
    this.binding = binding
    this.target = environment.target
    if (newPlatform) this.#platform = this.newPlatform()
  }

  /** A caller without any identity. */
  get anonymous(): Caller {
    return this.#caller(undefined, 'none')
  }

  /**
   * The platform of this check, with a key that its profile publishes. It proves each call. An earlier check may have used
   * the platform, and canceled what it booked. A check that needs an unused one has the option `newPlatform`.
   */
  get platform(): Platform {
    this.#platform ??= this.#borrowedPlatform()
    return this.#platform
  }

  /** Calls in the name of the check's platform. */
  get caller(): Caller {
    return this.platform.caller
  }

  /** A platform that all checks share. It is only for calls that create nothing. */
  get sharedPlatform(): Platform {
    const hosted = this.#environment.host.shared
    return { hosted, caller: this.#caller(hosted, 'proof') }
  }

  /** Another platform, which must see nothing of the first. */
  newPlatform(authentication: Authentication = 'proof'): Platform {
    const hosted = this.#environment.host.add()
    return { hosted, caller: this.#caller(hosted, authentication) }
  }

  /** A caller with the profile of a platform, and with this key or authentication. */
  callerFor(identity: Identity, authentication: Authentication = 'proof'): Caller {
    return this.#caller(identity, authentication)
  }

  get services(): Members[] {
    return this.#environment.services
  }

  get schemas(): SchemaValidator {
    return this.#environment.schemas
  }

  /** Acts as a person of the business. Skips the check if the run has no adapter for staff. */
  get staff(): Staff {
    if (!this.#environment.staff) throw new Skip('This check needs a person of the business (option --staff).')
    return this.#environment.staff
  }

  /** An API key that the business issued to the suite. Skips the check if the run has none. */
  get apiKey(): string {
    if (this.#environment.apiKey === undefined) throw new Skip('This check needs an API key (option --api-key).')
    return this.#environment.apiKey
  }

  /** The platform that a registered client names in each run. */
  get platformOfClient(): HostedPlatform {
    return this.#environment.host.ofClient
  }

  /** A client that the business registered, as `ID:SECRET`. Skips the check if the run has none. */
  get client(): string {
    if (this.#environment.client === undefined) throw new Skip('This check needs a client (option --client).')
    return this.#environment.client
  }

  /** The first service that a check can use. Skips the check if the catalogue has none. */
  service(description: string, fits: (service: Members) => boolean): Members {
    const service = this.services.find(fits)
    if (!service) throw new Skip(`The catalogue has no ${description}.`)
    return service
  }

  /** A service of which a booking is confirmed at once, without payment ahead. */
  get simpleService(): Members {
    return this.service('appointment that is confirmed at once, without payment ahead', (service) => {
      const policies = service.policies as Members | undefined
      const isPaidLater = policies?.requires_payment === false || policies?.payment_timing === 'at_service'
      return (
        service.type === 'appointment' &&
        policies?.confirmation_mode === 'auto' &&
        isPaidLater &&
        (service.channel as Members | undefined)?.type !== 'at_buyer_location'
      )
    })
  }

  /** A free slot that no other running check uses. */
  async slot(service: Members, wish?: SlotWish): Promise<Slot> {
    const { slot, giveBack } = await this.takeSlot(service, wish)
    this.afterwards(giveBack)
    return slot
  }

  /** A free slot that no other running check uses until the caller gives it back. */
  takeSlot(service: Members, wish?: SlotWish): Promise<{ slot: Slot; giveBack: () => void }> {
    return this.#environment.slots.take(this.caller, service, wish)
  }

  buyer(): Members {
    const name = Math.random().toString(36).slice(2, 10)
    return { first_name: 'Conformance', last_name: 'Check', email: `${name}@conformance.example` }
  }

  /** The input with which a platform books the slot. */
  bookingOf(slot: Slot, input: Members = {}): Members {
    const service = this.services.find(({ id }) => id === slot.service_id)
    const isVisit = (service?.channel as Members | undefined)?.type === 'at_buyer_location'
    const address = isVisit ? { delivery_address: deliveryAddress(this.target.business) } : {}
    return { service_id: slot.service_id, slot_id: slot.id, buyer: this.buyer(), ...address, ...input }
  }

  /** Holds a free slot of the service, and releases it after the check. */
  async hold(
    service = this.simpleService,
    { caller = this.caller, input = {}, ...wish }: SlotWish & { caller?: Caller; input?: Members } = {},
  ) {
    this.needsHolds()
    const slot = await this.slot(service, wish)
    const result = (await caller.call('hold', { service_id: service.id, slot_id: slot.id, ...input })).success()
    const hold = result.hold as Members & { id: string }
    this.endHoldAfterwards(slot, hold, caller)
    return { slot, hold, credential: credentialOf(result), result }
  }

  /**
   * Ends the hold after the check. It is turned into a booking, which is canceled: a business may make callers wait that
   * release many holds without a booking, and may count all callers of one address together.
   */
  endHoldAfterwards(slot: Slot, hold: Members, caller = this.caller): void {
    const book = (input: Members) => caller.call('book', this.bookingOf(slot, input))
    this.afterwards(async () => {
      const withHold = await book({ hold_id: hold.id, party_size: hold.spots ?? 1 })
      const { result } = withHold.result?.booking ? withHold : await book({})
      const booking = result?.booking as Members | undefined
      if (booking) await caller.call('cancelBooking', { booking_id: booking.id })
      else await caller.call('release', { hold_id: hold.id })
    })
  }

  /** Skips the check if the business does not offer holds. */
  needsHolds(): void {
    if (this.target.capability('services.availability')?.holds !== true)
      throw new Skip('The business does not offer holds.')
  }

  /** Books a free slot of the service, and cancels the booking after the check. */
  async book(
    service = this.simpleService,
    { caller = this.caller, input = {}, ...wish }: SlotWish & { caller?: Caller; input?: Members } = {},
  ): Promise<Booked> {
    const slot = await this.slot(service, wish)
    const result = (await caller.call('book', this.bookingOf(slot, input))).success()
    const booked = { booking: result.booking as Members, slot, credential: credentialOf(result), result }
    this.cancelAfterwards(booked.booking, caller)
    return booked
  }

  cancelAfterwards(booking: Members, caller = this.caller): void {
    this.afterwards(() => caller.call('cancelBooking', { booking_id: booking.id }))
  }

  /** Runs after the check, whether it passed or not. */
  afterwards(cleanUp: () => unknown): void {
    this.#cleanUps.push(cleanUp)
  }

  /** Cancels what the check booked, the last first. A failure here is no failure of the check. */
  async cleanUp(): Promise<void> {
    for (const cleanUp of this.#cleanUps.toReversed())
      try {
        await cleanUp()
      } catch {
        // The server is under test: a cancellation that fails is the matter of another check.
      }
  }

  #borrowedPlatform(): Platform {
    const { platform: hosted, giveBack } = this.#environment.host.lend()
    // The clean-up runs in reverse order, so the platform is given back after all calls in its name.
    this.afterwards(giveBack)
    return { hosted, caller: this.#caller(hosted, 'proof') }
  }

  #caller(identity: Identity | undefined, authentication: Authentication): Caller {
    return new Caller({
      target: this.target,
      binding: this.binding,
      identity,
      authentication,
      record: (exchange) => this.exchanges.push(exchange),
    })
  }
}

export function credentialOf(result: Members): string | undefined {
  const value = (result.booking_scoped_credential as Members | undefined)?.value
  return typeof value === 'string' ? value : undefined
}
