import type { Members } from '../caller/answer.ts'
import { type Authentication, type Binding, Caller, type Identity } from '../caller/caller.ts'
import type { Exchange } from '../caller/exchange.ts'
import { type Algorithm, KeyPair } from '../caller/key-pair.ts'
import type { HostedPlatform, PlatformHost } from '../platform/platform-host.ts'
import type { Staff } from '../staff/staff.ts'
import { deliveryAddress } from '../target/delivery-address.ts'
import type { FreeSlots, Slot, SlotWish } from '../target/free-slots.ts'
import type { SchemaValidator } from '../target/schema-validator.ts'
import { channelOf, isPaidAhead, policiesOf } from '../target/service-kinds.ts'
import type { Target } from '../target/target.ts'
import type { AcceptedAlgorithms, KeyUse } from './accepted-algorithms.ts'
import { Skip } from './mismatch.ts'

/** The objects that all checks of one run share. */
export interface RunEnvironment {
  target: Target
  host: PlatformHost
  algorithms: AcceptedAlgorithms
  /** All services of the catalogue. */
  services: Members[]
  slots: FreeSlots
  schemas: SchemaValidator
  staff: Staff | undefined
  apiKey: string | undefined
  /** A client that the business registered, as `ID:SECRET`. */
  client: string | undefined
  /** A payment token, or the type of its credential and the token: `TYPE:TOKEN`. */
  paymentToken: string | undefined
}

/** A platform of the suite, and a caller that makes calls as this platform. */
export interface Platform {
  hosted: HostedPlatform
  caller: Caller
}

export interface Booked {
  booking: Members
  slot: Slot
  /** The secret of the booking-scoped credential, if the business issued one. */
  credential: string | undefined
  /** The complete result of the call. */
  result: Members
}

/** Provides the tools that a check needs. After the check, `cleanUp` cancels the bookings of the check. */
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
    return this.callerFor(undefined, 'none')
  }

  /**
   * The platform of this check. Its profile publishes its key, and each call contains a proof. An earlier check may
   * have used the platform and canceled its bookings. A check that needs an unused platform sets the option
   * `newPlatform`.
   */
  get platform(): Platform {
    this.#platform ??= this.#borrowedPlatform()
    return this.#platform
  }

  /** The caller of the check's platform. */
  get caller(): Caller {
    return this.platform.caller
  }

  /** A platform that all checks share. Use it only for calls that create nothing. */
  get sharedPlatform(): Platform {
    const hosted = this.#environment.host.shared
    return { hosted, caller: this.callerFor(hosted) }
  }

  /** Creates another platform. The server must not show it the data of the first platform. */
  newPlatform(authentication: Authentication = this.usualAuthentication): Platform {
    const hosted = this.#environment.host.add()
    return { hosted, caller: this.callerFor(hosted, authentication) }
  }

  /** A proof of possession, or a signature if the business accepts only signatures. */
  get usualAuthentication(): Authentication {
    const { mechanisms } = this.target
    const accepts = (name: string) => mechanisms.includes(name)
    return accepts('http_message_signature') && !accepts('platform_key_pop') ? 'signature' : 'proof'
  }

  /** Creates a key with an algorithm that the business accepts. */
  newKey(use: KeyUse = 'proof'): KeyPair {
    return new KeyPair(this.#environment.algorithms[use][0])
  }

  /** The algorithms that the business accepts for this use. The first one is the algorithm of the suite's platforms. */
  algorithmsOf(use: KeyUse): [Algorithm, ...Algorithm[]] {
    return this.#environment.algorithms[use]
  }

  /** Returns a caller with this profile, key and authentication. Without an identity, the caller is anonymous. */
  callerFor(identity: Identity | undefined, authentication = this.usualAuthentication): Caller {
    return new Caller({
      target: this.target,
      binding: this.binding,
      identity,
      authentication,
      record: (exchange) => this.exchanges.push(exchange),
    })
  }

  get services(): Members[] {
    return this.#environment.services
  }

  get schemas(): SchemaValidator {
    return this.#environment.schemas
  }

  /** Acts for the staff of the business. Skips the check if the run has no staff adapter. */
  get staff(): Staff {
    if (!this.#environment.staff) throw new Skip('This check needs a person of the business (option --staff).')
    return this.#environment.staff
  }

  /** An API key that the business issued to the suite. Skips the check if the run has none. */
  get apiKey(): string {
    if (this.#environment.apiKey === undefined) throw new Skip('This check needs an API key (option --api-key).')
    return this.#environment.apiKey
  }

  /** The platform of the registered client. It has the same profile URL in each run. */
  get platformOfClient(): HostedPlatform {
    return this.#environment.host.ofClient
  }

  /** A client that the business registered, as `ID:SECRET`. Skips the check if the run has none. */
  get client(): string {
    if (this.#environment.client === undefined) throw new Skip('This check needs a client (option --client).')
    return this.#environment.client
  }

  /** A token that pays a UCP checkout. Skips the check if the run has none. */
  get paymentToken(): string {
    const { paymentToken } = this.#environment
    if (paymentToken === undefined) throw new Skip('This check needs a payment token (option --payment-token).')
    return paymentToken
  }

  /**
   * Returns the first service that fits. A service that platforms can book without a checkout comes first. Skips the
   * check if the catalogue has none.
   */
  service(description: string, fits: (service: Members) => boolean): Members {
    const services = this.services.filter(fits)
    const service = services.find((one) => !this.isSoldInCheckout(one)) ?? services[0]
    if (!service) throw new Skip(`The catalogue has no ${description}.`)
    return service
  }

  /** Whether platforms can book the service only in a UCP checkout. */
  isSoldInCheckout(service: Members): boolean {
    return this.target.isUcpNative && isPaidAhead(service)
  }

  /** An appointment that needs no approval, no payment in advance and no address of the buyer. */
  get simpleService(): Members {
    return this.service(
      'appointment that is confirmed at once, without payment in advance',
      (one) =>
        one.type === 'appointment' &&
        policiesOf(one).confirmation_mode === 'auto' &&
        !isPaidAhead(one) &&
        channelOf(one) !== 'at_buyer_location',
    )
  }

  /** Takes a free slot that no other running check uses, until the end of the check. */
  async slot(service: Members, wish?: SlotWish): Promise<Slot> {
    const { slot, giveBack } = await this.takeSlot(service, wish)
    this.afterwards(giveBack)
    return slot
  }

  /** Takes a free slot that no other running check uses, until the caller calls `giveBack`. */
  takeSlot(service: Members, wish?: SlotWish): Promise<{ slot: Slot; giveBack: () => void }> {
    return this.#environment.slots.take(this.caller, service, wish)
  }

  buyer(): Members {
    const name = Math.random().toString(36).slice(2, 10)
    return { first_name: 'Conformance', last_name: 'Check', email: `${name}@conformance.example` }
  }

  /** Returns the input of a call that books the slot. Skips the check if platforms book it only in a checkout. */
  bookingOf(slot: Slot, input: Members = {}): Members {
    const service = this.services.find(({ id }) => id === slot.service_id)
    if (service && this.isSoldInCheckout(service))
      throw new Skip(`Platforms can book the service ${service.id} only in a UCP checkout.`)
    const isVisit = service !== undefined && channelOf(service) === 'at_buyer_location'
    const address = isVisit ? { delivery_address: deliveryAddress(this.target.business) } : {}
    return { service_id: slot.service_id, slot_id: slot.id, buyer: this.buyer(), ...address, ...input }
  }

  /** Holds a free slot of the service, and ends the hold after the check. */
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
   * Ends the hold after the check: books the held slot, and cancels the booking. A business may slow down callers that
   * release many holds without a booking. The business may also count all callers of one address together.
   */
  endHoldAfterwards(slot: Slot, hold: Members, caller = this.caller): void {
    const book = (input: Members) => caller.call('book', this.bookingOf(slot, input))
    this.afterwards(async () => {
      const service = this.services.find(({ id }) => id === slot.service_id)
      if (service && this.isSoldInCheckout(service)) {
        await caller.call('release', { hold_id: hold.id })
        return this.bookOnce(caller)
      }
      const withHold = await book({ hold_id: hold.id, party_size: hold.spots ?? 1 })
      const { result } = withHold.result?.booking ? withHold : await book({})
      const booking = result?.booking as Members | undefined
      if (booking) await caller.call('cancelBooking', { booking_id: booking.id })
      else await caller.call('release', { hold_id: hold.id })
    })
  }

  /** Books a free slot, and cancels the booking. After a booking, a business no longer counts the released holds. */
  async bookOnce(caller = this.caller): Promise<void> {
    const { slot, giveBack } = await this.takeSlot(this.simpleService)
    const { result } = await caller.call('book', this.bookingOf(slot))
    const booking = result?.booking as Members | undefined
    if (booking) await caller.call('cancelBooking', { booking_id: booking.id })
    giveBack()
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

  /** Runs one round of the check in a separate context, and cleans up after the round. */
  async inRound(run: (round: CheckContext) => Promise<void>): Promise<void> {
    const round = new CheckContext(this.#environment, this.binding)
    try {
      await run(round)
    } finally {
      this.exchanges.push(...round.exchanges)
      await round.cleanUp()
    }
  }

  /** Registers a function that runs after the check, even if the check fails. */
  afterwards(cleanUp: () => unknown): void {
    this.#cleanUps.push(cleanUp)
  }

  /** Cancels everything that the check booked, in reverse order. An error here does not fail the check. */
  async cleanUp(): Promise<void> {
    for (const cleanUp of this.#cleanUps.toReversed())
      try {
        await cleanUp()
      } catch {
        // The server may have faults. Another check reports a failed cancellation.
      }
  }

  #borrowedPlatform(): Platform {
    const { platform: hosted, giveBack } = this.#environment.host.lend()
    // Clean-ups run in reverse order. Therefore other checks can use the platform only after all clean-up calls.
    this.afterwards(giveBack)
    return { hosted, caller: this.callerFor(hosted) }
  }
}

export function credentialOf(result: Members): string | undefined {
  const value = (result.booking_scoped_credential as Members | undefined)?.value
  return typeof value === 'string' ? value : undefined
}
