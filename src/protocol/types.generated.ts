// Generated from schemas/ and the operations by `npm run generate`. Do not edit.

export type DateOrLocalTime = string
export type ReminderDefinition =
  | string
  | {
      before: string
      by?: 'mail' | 'text'
    }
export type BusinessSchema = UspBase & BusinessSchema1
export type AuthorizationMechanism = string
export type ProfileCapabilityEntry = CapabilityEntry & {}
export type PlatformSchema = UspBase & PlatformSchema1
export type RangeMatchMode = 'overlap' | 'contained' | 'contains' | 'equals'
export type DesiredServiceTimePreference = DesiredServiceTimeMoment | DesiredServiceTimeRange | DesiredServiceTimeFrom
export type RegistryCategoryIds = string[]
export type PopProofJwt = string
export type UspMeta = UspBase & ResponseSchema

export interface Everything {
  TimeSlot?: TimeSlot
  Hold?: Hold
  Booking?: Booking
  SlotReference?: SlotReference
  BookingBuyer?: BookingBuyer
  BuyerConsent?: BuyerConsent
  DeliveryAddress?: DeliveryAddress
  BookingPayment?: BookingPayment
  Action?: Action
  Message?: Message
  PaymentContext?: PaymentContext
  NoShow?: NoShow
  Dispute?: Dispute
  Cancellation?: Cancellation
  PostPaymentReturnRequest?: PostPaymentReturnRequest
  BusinessDefinition?: BusinessDefinition
  BusinessIdentity?: BusinessIdentity
  LinkDefinition?: LinkDefinition
  LocationDefinition?: LocationDefinition
  OpeningWindow?: OpeningWindow
  Closure?: Closure
  SpecialOpening?: SpecialOpening
  ResourceDefinition?: ResourceDefinition
  Rota?: Rota
  RotaWeek?: RotaWeek
  SpecialHours?: SpecialHours
  TimeOff?: TimeOff
  DateOrLocalTime?: DateOrLocalTime
  ServiceDefinition?: ServiceDefinition
  CategoryDefinition?: CategoryDefinition
  DurationDefinition?: DurationDefinition
  DurationRule?: DurationRule
  PricingDefinition?: PricingDefinition
  PriceRule?: PriceRule
  Season?: Season
  RequirementDefinition?: RequirementDefinition
  PoliciesDefinition?: PoliciesDefinition
  SessionDefinition?: SessionDefinition
  ReminderDefinition?: ReminderDefinition
  PaymentSettings?: PaymentSettings
  ClientDefinition?: ClientDefinition
  CapabilityDefinition?: CapabilityDefinition
  UcpCheckoutSettings?: UcpCheckoutSettings
  AuthorizationSettings?: AuthorizationSettings
  RateLimits?: RateLimits
  StrangerLimits?: StrangerLimits
  VisitorLimits?: VisitorLimits
  WebsiteSettings?: WebsiteSettings
  MailSettings?: MailSettings
  NotificationSettings?: NotificationSettings
  Service?: Service
  Provider?: Provider
  Link?: Link
  Description?: Description
  ServiceCategory?: ServiceCategory
  Duration?: Duration
  Pricing?: Pricing
  Location?: Location
  ResourceRequirement?: ResourceRequirement
  Channel?: Channel
  ServicePolicies?: ServicePolicies
  Media?: Media
  Rating?: Rating
  AvailabilityHint?: AvailabilityHint
  AvailabilitySlotBitmap?: AvailabilitySlotBitmap
  LocalizedFields?: LocalizedFields
  BuyerContext?: BuyerContext
  ServiceFilters?: ServiceFilters
  FeedItem?: FeedItem
  FeedMeta?: FeedMeta
  SigningKey?: SigningKey
  BusinessProfile?: BusinessProfile
  business_schema?: BusinessSchema
  base?: UspBase
  ServiceBinding?: ServiceBinding
  AuthorizationPolicy?: AuthorizationPolicy
  AuthorizationMechanism?: AuthorizationMechanism
  ProfileCapabilityEntry?: ProfileCapabilityEntry
  CapabilityEntry?: CapabilityEntry
  BusinessInfo?: BusinessInfo
  BookingScopedCredential?: BookingScopedCredential
  ConfirmationKey?: ConfirmationKey
  PlatformProfile?: PlatformProfile
  platform_schema?: PlatformSchema
  RegistryLocation?: RegistryLocation
  RegistrySearchLocation?: RegistrySearchLocation
  RegistryContext?: RegistryContext
  RangeMatchMode?: RangeMatchMode
  PriceRangeFilter?: PriceRangeFilter
  DurationRangeFilter?: DurationRangeFilter
  DesiredServiceTimePreference?: DesiredServiceTimePreference
  DesiredServiceTimeMoment?: DesiredServiceTimeMoment
  DesiredServiceTimeRange?: DesiredServiceTimeRange
  DesiredServiceTimeFrom?: DesiredServiceTimeFrom
  RegistryCategoryIds?: RegistryCategoryIds
  RegistrationRequest?: RegistrationRequest
  RegistryEntry?: RegistryEntry
  BusinessSearchRequest?: BusinessSearchRequest
  ServiceSearchRequest?: ServiceSearchRequest
  RegistryBusinessRef?: RegistryBusinessRef
  ServiceSearchResult?: ServiceSearchResult
  RankSignals?: RankSignals
  RegistryPriceRangeFilter?: PriceRangeFilter1
  RegistryDurationRangeFilter?: DurationRangeFilter1
  RegistryServiceSearchResult?: RegistryServiceSearchResult
  ProblemDetails?: ProblemDetails
  FeedSubscription?: FeedSubscription
  UcpMeta?: UcpMeta
  UcpPaymentHandler?: UcpPaymentHandler
  UcpBuyer?: UcpBuyer
  UcpLineItemInput?: UcpLineItemInput
  UcpBookingInput?: UcpBookingInput
  UcpPaymentInput?: UcpPaymentInput
  UcpInstrument?: UcpInstrument
  UcpSignals?: UcpSignals
  UcpTotal?: UcpTotal
  UcpTerm?: UcpTerm
  UcpSettlement?: UcpSettlement
  UcpLink?: UcpLink
  UcpLineItem?: UcpLineItem
  UcpItem?: UcpItem
  UcpBookingContext?: UcpBookingContext
  UcpPolicy?: UcpPolicy
  UcpOrderLineItem?: UcpOrderLineItem
  UcpAdjustment?: UcpAdjustment
  UcpBusinessProfile?: UcpBusinessProfile
  UcpPlatformProfile?: UcpPlatformProfile
  PopProofJwt?: PopProofJwt
  response_schema?: UspMeta
  USPEnvelope?: USPEnvelope
  PaginationRequest?: PaginationRequest
  Pagination?: Pagination
  McpAuthorization?: McpAuthorization
  McpUspMetaPublic?: McpUspMetaPublic
  McpUspMetaPrivilegedPlatform?: McpUspMetaPrivilegedPlatform
  McpUspMetaPrivilegedPlatformNoIdempotency?: McpUspMetaPrivilegedPlatformNoIdempotency
  McpUspMetaPrivilegedScoped?: McpUspMetaPrivilegedScoped
  McpUspMetaBusinessOnly?: McpUspMetaBusinessOnly
  McpUspMetaPrivilegedScopedNoIdempotency?: McpUspMetaPrivilegedScopedNoIdempotency
  WaitlistEntry?: WaitlistEntry
  WaitlistBuyer?: WaitlistBuyer
  JoinWaitlistRequest?: JoinWaitlistRequest
  ListWaitlistEntriesRequest?: ListWaitlistEntriesRequest
  AcceptWaitlistOfferRequest?: AcceptWaitlistOfferRequest
  WaitlistPagination?: WaitlistPagination
  RemovedWaitlistEntry?: RemovedWaitlistEntry
  BookingEvent?: BookingEvent
  CatalogEvent?: CatalogEvent
  WaitlistEvent?: WaitlistEvent
  ListServices?: ListServices
  GetService?: GetService
  LookupServices?: LookupServices
  GetServiceFeed?: GetServiceFeed
  CreateFeedSubscription?: CreateFeedSubscription
  GetFeedSubscription?: GetFeedSubscription
  PauseFeedSubscription?: PauseFeedSubscription
  ResumeFeedSubscription?: ResumeFeedSubscription
  CancelFeedSubscription?: CancelFeedSubscription
  QueryAvailability?: QueryAvailability
  ExplainAvailability?: ExplainAvailability
  HoldSlot?: HoldSlot
  ReleaseHold?: ReleaseHold
  CreateBooking?: CreateBooking
  GetBooking?: GetBooking
  UpdateBooking?: UpdateBooking
  ConfirmBooking?: ConfirmBooking
  CancelBooking?: CancelBooking
  RescheduleBooking?: RescheduleBooking
  ConfirmPayment?: ConfirmPayment
  CreateCalendar?: CreateCalendar
  ListCalendars?: ListCalendars
  RevokeCalendar?: RevokeCalendar
  JoinWaitlist?: JoinWaitlist
  ListWaitlistEntries?: ListWaitlistEntries
  GetWaitlistEntry?: GetWaitlistEntry
  LeaveWaitlist?: LeaveWaitlist
  AcceptOffer?: AcceptOffer
  DeclineOffer?: DeclineOffer
  RegisterBusiness?: RegisterBusiness
  GetRegistration?: GetRegistration
  UpdateRegistration?: UpdateRegistration
  DeleteRegistration?: DeleteRegistration
  SearchBusinesses?: SearchBusinesses
  SearchServices?: SearchServices
  ListBusinessBookings?: ListBusinessBookings
  GetBusinessBooking?: GetBusinessBooking
  ListBusinessBookingChanges?: ListBusinessBookingChanges
  ListBusinessBookingTold?: ListBusinessBookingTold
  TellAgainOfBusinessBooking?: TellAgainOfBusinessBooking
  NotifyOfMoveOfBusinessBooking?: NotifyOfMoveOfBusinessBooking
  GetResourceDay?: GetResourceDay
  GetBusinessDay?: GetBusinessDay
  GetBusinessReports?: GetBusinessReports
  ListSessions?: ListSessions
  GetSession?: GetSession
  CreateBusinessBooking?: CreateBusinessBooking
  DeclineBooking?: DeclineBooking
  StartBooking?: StartBooking
  AdjustBooking?: AdjustBooking
  CorrectBusinessBooking?: CorrectBusinessBooking
  CompleteBooking?: CompleteBooking
  MarkNoShow?: MarkNoShow
  CancelBusinessBooking?: CancelBusinessBooking
  RescheduleBusinessBooking?: RescheduleBusinessBooking
  PlanSeries?: PlanSeries
  BookSeries?: BookSeries
  ImportBookings?: ImportBookings
  MoveSeries?: MoveSeries
  CancelSeries?: CancelSeries
  GetBusinessInbox?: GetBusinessInbox
  ListGivenUp?: ListGivenUp
  SendGivenUpAgain?: SendGivenUpAgain
  DismissGivenUp?: DismissGivenUp
  ListUnreturnedCharges?: ListUnreturnedCharges
  MarkChargeReturned?: MarkChargeReturned
  ListStrandedBookings?: ListStrandedBookings
  KeepBooking?: KeepBooking
  MarkBookingPaid?: MarkBookingPaid
  CorrectBookingPayment?: CorrectBookingPayment
  BlockTime?: BlockTime
  UnblockTime?: UnblockTime
  ListBlocks?: ListBlocks
  ListAffectedBookings?: ListAffectedBookings
  ClearTime?: ClearTime
  CancelSession?: CancelSession
  ResizeSession?: ResizeSession
  ListBusinessWaitlist?: ListBusinessWaitlist
  GetBusinessWaitlistEntry?: GetBusinessWaitlistEntry
  MoveWaitlistEntry?: MoveWaitlistEntry
  OfferWaitlistPlace?: OfferWaitlistPlace
  RemoveWaitlistEntry?: RemoveWaitlistEntry
  RefundBooking?: RefundBooking
  GetTakings?: GetTakings
  OpenDispute?: OpenDispute
  ReviewDispute?: ReviewDispute
  ResolveDispute?: ResolveDispute
  ListCustomers?: ListCustomers
  GetCustomer?: GetCustomer
  NoteCustomer?: NoteCustomer
  MergeCustomers?: MergeCustomers
  SplitCustomer?: SplitCustomer
  EraseBooking?: EraseBooking
  EraseBuyer?: EraseBuyer
  ListStaff?: ListStaff
  InviteStaff?: InviteStaff
  LinkStaff?: LinkStaff
  ChangeStaff?: ChangeStaff
  RemoveStaff?: RemoveStaff
  GetBusinessDefinition?: GetBusinessDefinition
  ApplyBusinessDefinition?: ApplyBusinessDefinition
  AddPicture?: AddPicture
  GetMailServer?: GetMailServer
  SetMailServer?: SetMailServer
  RemoveMailServer?: RemoveMailServer
  TestMailServer?: TestMailServer
  GetTextProvider?: GetTextProvider
  SetTextProvider?: SetTextProvider
  RemoveTextProvider?: RemoveTextProvider
  TestTextProvider?: TestTextProvider
  GetCompanySignIn?: GetCompanySignIn
  SetCompanySignIn?: SetCompanySignIn
  RemoveCompanySignIn?: RemoveCompanySignIn
  SetCalendarApp?: SetCalendarApp
  ConnectCalendar?: ConnectCalendar
  ListConnectedCalendars?: ListConnectedCalendars
  RefreshConnectedCalendar?: RefreshConnectedCalendar
  DisconnectCalendar?: DisconnectCalendar
  ListDeliveries?: ListDeliveries
  GetDelivery?: GetDelivery
  ReplayDeliveries?: ReplayDeliveries
  CreateCheckout?: CreateCheckout
  GetCheckout?: GetCheckout
  UpdateCheckout?: UpdateCheckout
  CompleteCheckout?: CompleteCheckout
  CancelCheckout?: CancelCheckout
  GetOrder?: GetOrder
}
export interface TimeSlot {
  id: string
  service_id: string
  start: string
  end: string
  duration: string
  state: 'available' | 'limited' | 'waitlist'
  capacity?: {
    total?: number
    remaining?: number
    held?: number
    waitlist?: boolean
  }
  resources?: {
    id?: string
    type?: string
    name?: string
  }[]
  location?: {
    id?: string
    name?: string
  }
  pricing?: {
    amount?: number
    currency?: string
    label?: string
  }
}
export interface Hold {
  id: string
  slot_id: string
  service_id: string
  spots?: number
  expires_at: string
  status: 'active' | 'expired' | 'released' | 'converted'
}
export interface Booking {
  id: string
  service_id: string
  service_name: string
  slot: SlotReference
  buyer: BookingBuyer
  recipient?: BookingBuyer
  party_size: number
  resources?: {
    id?: string
    type?: string
    name?: string
  }[]
  location?: {
    id?: string
    name?: string
  }
  delivery_address?: DeliveryAddress
  status: 'pending' | 'requires_action' | 'confirmed' | 'in_progress' | 'completed' | 'no_show' | 'canceled'
  confirmation_mode?: 'auto' | 'manual'
  payment?: BookingPayment
  actions?: Action[]
  notes?: string
  booking_url?: string
  no_show?: NoShow
  dispute?: Dispute
  messages?: Message[]
  cancellation?: Cancellation
  created_at: string
  updated_at: string
  expires_at?: string
  revision?: string
}
export interface SlotReference {
  id: string
  start: string
  end: string
  duration: string
}
export interface BookingBuyer {
  first_name: string
  last_name: string
  email: string
  phone_number?: string
  consent?: BuyerConsent
}
export interface BuyerConsent {
  analytics?: boolean
  marketing?: boolean
  preferences?: boolean
  sale_of_data?: boolean
  health_data?: boolean
  [k: string]: boolean | undefined
}
export interface DeliveryAddress {
  line1: string
  line2?: string
  city: string
  region?: string
  postal_code?: string
  country: string
  coordinates?: {
    lat?: number
    lng?: number
  }
}
export interface BookingPayment {
  status: 'not_required' | 'pending' | 'deposit_paid' | 'paid' | 'refunded' | 'partially_refunded'
  timing: 'at_booking' | 'at_service' | 'deposit_required'
  amount?: number
  currency?: string
  amount_due?: number
  deposit_amount?: number
  tax_amount?: number
  transaction_id?: string
  order_reference?: string
  amount_paid?: number
  refund_amount?: number
  refund_total?: number
  transactions?: {
    amount: number
    received_at: string
    refund_total?: number
    transaction_id?: string
    order_reference?: string
    provider?: string
  }[]
}
export interface Action {
  type: string
  status: 'pending' | 'completed' | 'expired'
  continue_url: string
  expires_at?: string
  message?: Message
  payment_context?: PaymentContext
}
export interface Message {
  type: 'error' | 'warning' | 'info'
  code: string
  content: string
  content_type?: 'plain' | 'markdown'
  severity?: 'requires_buyer_input' | 'recoverable' | 'requires_buyer_review' | 'unrecoverable'
  path?: string
}
export interface PaymentContext {
  amount_due: number
  currency: string
  description: string
  line_items: {
    label: string
    amount: number
    quantity: number
    item_id: string
  }[]
  tax_amount?: number
  metadata: {
    booking_id: string
    service_id: string
    service_type: string
    slot_start?: string
  }
}
export interface NoShow {
  fee: number
  amount_due: number
  refund_amount: number
  currency: string
  marked_at: string
}
export interface Dispute {
  status: 'opened' | 'under_review' | 'resolved_buyer' | 'resolved_business'
  reason: string
  opened_at: string
  resolved_at?: string
}
export interface Cancellation {
  reason?: string
  reason_code?: string
  canceled_by?: 'buyer' | 'business' | 'system'
  fee?: number
  refund_amount?: number
  canceled_at?: string
}
export interface PostPaymentReturnRequest {
  url: string
  params?: {
    [k: string]: string
  }
}
export interface BusinessDefinition {
  business: BusinessIdentity
  locations?: LocationDefinition[]
  hours?: OpeningWindow[]
  closures?: Closure[]
  /**
   * @maxItems 1000
   */
  special_hours?: SpecialOpening[]
  resources?: ResourceDefinition[]
  services: ServiceDefinition[]
  payments?: PaymentSettings
  clients?: ClientDefinition[]
  catalogue?: {
    search?: boolean
  }
  registry?: {
    enabled?: boolean
  }
  /**
   * @maxItems 20
   */
  reminder?: string | ReminderDefinition[]
  events?: {
    /**
     * @maxItems 100
     */
    retries?: string[]
  }
  sign_answers?: boolean
  availability?: {
    max_days?: number
  }
  capabilities?: {
    /**
     * @minItems 1
     */
    [k: string]: CapabilityDefinition[]
  }
  supported_versions?: {
    [k: string]: {
      usp: {
        version: string
      }
    }
  }
  privacy?: {
    retention?: string
  }
  deployment_mode?: 'standalone' | 'ucp_native'
  ucp_checkout?: UcpCheckoutSettings
  authorization?: AuthorizationSettings
  limits?: RateLimits
  website?: WebsiteSettings
  mails?: MailSettings
  notifications?: NotificationSettings
}
export interface BusinessIdentity {
  id: string
  name: string
  timezone: string
  currency: string
  language?: string
  /**
   * @maxItems 50
   */
  languages?: string[]
  url?: string
  /**
   * @maxItems 100
   */
  links?: LinkDefinition[]
}
export interface LinkDefinition {
  type: string
  url: string
  title?: string
}
export interface LocationDefinition {
  id: string
  name: string
  address?: string
  coordinates?: {
    lat: number
    lng: number
  }
  hours?: OpeningWindow[]
}
export interface OpeningWindow {
  /**
   * @minItems 1
   */
  days: ('monday' | 'tuesday' | 'wednesday' | 'thursday' | 'friday' | 'saturday' | 'sunday')[]
  opens: string
  closes: string
}
export interface Closure {
  from: string
  to: string
  reason?: string
  /**
   * @minItems 1
   */
  locations?: string[]
}
export interface SpecialOpening {
  from: string
  to?: string
  /**
   * @minItems 1
   */
  days?: ('monday' | 'tuesday' | 'wednesday' | 'thursday' | 'friday' | 'saturday' | 'sunday')[]
  opens: string
  closes: string
  reason?: string
  /**
   * @minItems 1
   */
  locations?: string[]
}
export interface ResourceDefinition {
  id: string
  type: 'staff' | 'room' | 'table' | 'equipment' | 'other'
  name: string
  localized?: {
    name?: {
      [k: string]: string
    }
    description?: {
      [k: string]: string
    }
  }
  description?: string
  image_url?: string
  /**
   * @minItems 1
   */
  locations?: string[]
  seats?: number
  hours?: OpeningWindow[]
  rota?: Rota
  /**
   * @maxItems 1000
   */
  special_hours?: SpecialHours[]
  time_off?: TimeOff[]
}
export interface Rota {
  begins: string
  /**
   * @minItems 1
   * @maxItems 53
   */
  weeks: RotaWeek[]
}
export interface RotaWeek {
  hours?: OpeningWindow[]
}
export interface SpecialHours {
  from: string
  to?: string
  /**
   * @minItems 1
   */
  days?: ('monday' | 'tuesday' | 'wednesday' | 'thursday' | 'friday' | 'saturday' | 'sunday')[]
  opens: string
  closes: string
  reason?: string
}
export interface TimeOff {
  from: DateOrLocalTime
  to: DateOrLocalTime
  reason?: string
}
export interface ServiceDefinition {
  id: string
  name: string
  type: string
  description?:
    | string
    | {
        plain: string
        markdown?: string
        html?: string
      }
  status?: 'active' | 'suspended' | 'archived'
  /**
   * @maxItems 100
   */
  categories?: CategoryDefinition[]
  duration: DurationDefinition
  scheduled_duration?: string
  /**
   * @maxItems 500
   */
  duration_rules?: DurationRule[]
  pricing: PricingDefinition
  price_rules?: PriceRule[]
  /**
   * @minItems 1
   */
  locations?: string[]
  /**
   * @maxItems 20
   */
  resources?: RequirementDefinition[]
  channel: {
    type: 'at_business_location' | 'at_buyer_location' | 'virtual' | 'phone' | 'hybrid'
    virtual_provider?: string
    instructions?: string
    service_area?: string
  }
  travel_time?: string
  service_limits?: {
    circle?: {
      lat: number
      lng: number
      radius_km: number
    }
    postal_codes?: {
      country: string
      /**
       * @minItems 1
       * @maxItems 10000
       */
      codes: string[]
    }
  }
  policies: PoliciesDefinition
  capacity?: {
    min?: number
    max?: number
    waitlist?: boolean
  }
  sessions?: SessionDefinition[]
  waitlist?: {
    limit?: number
    offer_window?: string
    on_decline?: 'requeue' | 'remove'
    waive_fee?: boolean
  }
  payment_window?: string
  /**
   * @maxItems 20
   */
  reminder?: string | ReminderDefinition[]
  waiver?: {
    text: string
    url?: string
  }
  /**
   * @maxItems 30
   */
  intake?: {
    id: string
    question: string
    required?: boolean
  }[]
  /**
   * @maxItems 20
   */
  media?: {
    type: string
    url: string
    alt_text?: string
    role?: 'hero' | 'gallery' | 'thumbnail'
    width?: number
    height?: number
  }[]
  rating?: {
    value: number
    scale_min?: number
    scale_max: number
    count?: number
  }
  handle?: string
  url?: string
  /**
   * @maxItems 100
   */
  tags?: string[]
  /**
   * @maxItems 100
   */
  links?: LinkDefinition[]
  metadata?: {
    [k: string]: unknown
  }
  localized?: {
    name?: {
      [k: string]: string
    }
    description?: {
      [k: string]: string
    }
    category_name?: {
      [k: string]: string
    }
    channel_instructions?: {
      [k: string]: string
    }
  }
}
export interface CategoryDefinition {
  taxonomy: string
  id?: string
  name?: string
  parent_id?: string
  value?: string
  primary?: boolean
}
export interface DurationDefinition {
  fixed?: string
  range?: {
    min: string
    max: string
    step: string
  }
  undetermined?: true
  buffer_before?: string
  buffer_after?: string
}
export interface DurationRule {
  name?: string
  /**
   * @minItems 1
   */
  resources: string[]
  fixed: string
}
export interface PricingDefinition {
  model: 'fixed' | 'hourly' | 'per_person' | 'variable' | 'free'
  amount?: number
  currency: string
  price_range?: {
    min: number
    max: number
  }
  deposit?: {
    type: 'fixed' | 'percentage'
    value: number
    refundable: boolean
  }
}
export interface PriceRule {
  name?: string
  /**
   * @minItems 1
   */
  days?: ('monday' | 'tuesday' | 'wednesday' | 'thursday' | 'friday' | 'saturday' | 'sunday')[]
  season?: Season
  from?: string
  to?: string
  /**
   * @minItems 1
   */
  resources?: string[]
  amount?: number
  percent?: number
  label?: string
  localized?: {
    label?: {
      [k: string]: string
    }
  }
}
export interface Season {
  from?: string
  to?: string
}
export interface RequirementDefinition {
  type: 'staff' | 'room' | 'equipment' | 'other'
  name?: string
  selectable?: boolean
  /**
   * @minItems 1
   */
  options?: string[]
}
export interface PoliciesDefinition {
  cancellation: {
    allowed: boolean
    free_cancellation_until?: string
    late_cancellation_fee?: number
    late_cancellation_fee_percentage?: number
    no_cancellation_after?: string
  }
  rescheduling: {
    allowed: boolean
    free_reschedule_until?: string
    max_reschedules?: number
    fee?: number
  }
  no_show?: {
    fee?: number
    fee_percentage?: number
    grace_period?: string
  }
  booking_window?: {
    min_advance?: string
    max_advance?: string
    slot_interval?: string
  }
  confirmation_mode: 'auto' | 'manual'
  requires_payment: boolean
  payment_timing?: 'at_booking' | 'at_service' | 'deposit_required'
}
export interface SessionDefinition {
  starts: string
  /**
   * @minItems 1
   */
  days?: ('monday' | 'tuesday' | 'wednesday' | 'thursday' | 'friday' | 'saturday' | 'sunday')[]
  rrule?: string
  from?: string
  until?: string
  location?: string
  resources?: string[]
  capacity?: number
}
export interface PaymentSettings {
  provider?: 'manual' | 'stripe'
  collected_by?: string[]
  window?: string
  window_after_approval?: string
  tax?: {
    percent: number
    included: boolean
  }
  manual?: {
    how?: string
    bank_transfer?: {
      account_holder: string
      iban: string
      bic?: string
      bank?: string
    }
    phone?: boolean
  }
}
export interface ClientDefinition {
  id: string
  name: string
  profile_url?: string
}
export interface CapabilityDefinition {
  version: string
  spec: string
  schema: string
  extends?: string | string[]
  requires?: {
    protocol?: {
      min?: string
      max?: string
    }
    capabilities?: {
      [k: string]: {
        min?: string
        max?: string
      }
    }
  }
}
export interface UcpCheckoutSettings {
  enabled?: boolean
  /**
   * @maxItems 20
   */
  accepted_methods?: string[]
}
export interface AuthorizationSettings {
  /**
   * @minItems 1
   */
  accepted_mechanisms?: (
    'http_message_signature' | 'platform_key_pop' | 'booking_scoped_credential' | 'oauth2_bearer' | 'api_key' | 'mtls'
  )[]
  proof_nonces?: boolean
  oauth_issuer?: string
  identity_linking?: boolean
  signature_max_age?: number
  sandbox?: boolean
}
export interface RateLimits {
  catalogue?: number
  availability?: number
  holds?: number
  live_holds?: number
  bookings?: number
  staff?: number
  messages?: number
  other?: number
  failed_authentications?: number
  profiles?: number
  callbacks?: number
  strangers?: StrangerLimits
  visitors?: VisitorLimits
}
export interface StrangerLimits {
  calls?: number
  holds?: number
  bookings?: number
  waitlist?: number
  mails?: number
  mails_to_one?: number
  beside_keys?: number
  listings?: number
}
export interface VisitorLimits {
  calls?: number
  holds?: number
  bookings?: number
  waitlist?: number
  mails?: number
  mails_to_one?: number
}
export interface WebsiteSettings {
  enabled?: boolean
  assistants?: boolean
  accent?: string
  logo?: string
  welcome?: string
  contact?: {
    phone?: string
    email?: string
    address?: string
  }
  /**
   * @minItems 1
   */
  services?: string[]
  /**
   * @maxItems 50
   */
  origins?: string[]
}
export interface MailSettings {
  platform_buyers?: 'none' | 'needed' | 'all'
  /**
   * @maxItems 20
   */
  staff?: string[]
  reply_to?: string
  notify_of_moves?: boolean
}
export interface NotificationSettings {
  webhook?: string
}
export interface Service {
  id: string
  business_id: string
  provider?: Provider
  name: string
  description?: string | Description
  type: string
  categories?: ServiceCategory[]
  duration: Duration
  pricing: Pricing
  locations?: Location[]
  resources?: ResourceRequirement[]
  channel: Channel
  policies: ServicePolicies
  capacity?: {
    min?: number
    max?: number
    waitlist?: boolean
  }
  media?: Media[]
  /**
   * @deprecated
   */
  images?: {
    url?: string
    alt?: string
    type?: 'hero' | 'gallery' | 'thumbnail'
  }[]
  rating?: Rating
  status?: 'active' | 'suspended' | 'archived'
  handle?: string
  url?: string
  tags?: string[]
  metadata?: {
    [k: string]: unknown
  }
  availability_hint?: AvailabilityHint
  links?: Link[]
  localized?: LocalizedFields
}
export interface Provider {
  name: string
  url?: string
  links?: Link[]
}
export interface Link {
  type: string
  url: string
  title?: string
}
export interface Description {
  plain: string
  markdown?: string
  html?: string
}
export interface ServiceCategory {
  taxonomy: string
  id?: string
  name?: string
  parent_id?: string
  value?: string
  primary?: boolean
}
export interface Duration {
  fixed?: string
  range?: {
    min?: string
    max?: string
    step?: string
  }
  undetermined?: boolean
  buffer_before?: string
  buffer_after?: string
}
export interface Pricing {
  model: 'fixed' | 'hourly' | 'per_person' | 'variable' | 'free'
  amount?: number
  currency: string
  price_range?: {
    min: number
    max: number
  }
  deposit?: {
    type?: 'fixed' | 'percentage'
    value?: number
    refundable?: boolean
  }
}
export interface Location {
  id?: string
  name?: string
  address?: string
  coordinates?: {
    lat?: number
    lng?: number
  }
}
export interface ResourceRequirement {
  type: 'staff' | 'room' | 'equipment' | 'other'
  name?: string
  selectable?: boolean
  options?: {
    id?: string
    name?: string
    description?: string
    image_url?: string
  }[]
}
export interface Channel {
  type: 'at_business_location' | 'at_buyer_location' | 'virtual' | 'phone' | 'hybrid'
  virtual_provider?: string
  instructions?: string
  service_area?: string
}
export interface ServicePolicies {
  cancellation: {
    allowed: boolean
    free_cancellation_until?: string
    late_cancellation_fee?: number
    no_cancellation_after?: string
    late_cancellation_fee_percentage?: number
  }
  rescheduling: {
    allowed: boolean
    free_reschedule_until?: string
    max_reschedules?: number
    fee?: number
  }
  no_show?: {
    fee?: number
    fee_percentage?: number
    grace_period?: string
  }
  booking_window?: {
    min_advance?: string
    max_advance?: string
    slot_interval?: string
  }
  confirmation_mode: 'auto' | 'manual'
  requires_payment: boolean
  payment_timing?: 'at_booking' | 'at_service' | 'deposit_required'
}
export interface Media {
  type: string
  url: string
  alt_text?: string
  role?: 'hero' | 'gallery' | 'thumbnail'
  width?: number
  height?: number
}
export interface Rating {
  value: number
  scale_min?: number
  scale_max: number
  count?: number
}
export interface AvailabilityHint {
  summary: string
  generated_at: string
  next_available_date?: string
  valid_until?: string
  /**
   * @minItems 1
   */
  slot_bitmaps?: AvailabilitySlotBitmap[]
}
export interface AvailabilitySlotBitmap {
  duration: string
  starts_at: string
  start_interval: string
  slot_count: number
  encoding: 'roaring32-portable-base64'
  bitmap: string
}
export interface LocalizedFields {
  name?: {
    [k: string]: string
  }
  description?: {
    [k: string]: string
  }
  category_name?: {
    [k: string]: string
  }
  channel_instructions?: {
    [k: string]: string
  }
}
export interface BuyerContext {
  address_country?: string
  address_region?: string
  postal_code?: string
  coordinates?: {
    latitude: number
    longitude: number
  }
  language?: string
  currency?: string
  intent?: string
}
export interface ServiceFilters {
  type?: string
  category_id?: string
  categories?: string[]
  location_id?: string
  price?: {
    min?: number
    max?: number
  }
}
export interface FeedItem {
  state: 'updated' | 'deleted'
  modified_at: string
  data: {
    id: string
    business_id: string
  }
}
export interface FeedMeta {
  feed_generated_at: string
  total_services: number
  feed_status: 'healthy' | 'degraded' | 'rebuilding'
}
export interface SigningKey {
  kid: string
  kty: string
  crv?: string
  x?: string
  y?: string
  n?: string
  e?: string
  use?: 'sig' | 'enc'
  alg?: string
}
export interface BusinessProfile {
  usp: BusinessSchema
  /**
   * @minItems 1
   */
  keys?: SigningKey[]
  /**
   * @minItems 1
   */
  signing_keys?: SigningKey[]
  authorization?: AuthorizationPolicy
  [k: string]: unknown
}
export interface UspBase {
  version: string
  status?: 'success' | 'error'
}
export interface BusinessSchema1 {
  version: string
  services: {
    [k: string]: ServiceBinding[]
  }
  capabilities: {
    [k: string]: ProfileCapabilityEntry[]
  }
  checkout_systems?: ('acp' | 'redirect' | 'embedded')[]
  business: BusinessInfo
  supported_versions?: {
    [k: string]: string
  }
}
export interface ServiceBinding {
  version: string
  transport: 'rest' | 'mcp' | 'a2a' | 'embedded'
  endpoint?: string
  spec: string
  schema?: string
  id?: string
  config?: {
    authorization?: AuthorizationPolicy
    [k: string]: unknown
  }
  [k: string]: unknown
}
export interface AuthorizationPolicy {
  privileged_operations_require_authentication: boolean
  /**
   * @minItems 1
   */
  accepted_mechanisms: AuthorizationMechanism[]
  token_endpoint?: string
  [k: string]: unknown
}
export interface CapabilityEntry {
  version: string
  spec?: string
  schema?: string
  extends?: string | string[]
  holds?: boolean
  [k: string]: unknown
}
export interface BusinessInfo {
  name: string
  timezone: string
  currency: string
  locations?: {
    id: string
    name: string
    address?: string
    coordinates?: {
      lat?: number
      lng?: number
    }
  }[]
}
export interface BookingScopedCredential {
  value: string
  expires_at: string
  cnf?: ConfirmationKey
  /**
   * @minItems 1
   */
  scope?: string[]
}
export interface ConfirmationKey {
  jkt: string
}
export interface PlatformProfile {
  usp: PlatformSchema
  webhook_url?: string
  /**
   * @minItems 1
   */
  keys?: SigningKey[]
  /**
   * @minItems 1
   */
  signing_keys?: SigningKey[]
  [k: string]: unknown
}
export interface PlatformSchema1 {
  version: string
  capabilities: {
    [k: string]: ProfileCapabilityEntry[]
  }
  services?: {
    [k: string]: {
      transport: 'rest' | 'mcp' | 'a2a' | 'embedded'
    }[]
  }
}
export interface RegistryLocation {
  address?: string
  coordinates?: {
    lat: number
    lng: number
  }
}
export interface RegistrySearchLocation {
  coordinates?: {
    lat: number
    lng: number
  }
  radius_km?: number
}
export interface RegistryContext {
  locale?: string
  currency?: string
}
export interface PriceRangeFilter {
  min?: number
  max?: number
  currency?: string
  match?: RangeMatchMode
}
export interface DurationRangeFilter {
  min_minutes?: number
  max_minutes?: number
  match?: RangeMatchMode
}
export interface DesiredServiceTimeMoment {
  at: string
}
export interface DesiredServiceTimeRange {
  start: string
  end: string
}
export interface DesiredServiceTimeFrom {
  start: string
}
export interface RegistrationRequest {
  profile_url: string
  deployment_mode: 'standalone' | 'ucp_native'
  name: string
  description?: string
  verticals: string[]
  categories: RegistryCategoryIds
  location?: RegistryLocation
  timezone: string
}
export interface RegistryEntry {
  id: string
  profile_url: string
  deployment_mode: 'standalone' | 'ucp_native'
  name: string
  description?: string
  verticals: string[]
  categories: RegistryCategoryIds
  location?: RegistryLocation
  timezone: string
  status: 'active' | 'inactive'
  created_at: string
}
export interface BusinessSearchRequest {
  location?: RegistrySearchLocation
  verticals?: string[]
  categories?: RegistryCategoryIds
  query?: string
  deployment_mode?: 'standalone' | 'ucp_native'
  context?: RegistryContext
  pagination?: {
    cursor?: string | null
    limit?: number
  }
}
export interface ServiceSearchRequest {
  location?: RegistrySearchLocation
  verticals?: string[]
  categories?: RegistryCategoryIds
  query?: string
  price_range?: PriceRangeFilter
  duration_range?: DurationRangeFilter
  desired_service_time_ranges?: DesiredServiceTimePreference[]
  prefer_sooner_availability_slots?: boolean
  context?: RegistryContext
  pagination?: {
    cursor?: string | null
    limit?: number
  }
}
export interface RegistryBusinessRef {
  id: string
  profile_url: string
  deployment_mode: 'standalone' | 'ucp_native'
  name: string
}
export interface ServiceSearchResult {
  service_id: string
  service_name: string
  business: RegistryBusinessRef
  category: string
  duration_minutes?: number
  pricing: Pricing
  location?: RegistryLocation
  timezone: string
  last_indexed_at?: string
  availability_hint?: AvailabilityHint
  category_ids: RegistryCategoryIds
  rank_signals?: RankSignals
}
export interface RankSignals {
  relevance: number
  coverage: number | null
  density: number | null
  soonness: number | null
  hint_usable: boolean
}
export interface PriceRangeFilter1 {
  min?: number
  max?: number
  currency?: string
  match?: RangeMatchMode
}
export interface DurationRangeFilter1 {
  min_minutes?: number
  max_minutes?: number
  match?: RangeMatchMode
}
export interface RegistryServiceSearchResult {
  service_id: string
  service_name: string
  business: RegistryBusinessRef
  category: string
  duration_minutes?: number
  pricing: Pricing
  location?: RegistryLocation
  timezone: string
  last_indexed_at?: string
  availability_hint?: AvailabilityHint
  category_ids: RegistryCategoryIds
  rank_signals?: RankSignals
}
export interface ProblemDetails {
  type: string
  title: string
  status: number
  detail?: string
  instance?: string
  errors?: {
    field?: string
    message?: string
  }[]
  code?: string
  mechanism?: string
  nonce?: string
}
export interface FeedSubscription {
  id: string
  callback_url: string
  categories?: string[]
  events?: ('service.created' | 'service.updated' | 'service.deleted' | 'service.suspended')[]
  status: 'active' | 'paused' | 'canceled'
  created_at: string
}
export interface UcpMeta {
  version: string
  status?: 'success' | 'error'
  capabilities?: {
    [k: string]: {
      version: string
    }[]
  }
  payment_handlers?: {
    [k: string]: UcpPaymentHandler[]
  }
}
export interface UcpPaymentHandler {
  id: string
  version: string
  spec?: string
  schema?: string
  /**
   * @minItems 1
   */
  available_instruments?: {
    type: string
    config?: {
      [k: string]: unknown
    }
  }[]
  config?: {
    [k: string]: unknown
  }
}
export interface UcpBuyer {
  first_name?: string
  last_name?: string
  email?: string
  phone_number?: string
}
export interface UcpLineItemInput {
  id?: string
  item: {
    id: string
    title?: string
    price?: number
    quantity_unit?: {
      unit: string
      scale?: number
    }
  }
  quantity?: number
}
export interface UcpBookingInput {
  service_id: string
  service_type?: string
  slot: {
    id: string
    start?: string
    end?: string
    duration?: string
  }
  hold_id?: string
  /**
   * @maxItems 20
   */
  resources?: {
    id?: string
    type?: string
    name?: string
  }[]
  party_size?: number
  confirmation_mode?: 'auto' | 'manual'
  notes?: string
  delivery_address?: DeliveryAddress
  recipient?: UcpBuyer
}
export interface UcpPaymentInput {
  selected_term_id?: string
  /**
   * @maxItems 10
   */
  instruments?: UcpInstrument[]
}
export interface UcpInstrument {
  id: string
  handler_id: string
  type: string
  selected?: boolean
  credential?: {
    type: string
    token?: string
  }
}
export interface UcpSignals {
  'dev.ucp.buyer_ip'?: string
  'dev.ucp.user_agent'?: string
  'dev.usp-protocol.agent_host_ip'?: string
  [k: string]: unknown
}
export interface UcpTotal {
  type: string
  display_text?: string
  amount: number
  lines?: {
    display_text: string
    amount: number
  }[]
}
export interface UcpTerm {
  id: string
  title: string
  /**
   * @minItems 1
   */
  schedules: {
    id: string
    type: string
    description: {
      plain: string
    }
    due_at?: string
    amount: number
  }[]
}
export interface UcpSettlement {
  mode: 'offline'
  term_id: string
  accepted_methods?: string[]
}
export interface UcpLink {
  type: string
  url: string
  title?: string
}
export interface UcpLineItem {
  id: string
  item: UcpItem
  quantity: number
  totals: UcpTotal[]
}
export interface UcpItem {
  id: string
  title: string
  price: number
}
export interface UcpBookingContext {
  booking_id: string
  service_id: string
  service_type: string
  slot: SlotReference
  hold_id?: string
  resources?: {
    id?: string
    type?: string
    name?: string
  }[]
  party_size?: number
  confirmation_mode: 'auto' | 'manual'
  booking_status: 'pending' | 'confirmed' | 'canceled'
  actions?: {
    type: string
    status: 'pending' | 'completed' | 'expired'
    continue_url: string
    expires_at: string
  }[]
  notes?: string
  delivery_address?: DeliveryAddress
  recipient?: UcpBuyer
}
export interface UcpPolicy {
  type: string
  description: {
    plain: string
  }
  applies_to?: string[]
}
export interface UcpOrderLineItem {
  id: string
  item: UcpItem
  quantity: {
    original: number
    total: number
    fulfilled: number
  }
  totals: UcpTotal[]
  status: 'processing' | 'partial' | 'fulfilled' | 'removed'
}
export interface UcpAdjustment {
  id: string
  type: string
  occurred_at: string
  status: 'pending' | 'completed' | 'failed'
  totals?: UcpTotal[]
  description?: string
}
export interface UcpBusinessProfile {
  ucp: {
    version: string
    services: {
      /**
       * @minItems 1
       */
      [k: string]: ServiceBinding[]
    }
    capabilities: {
      /**
       * @minItems 1
       */
      [k: string]: CapabilityEntry[]
    }
    payment_handlers?: {
      [k: string]: unknown
    }
    business?: BusinessInfo
    [k: string]: unknown
  }
  /**
   * @minItems 1
   */
  keys?: SigningKey[]
  /**
   * @minItems 1
   */
  signing_keys?: SigningKey[]
  [k: string]: unknown
}
export interface UcpPlatformProfile {
  ucp: {
    version: string
    capabilities?: {
      [k: string]: CapabilityEntry[]
    }
    [k: string]: unknown
  }
  webhook_url?: string
  /**
   * @minItems 1
   */
  keys?: SigningKey[]
  /**
   * @minItems 1
   */
  signing_keys?: SigningKey[]
  [k: string]: unknown
}
export interface ResponseSchema {
  version: string
  capabilities?: {
    [k: string]: {
      version: string
    }[]
  }
}
export interface USPEnvelope {
  usp: UspMeta
}
export interface PaginationRequest {
  cursor?: string | null
  limit?: number
}
export interface Pagination {
  cursor: string | null
  has_more: boolean
}
export interface McpAuthorization {
  mechanism: AuthorizationMechanism
  credential?: string
  proof?: PopProofJwt
}
export interface McpUspMetaPublic {
  profile?: string
  authorization?: {
    [k: string]: unknown
  }
  correlation_id?: string
}
export interface McpUspMetaPrivilegedPlatform {
  profile: string
  idempotency_key?: string
  authorization?: McpAuthorization
  correlation_id?: string
}
export interface McpUspMetaPrivilegedPlatformNoIdempotency {
  profile: string
  authorization?: McpAuthorization
  correlation_id?: string
}
export interface McpUspMetaPrivilegedScoped {
  profile: string
  idempotency_key?: string
  if_match?: string
  authorization?: McpAuthorization
  correlation_id?: string
}
export interface McpUspMetaBusinessOnly {
  profile?: string
  idempotency_key?: string
  if_match?: string
  authorization?: McpAuthorization
  correlation_id?: string
}
export interface McpUspMetaPrivilegedScopedNoIdempotency {
  profile: string
  authorization?: McpAuthorization
  correlation_id?: string
}
export interface WaitlistEntry {
  id: string
  service_id: string
  buyer: WaitlistBuyer
  preferred_slots?: {
    start_date?: string
    end_date?: string
    time_of_day?: string
  }[]
  status: 'waiting' | 'offered' | 'accepted' | 'expired' | 'declined' | 'removed'
  position: number
  offered_slot?: {
    slot_id?: string
    start?: string
    end?: string
  }
  offer_expires_at?: string
  created_at: string
  revision?: string
}
export interface WaitlistBuyer {
  first_name: string
  last_name: string
  email: string
  phone_number?: string
  consent?: BuyerConsent
}
export interface JoinWaitlistRequest {
  service_id: string
  slot_id?: string
  buyer: WaitlistBuyer
  preferred_slots?: {
    start_date?: string
    end_date?: string
    time_of_day?: string
  }[]
}
export interface ListWaitlistEntriesRequest {
  service_id?: string
  status?: 'waiting' | 'offered' | 'accepted' | 'expired' | 'declined' | 'removed'
  pagination?: {
    cursor?: string
    limit?: number
  }
}
export interface AcceptWaitlistOfferRequest {
  hold_id?: string
}
export interface WaitlistPagination {
  next_cursor?: string
  total?: number
}
export interface RemovedWaitlistEntry {
  id: string
  status: 'removed'
  revision?: string
}
export interface BookingEvent {
  event:
    | 'booking.confirmed'
    | 'booking.canceled'
    | 'booking.rescheduled'
    | 'booking.reminder'
    | 'booking.completed'
    | 'booking.no_show'
    | 'booking.refund_issued'
    | 'booking.dispute_opened'
    | 'booking.dispute_resolved'
    | 'booking.service_started'
    | 'booking.service_updated'
  event_id: string
  booking_id: string
  order_id?: string
  timestamp: string
  data?: Booking
  refund_amount?: number
  refund_total?: number
  currency?: string
}
export interface CatalogEvent {
  event: 'service.created' | 'service.updated' | 'service.deleted' | 'service.suspended'
  event_id: string
  service_id: string
  subscription_id: string
  timestamp: string
  data?: Service
}
export interface WaitlistEvent {
  event: 'waitlist.spot_offered' | 'waitlist.converted' | 'waitlist.expired' | 'waitlist.position_changed'
  event_id: string
  entry_id: string
  service_id: string
  timestamp: string
  data?: WaitlistEntry
}
export interface ListServices {
  input: {
    query?: string
    filters?: ServiceFilters
    context?: BuyerContext
    pagination?: {
      cursor?: string | null
      limit?: number
    }
  }
  output: {
    services: Service[]
    pagination: Pagination
  }
}
export interface GetService {
  input: {
    service_id: string
  }
  output: {
    service: Service
  }
}
export interface LookupServices {
  input: {
    /**
     * @minItems 1
     */
    ids: string[]
    context?: BuyerContext
  }
  output: {
    services: Service[]
  }
}
export interface GetServiceFeed {
  input: {
    cursor?: string | null
    limit?: number
    location_id?: string
  }
  output: {
    items: FeedItem[]
    pagination: {
      cursor: string | null
      next_cursor: string
      has_more: boolean
    }
    feed_meta: FeedMeta
  }
}
export interface CreateFeedSubscription {
  input: {
    callback_url: string
    /**
     * @maxItems 100
     */
    categories?: string[]
    /**
     * @maxItems 100
     */
    events?: ('service.created' | 'service.updated' | 'service.deleted' | 'service.suspended')[]
  }
  output: {
    subscription: FeedSubscription
  }
}
export interface GetFeedSubscription {
  input: {
    subscription_id: string
  }
  output: {
    subscription: FeedSubscription
  }
}
export interface PauseFeedSubscription {
  input: {
    subscription_id: string
  }
  output: {
    subscription: FeedSubscription
  }
}
export interface ResumeFeedSubscription {
  input: {
    subscription_id: string
  }
  output: {
    subscription: FeedSubscription
  }
}
export interface CancelFeedSubscription {
  input: {
    subscription_id: string
  }
  output: {
    subscription: FeedSubscription
  }
}
export interface QueryAvailability {
  input: {
    service_id: string
    start_date: string
    end_date: string
    timezone?: string
    resource_id?: string
    party_size?: number
    location_id?: string
    locale?: string
    cursor?: string | null
    limit?: number
  }
  output: {
    service_id: string
    slots: TimeSlot[]
    opening_hours?: {
      day_of_week: string[]
      opens: string
      closes: string
    }[]
    pagination?: Pagination
  }
}
export interface ExplainAvailability {
  input: {
    service_id: string
    start_date: string
    end_date?: string
    timezone?: string
    resource_id?: string
    party_size?: number
    location_id?: string
    duration?: string
    locale?: string
  }
  output: {
    service_id: string
    free: boolean
    slots: TimeSlot[]
    reasons: {
      code:
        | 'past'
        | 'too_soon'
        | 'too_far_ahead'
        | 'closed'
        | 'nobody_there'
        | 'not_at_once'
        | 'other_times'
        | 'taken'
        | 'fully_booked'
        | 'no_class'
        | 'waitlist_open'
        | 'party_too_large'
        | 'party_too_small'
        | 'not_at_location'
        | 'not_with_resource'
        | 'not_for_so_long'
        | 'service_suspended'
        | 'service_archived'
      content: string
    }[]
    instead: {
      differs: 'earlier' | 'later' | 'resource' | 'location' | 'duration'
      slot: TimeSlot
    }[]
  }
}
export interface HoldSlot {
  input: {
    slot_id: string
    service_id: string
    spots?: number
  }
  output: {
    hold: Hold
    booking_scoped_credential?: BookingScopedCredential
  }
}
export interface ReleaseHold {
  input: {
    hold_id: string
  }
  output: {
    hold: Hold
  }
}
export interface CreateBooking {
  input: {
    service_id: string
    slot_id: string
    hold_id?: string
    buyer: BookingBuyer
    recipient?: BookingBuyer
    party_size?: number
    resource_id?: string
    delivery_address?: DeliveryAddress
    notes?: string
    post_payment_return_request?: PostPaymentReturnRequest
  }
  output: {
    booking: Booking
    booking_scoped_credential?: BookingScopedCredential
  }
}
export interface GetBooking {
  input: {
    booking_id: string
  }
  output: {
    booking: Booking
    booking_scoped_credential?: BookingScopedCredential
  }
}
export interface UpdateBooking {
  input: {
    booking_id: string
    buyer?: BookingBuyer
    recipient?: BookingBuyer
    notes?: string
  }
  output: {
    booking: Booking
  }
}
export interface ConfirmBooking {
  input: {
    booking_id: string
    notes?: string
  }
  output: {
    booking: Booking
  }
}
export interface CancelBooking {
  input: {
    booking_id: string
    reason?: string
  }
  output: {
    booking: Booking
  }
}
export interface RescheduleBooking {
  input: {
    booking_id: string
    slot_id: string
    hold_id?: string
  }
  output: {
    booking: Booking
    booking_scoped_credential?: BookingScopedCredential
  }
}
export interface ConfirmPayment {
  input: {
    booking_id: string
    payment_result: {
      status: 'paid' | 'deposit_paid'
      transaction_id: string
      amount_paid: number
      currency: string
      provider?: string
      order_reference?: string
    }
  }
  output: {
    booking: Booking
  }
}
export interface CreateCalendar {
  input: {
    resource_id?: string
  }
  output: {
    calendar: {
      id: string
      resource_id?: string
      created_at: string
    }
    url: string
  }
}
export interface ListCalendars {
  input: {}
  output: {
    calendars: {
      id: string
      resource_id?: string
      created_at: string
    }[]
  }
}
export interface RevokeCalendar {
  input: {
    calendar_id: string
  }
  output: {
    calendar: {
      id: string
      resource_id?: string
      created_at: string
    }
  }
}
export interface JoinWaitlist {
  input: {
    service_id: string
    slot_id?: string
    buyer: WaitlistBuyer
    party_size?: number
    /**
     * @maxItems 100
     */
    preferred_slots?: {
      start_date?: string
      end_date?: string
      time_of_day?: string
    }[]
  }
  output: {
    entry: WaitlistEntry
    booking_scoped_credential?: BookingScopedCredential
  }
}
export interface ListWaitlistEntries {
  input: {
    service_id?: string
    status?: 'waiting' | 'offered' | 'accepted' | 'expired' | 'declined' | 'removed'
    pagination?: {
      cursor?: string | null
      limit?: number
    }
  }
  output: {
    entries: WaitlistEntry[]
    pagination: {
      next_cursor?: string
      total: number
    }
  }
}
export interface GetWaitlistEntry {
  input: {
    entry_id: string
  }
  output: {
    entry: WaitlistEntry
  }
}
export interface LeaveWaitlist {
  input: {
    entry_id: string
  }
  output: {
    entry: {
      id: string
      status: 'removed'
      revision: string
    }
  }
}
export interface AcceptOffer {
  input: {
    entry_id: string
    hold_id?: string
    delivery_address?: DeliveryAddress
  }
  output: {
    entry: WaitlistEntry
    booking: Booking
  }
}
export interface DeclineOffer {
  input: {
    entry_id: string
  }
  output: {
    entry: WaitlistEntry
  }
}
export interface RegisterBusiness {
  input: {
    profile_url: string
    deployment_mode: 'standalone' | 'ucp_native'
    name: string
    description?: string
    /**
     * @maxItems 20
     */
    verticals: string[]
    /**
     * @maxItems 50
     */
    categories: string[]
    location?: {
      address?: string
      coordinates?: {
        lat: number
        lng: number
      }
    }
    timezone: string
  }
  output: {
    registration: RegistryEntry
  }
}
export interface GetRegistration {
  input: {
    id: string
  }
  output: {
    registration: RegistryEntry
  }
}
export interface UpdateRegistration {
  input: {
    id: string
    profile_url: string
    deployment_mode: 'standalone' | 'ucp_native'
    name: string
    description?: string
    /**
     * @maxItems 20
     */
    verticals: string[]
    /**
     * @maxItems 50
     */
    categories: string[]
    location?: {
      address?: string
      coordinates?: {
        lat: number
        lng: number
      }
    }
    timezone: string
  }
  output: {
    registration: RegistryEntry
  }
}
export interface DeleteRegistration {
  input: {
    id: string
  }
  output: {}
}
export interface SearchBusinesses {
  input: {
    location?: {
      coordinates?: {
        lat: number
        lng: number
      }
      radius_km?: number
    }
    /**
     * @maxItems 100
     */
    verticals?: string[]
    /**
     * @maxItems 100
     */
    categories?: string[]
    context?: RegistryContext
    pagination?: {
      cursor?: string | null
      limit?: number
    }
    query?: string
    deployment_mode?: 'standalone' | 'ucp_native'
  }
  output: {
    businesses: RegistryEntry[]
    pagination: Pagination
  }
}
export interface SearchServices {
  input: {
    location?: {
      coordinates?: {
        lat: number
        lng: number
      }
      radius_km?: number
    }
    /**
     * @maxItems 100
     */
    verticals?: string[]
    /**
     * @maxItems 100
     */
    categories?: string[]
    context?: RegistryContext
    pagination?: {
      cursor?: string | null
      limit?: number
    }
    query?: string
    price_range?: PriceRangeFilter
    duration_range?: DurationRangeFilter
    /**
     * @maxItems 20
     */
    desired_service_time_ranges?: DesiredServiceTimePreference[]
    prefer_sooner_availability_slots?: boolean
  }
  output: {
    services: ServiceSearchResult[]
    pagination: Pagination
  }
}
export interface ListBusinessBookings {
  input: {
    start_date?: string
    end_date?: string
    resource_id?: string
    service_id?: string
    session_id?: string
    /**
     * @minItems 1
     */
    statuses?: ('pending' | 'requires_action' | 'confirmed' | 'in_progress' | 'completed' | 'no_show' | 'canceled')[]
    came_from?: 'page' | 'assistant' | 'platform' | 'staff'
    payment_claimed?: boolean
    query?: string
    order?: 'earliest_first' | 'latest_first'
    cursor?: string | null
    limit?: number
  }
  output: {
    bookings: Booking[]
    pagination: Pagination
  }
}
export interface GetBusinessBooking {
  input: {
    booking_id: string
  }
  output: {
    booking: Booking
    details: {
      came_from: 'page' | 'assistant' | 'platform' | 'staff'
      booked_by?: string
      profile?: string
      resource_ids: string[]
      session_id?: string
      series?: string
      overridden?: string[]
      answers?: {
        [k: string]: string
      }
      questions?: {
        [k: string]: string
      }
      customer_tags?: string[]
      reschedules: number
      collected?: number
      refunded?: number
      to_pay?: number
      currency: string
      reference: string
      payment_claimed_at?: string
      busy?: {
        resource_id: string
        start: string
        end: string
      }[]
      events?: {
        resource_id: string
        calendar: string
        change: 'deleted' | 'put_back'
        tried?: string
        code?: string
      }[]
      attending_since?: string
    }
    payments: {
      id: string
      amount: number
      currency: string
      purpose: 'price' | 'deposit' | 'difference' | 'no_show_fee' | 'nothing_due' | 'tip'
      source: 'provider' | 'platform' | 'staff'
      reported_by: string
      provider?: string
      transaction_id?: string
      order_reference?: string
      kind?: 'cash' | 'card' | 'transfer' | 'voucher'
      tip?: number
      reverses?: string
      correctable?: boolean
      received_at: string
      refunds: {
        amount: number
        status: 'waiting' | 'given' | 'refused' | 'elsewhere'
        reason: string
        at: string
      }[]
    }[]
    changes: {
      at: string
      actor: string
      actor_name?: string
      action: string
      from?: string
      to?: string
      detail: {
        [k: string]: unknown
      }
    }[]
  }
}
export interface ListBusinessBookingChanges {
  input: {
    booking_id: string
    cursor?: string | null
    limit?: number
  }
  output: {
    changes: {
      at: string
      actor: string
      actor_name?: string
      action: string
      from?: string
      to?: string
      detail: {
        [k: string]: unknown
      }
    }[]
    pagination: Pagination
  }
}
export interface ListBusinessBookingTold {
  input: {
    booking_id: string
  }
  output: {
    told: {
      id: string
      way: 'mail' | 'webhook' | 'text' | 'event'
      what: string
      subject?: string
      audience: 'buyer' | 'staff' | 'platform'
      to?: string
      status: 'waiting' | 'sent' | 'given_up' | 'dropped' | 'unwanted'
      attempts: number
      at: string
      next_attempt_at?: string
      ended_at?: string
      problem?: string
    }[]
  }
}
export interface TellAgainOfBusinessBooking {
  input: {
    booking_id: string
    told_id: string
  }
  output: {
    booking_id: string
    told: {
      id: string
      way: 'mail' | 'webhook' | 'text' | 'event'
      what: string
      subject?: string
      audience: 'buyer' | 'staff' | 'platform'
      to?: string
      status: 'waiting' | 'sent' | 'given_up' | 'dropped' | 'unwanted'
      attempts: number
      at: string
      next_attempt_at?: string
      ended_at?: string
      problem?: string
    }
  }
}
export interface NotifyOfMoveOfBusinessBooking {
  input: {
    booking_id: string
    notify_buyer: boolean
  }
  output: {
    booking_id: string
    told: {
      id: string
      way: 'mail' | 'webhook' | 'text' | 'event'
      what: string
      subject?: string
      audience: 'buyer' | 'staff' | 'platform'
      to?: string
      status: 'waiting' | 'sent' | 'given_up' | 'dropped' | 'unwanted'
      attempts: number
      at: string
      next_attempt_at?: string
      ended_at?: string
      problem?: string
    }[]
  }
}
export interface GetResourceDay {
  input: {
    resource_id: string
    date?: string
  }
  output: {
    resource: {
      id: string
      name: string
      type: string
    }
    date: string
    timezone: string
    blocks: {
      id: string
      resource_id: string
      start: string
      end: string
      reason?: string
      created_by: string
      created_at: string
    }[]
    sessions: {
      id: string
      service_id: string
      start: string
      end: string
      location_id?: string
      resource_ids: string[]
      capacity: number
      taken: number
      held: number
      status: 'open' | 'closed' | 'canceled'
    }[]
    busy: {
      resource_id: string
      start: string
      end: string
    }[]
    bookings: {
      id: string
      service_id: string
      service_name: string
      status: string
      start: string
      end: string
      party_size: number
      name: string
      phone_number?: string
      attending?: boolean
      tags?: string[]
      notes?: string
    }[]
    holds: {
      kind: 'hold' | 'offer'
      service_id?: string
      start: string
      end: string
      expires_at: string
    }[]
  }
}
export interface GetBusinessDay {
  input: {
    date?: string
  }
  output: {
    date: string
    timezone: string
    blocks: {
      id: string
      resource_id: string
      start: string
      end: string
      reason?: string
      created_by: string
      created_at: string
    }[]
    sessions: {
      id: string
      service_id: string
      start: string
      end: string
      location_id?: string
      resource_ids: string[]
      capacity: number
      taken: number
      held: number
      status: 'open' | 'closed' | 'canceled'
    }[]
    busy: {
      resource_id: string
      start: string
      end: string
    }[]
    resources: {
      id: string
      name: string
      type: string
      there: {
        start: string
        end: string
      }[]
    }[]
    bookings: {
      id: string
      service_id: string
      service_name: string
      status: string
      start: string
      end: string
      party_size: number
      name: string
      phone_number?: string
      attending?: boolean
      tags?: string[]
      notes?: string
      resource_ids: string[]
    }[]
    holds: {
      kind: 'hold' | 'offer'
      service_id?: string
      start: string
      end: string
      expires_at: string
      resource_id: string
    }[]
  }
}
export interface GetBusinessReports {
  input: {
    start_date?: string
    end_date?: string
    by?: 'day' | 'week'
  }
  output: {
    timezone: string
    by: 'day' | 'week'
    period: {
      start_date: string
      end_date: string
      bookings: {
        date: string
        bookings: number
        begun: number
        no_shows: number
        canceled: number
      }[]
      takings: {
        date: string
        currency: string
        amount: number
        refunded: number
      }[]
      lead_times: {
        from_days: number
        below_days?: number
        bookings: number
      }[]
      median_lead_hours?: number
      sources: {
        came_from: 'page' | 'assistant' | 'platform' | 'staff'
        profile?: string
        bookings: number
      }[]
      utilization: {
        resource_id: string
        name: string
        hours: {
          hour: number
          booked_minutes: number
          working_minutes: number
        }[]
      }[]
      waitlist: {
        joined: number
        offered: number
        booked: number
        waiting: number
      }
    }
    before: {
      start_date: string
      end_date: string
      bookings: {
        date: string
        bookings: number
        begun: number
        no_shows: number
        canceled: number
      }[]
      takings: {
        date: string
        currency: string
        amount: number
        refunded: number
      }[]
      lead_times: {
        from_days: number
        below_days?: number
        bookings: number
      }[]
      median_lead_hours?: number
      sources: {
        came_from: 'page' | 'assistant' | 'platform' | 'staff'
        profile?: string
        bookings: number
      }[]
      utilization: {
        resource_id: string
        name: string
        hours: {
          hour: number
          booked_minutes: number
          working_minutes: number
        }[]
      }[]
      waitlist: {
        joined: number
        offered: number
        booked: number
        waiting: number
      }
    }
  }
}
export interface ListSessions {
  input: {
    start_date: string
    end_date: string
    service_id?: string
  }
  output: {
    sessions: {
      id: string
      service_id: string
      start: string
      end: string
      location_id?: string
      resource_ids: string[]
      capacity: number
      taken: number
      held: number
      status: 'open' | 'closed' | 'canceled'
    }[]
  }
}
export interface GetSession {
  input: {
    session_id: string
  }
  output: {
    session: {
      id: string
      service_id: string
      start: string
      end: string
      location_id?: string
      resource_ids: string[]
      capacity: number
      taken: number
      held: number
      status: 'open' | 'closed' | 'canceled'
    }
    customer_tags?: {
      [k: string]: string[]
    }
    busy?: {
      resource_id: string
      start: string
      end: string
    }[]
    attending?: string[]
  }
}
export interface CreateBusinessBooking {
  input: {
    service_id: string
    slot_id?: string
    start?: string
    duration?: string
    /**
     * @maxItems 20
     */
    resource_ids?: string[]
    location_id?: string
    override?: ('booking_window' | 'hours' | 'capacity')[]
    buyer: {
      first_name: string
      last_name?: string
      email?: string
      phone_number?: string
      consent?: BuyerConsent
    }
    recipient?: BookingBuyer
    party_size?: number
    delivery_address?: DeliveryAddress
    notes?: string
  }
  output: {
    booking: Booking
  }
}
export interface DeclineBooking {
  input: {
    booking_id: string
    reason?: string
  }
  output: {
    booking: Booking
  }
}
export interface StartBooking {
  input: {
    booking_id: string
  }
  output: {
    booking: Booking
  }
}
export interface AdjustBooking {
  input: {
    booking_id: string
    end: string
  }
  output: {
    booking: Booking
  }
}
export interface CorrectBusinessBooking {
  input: {
    booking_id: string
    buyer?: {
      first_name?: string
      last_name?: string
      email?: string | null
      phone_number?: string | null
      consent?: BuyerConsent
    }
    recipient?: {
      first_name?: string
      last_name?: string
      email?: string | null
      phone_number?: string | null
    }
    notes?: string
    renew_links?: boolean
    party_size?: number
    override?: ('booking_window' | 'hours' | 'capacity')[]
  }
  output: {
    booking: Booking
  }
}
export interface CompleteBooking {
  input: {
    booking_id: string
  }
  output: {
    booking: Booking
  }
}
export interface MarkNoShow {
  input: {
    booking_id: string
    fee?: number
    refund_amount?: number
  }
  output: {
    booking: Booking
  }
}
export interface CancelBusinessBooking {
  input: {
    booking_id: string
    reason?: string
  }
  output: {
    booking: Booking
  }
}
export interface RescheduleBusinessBooking {
  input: {
    booking_id: string
    slot_id?: string
    start?: string
    duration?: string
    /**
     * @maxItems 20
     */
    resource_ids?: string[]
    location_id?: string
    override?: ('booking_window' | 'hours' | 'capacity')[]
    mail_after?: number
    notify_buyer?: boolean
  }
  output: {
    booking: Booking
  }
}
export interface PlanSeries {
  input: {
    booking_id: string
    every_weeks: number
    times: number
  }
  output: {
    dates: {
      start: string
      works: boolean
      why?: string
    }[]
  }
}
export interface BookSeries {
  input: {
    booking_id: string
    /**
     * @minItems 1
     * @maxItems 52
     */
    starts: string[]
  }
  output: {
    series: string
    bookings: Booking[]
  }
}
export interface ImportBookings {
  input: {
    source: string
    /**
     * @minItems 1
     * @maxItems 50
     */
    bookings: {
      key: string
      service_id: string
      start: string
      end?: string
      /**
       * @maxItems 20
       */
      resource_ids?: string[]
      location_id?: string
      buyer: {
        first_name: string
        last_name?: string
        email?: string
        phone_number?: string
        consent?: BuyerConsent
      }
      party_size?: number
      delivery_address?: DeliveryAddress
      notes?: string
      customer_note?: string
      status?: 'confirmed' | 'completed' | 'no_show'
      paid?: boolean
    }[]
    tell?: boolean
    dry_run?: boolean
  }
  output: {
    results: {
      key: string
      outcome: 'imported' | 'already_there' | 'refused'
      booking_id?: string
      overridden?: string[]
      refusal?: Message
    }[]
  }
}
export interface MoveSeries {
  input: {
    booking_id: string
    slot_id?: string
    start?: string
    /**
     * @maxItems 20
     */
    resource_ids?: string[]
    location_id?: string
    override?: ('booking_window' | 'hours' | 'capacity')[]
  }
  output: {
    bookings: Booking[]
  }
}
export interface CancelSeries {
  input: {
    booking_id: string
    reason?: string
  }
  output: {
    canceled: string[]
  }
}
export interface GetBusinessInbox {
  input: {}
  output: {
    inbox: {
      total: number
      requests: number
      payments_claimed: number
      stranded: number
      offers_lapsing: number
      mails_given_up: number
      deliveries_given_up: number
      charges_unreturned: number
    }
  }
}
export interface ListGivenUp {
  input: {}
  output: {
    given_up: {
      id: string
      way: 'mail' | 'webhook' | 'text' | 'event'
      what: string
      subject?: string
      audience: 'buyer' | 'staff' | 'platform'
      to?: string
      status: 'waiting' | 'sent' | 'given_up' | 'dropped' | 'unwanted'
      attempts: number
      at: string
      next_attempt_at?: string
      ended_at?: string
      problem?: string
      about: string
    }[]
  }
}
export interface SendGivenUpAgain {
  input: {
    told_id: string
  }
  output: {
    inbox: {
      total: number
      requests: number
      payments_claimed: number
      stranded: number
      offers_lapsing: number
      mails_given_up: number
      deliveries_given_up: number
      charges_unreturned: number
    }
  }
}
export interface DismissGivenUp {
  input: {
    told_id: string
  }
  output: {
    inbox: {
      total: number
      requests: number
      payments_claimed: number
      stranded: number
      offers_lapsing: number
      mails_given_up: number
      deliveries_given_up: number
      charges_unreturned: number
    }
  }
}
export interface ListUnreturnedCharges {
  input: {}
  output: {
    charges: {
      id: string
      order_id: string
      provider: string
      reference: string
      amount: number
      currency: string
      at: string
    }[]
  }
}
export interface MarkChargeReturned {
  input: {
    charge_id: string
  }
  output: {
    inbox: {
      total: number
      requests: number
      payments_claimed: number
      stranded: number
      offers_lapsing: number
      mails_given_up: number
      deliveries_given_up: number
      charges_unreturned: number
    }
  }
}
export interface ListStrandedBookings {
  input: {}
  output: {
    total: number
    stranded: {
      booking: Booking
      session_id?: string
      reasons: ('no_service' | 'no_class' | 'no_place' | 'no_resource' | 'closed' | 'away')[]
      busy?: {
        resource_id: string
        start: string
        end: string
      }[]
      events?: {
        resource_id: string
        calendar: string
        change: 'deleted' | 'put_back'
        tried?: string
        code?: string
      }[]
    }[]
  }
}
export interface KeepBooking {
  input: {
    booking_id: string
  }
  output: {
    booking: Booking
  }
}
export interface MarkBookingPaid {
  input: {
    booking_id: string
    amount?: number
    tip?: number
    kind?: 'cash' | 'card' | 'transfer' | 'voucher'
    transaction_id?: string
  }
  output: {
    booking: Booking
  }
}
export interface CorrectBookingPayment {
  input: {
    booking_id: string
    payment_id: string
    amount?: number
    tip?: number
    kind?: 'cash' | 'card' | 'transfer' | 'voucher'
    transaction_id?: string
  }
  output: {
    booking: Booking
  }
}
export interface BlockTime {
  input: {
    resource_id: string
    start: string
    end: string
    reason?: string
    dry_run?: boolean
  }
  output: {
    block: {
      id: string
      resource_id: string
      start: string
      end: string
      reason?: string
      created_by: string
      created_at: string
    }
    is_rehearsal?: boolean
  }
}
export interface UnblockTime {
  input: {
    block_id: string
  }
  output: {
    block: {
      id: string
      resource_id: string
      start: string
      end: string
      reason?: string
      created_by: string
      created_at: string
    }
  }
}
export interface ListBlocks {
  input: {
    resource_id?: string
    cursor?: string | null
    limit?: number
  }
  output: {
    blocks: {
      id: string
      resource_id: string
      start: string
      end: string
      reason?: string
      created_by: string
      created_at: string
    }[]
    pagination: Pagination
  }
}
export interface ListAffectedBookings {
  input: {
    start: string
    end: string
    resource_id?: string
    location_id?: string
    everybody?: boolean
  }
  output: {
    timezone: string
    resource_ids: string[]
    not_blocked: string[]
    bookings: {
      id: string
      reference: string
      revision: string
      service_id: string
      service_name: string
      status: string
      start: string
      end: string
      resource_ids: string[]
      location_id?: string
      party_size: number
      buyer: BookingBuyer
      recipient?: BookingBuyer
      notes?: string
      actions: ('move' | 'cancel' | 'keep')[]
      suggestion?: {
        start: string
        end: string
        resource_ids: string[]
        location_id?: string
      }
    }[]
    sessions: {
      id: string
      service_id: string
      start: string
      end: string
      location_id?: string
      resource_ids: string[]
      capacity: number
      taken: number
      held: number
      status: 'open' | 'closed' | 'canceled'
    }[]
  }
}
export interface ClearTime {
  input: {
    start: string
    end: string
    resource_id?: string
    location_id?: string
    everybody?: boolean
    reason?: string
    /**
     * @maxItems 50
     */
    bookings?: {
      booking_id: string
      revision: string
      action: 'move' | 'cancel' | 'keep'
      reason?: string
      slot_id?: string
      start?: string
      duration?: string
      /**
       * @maxItems 20
       */
      resource_ids?: string[]
      location_id?: string
      override?: ('booking_window' | 'hours' | 'capacity')[]
    }[]
    /**
     * @maxItems 50
     */
    sessions?: {
      session_id: string
      taken: number
      action: 'cancel' | 'keep'
      reason?: string
    }[]
  }
  output: {
    moved: string[]
    canceled: string[]
    kept: string[]
    canceled_sessions: string[]
    kept_sessions: string[]
    blocks: {
      id: string
      resource_id: string
      start: string
      end: string
      reason?: string
      created_by: string
      created_at: string
    }[]
    left: {
      kind: 'hold' | 'booking' | 'offer' | 'block' | 'session'
      id?: string
      resource_id: string
      start: string
      end: string
      expires_at?: string
    }[]
  }
}
export interface CancelSession {
  input: {
    session_id: string
    reason?: string
  }
  output: {
    session: {
      id: string
      service_id: string
      start: string
      end: string
      location_id?: string
      resource_ids: string[]
      capacity: number
      taken: number
      held: number
      status: 'open' | 'closed' | 'canceled'
    }
    booking_ids: string[]
  }
}
export interface ResizeSession {
  input: {
    session_id: string
    capacity: number
  }
  output: {
    session: {
      id: string
      service_id: string
      start: string
      end: string
      location_id?: string
      resource_ids: string[]
      capacity: number
      taken: number
      held: number
      status: 'open' | 'closed' | 'canceled'
    }
  }
}
export interface ListBusinessWaitlist {
  input: {
    service_id?: string
    /**
     * @minItems 1
     */
    statuses?: ('waiting' | 'offered' | 'accepted' | 'expired' | 'declined' | 'removed')[]
    came_from?: 'page' | 'assistant' | 'platform' | 'staff'
    cursor?: string | null
    limit?: number
  }
  output: {
    entries: WaitlistEntry[]
    pagination: Pagination
  }
}
export interface GetBusinessWaitlistEntry {
  input: {
    entry_id: string
  }
  output: {
    entry: WaitlistEntry
    details: {
      came_from: 'page' | 'assistant' | 'platform' | 'staff'
      joined_by?: string
      profile?: string
      slot_id?: string
      booking_id?: string
    }
    changes: {
      at: string
      actor: string
      actor_name?: string
      action: string
      from?: string
      to?: string
      detail: {
        [k: string]: unknown
      }
    }[]
  }
}
export interface MoveWaitlistEntry {
  input: {
    entry_id: string
    position: number
  }
  output: {
    entry: WaitlistEntry
  }
}
export interface OfferWaitlistPlace {
  input: {
    entry_id: string
    slot_id: string
  }
  output: {
    entry: WaitlistEntry
  }
}
export interface RemoveWaitlistEntry {
  input: {
    entry_id: string
  }
  output: {
    entry: WaitlistEntry
  }
}
export interface RefundBooking {
  input: {
    booking_id: string
    amount?: number
  }
  output: {
    booking: Booking
  }
}
export interface GetTakings {
  input: {
    start_date?: string
    end_date?: string
  }
  output: {
    start_date: string
    end_date: string
    timezone: string
    takings: {
      date: string
      kind: 'cash' | 'card' | 'transfer' | 'voucher' | 'online' | 'platform' | 'unsaid'
      taken_by?: string
      name?: string
      currency: string
      payments: number
      amount: number
      tips: number
      refunded: number
    }[]
  }
}
export interface OpenDispute {
  input: {
    booking_id: string
    reason: string
  }
  output: {
    booking: Booking
  }
}
export interface ReviewDispute {
  input: {
    booking_id: string
  }
  output: {
    booking: Booking
  }
}
export interface ResolveDispute {
  input: {
    booking_id: string
    in_favor_of: 'buyer' | 'business'
    refund_amount?: number
  }
  output: {
    booking: Booking
  }
}
export interface ListCustomers {
  input: {
    query?: string
  }
  output: {
    customers: {
      id: string
      name: string
      emails: string[]
      phone_numbers: string[]
      /**
       * @maxItems 20
       */
      tags: string[]
    }[]
  }
}
export interface GetCustomer {
  input: {
    customer_id: string
  }
  output: {
    customer: {
      id: string
      name: string
      emails: string[]
      phone_numbers: string[]
      /**
       * @maxItems 20
       */
      tags: string[]
      note: string
      contacts: string[]
      visits: number
      no_shows: number
      upcoming: number
      spent: {
        amount: number
        currency: string
      }[]
    }
    bookings: Booking[]
  }
}
export interface NoteCustomer {
  input: {
    customer_id: string
    note?: string
    /**
     * @maxItems 20
     */
    tags?: string[]
  }
  output: {
    customer: {
      id: string
      name: string
      emails: string[]
      phone_numbers: string[]
      /**
       * @maxItems 20
       */
      tags: string[]
      note: string
      contacts: string[]
      visits: number
      no_shows: number
      upcoming: number
      spent: {
        amount: number
        currency: string
      }[]
    }
    bookings: Booking[]
  }
}
export interface MergeCustomers {
  input: {
    customer_id: string
    other_id: string
  }
  output: {
    customer: {
      id: string
      name: string
      emails: string[]
      phone_numbers: string[]
      /**
       * @maxItems 20
       */
      tags: string[]
      note: string
      contacts: string[]
      visits: number
      no_shows: number
      upcoming: number
      spent: {
        amount: number
        currency: string
      }[]
    }
    bookings: Booking[]
  }
}
export interface SplitCustomer {
  input: {
    customer_id: string
    contact: string
  }
  output: {
    customer: {
      id: string
      name: string
      emails: string[]
      phone_numbers: string[]
      /**
       * @maxItems 20
       */
      tags: string[]
      note: string
      contacts: string[]
      visits: number
      no_shows: number
      upcoming: number
      spent: {
        amount: number
        currency: string
      }[]
    }
    bookings: Booking[]
  }
}
export interface EraseBooking {
  input: {
    booking_id: string
  }
  output: {
    booking_ids: string[]
  }
}
export interface EraseBuyer {
  input: {
    email: string
  }
  output: {
    booking_ids: string[]
  }
}
export interface ListStaff {
  input: {}
  output: {
    staff: {
      id: string
      name: string
      role: 'owner' | 'manager' | 'staff' | 'viewer'
      email?: string
      created_at: string
      invited_at?: string
    }[]
  }
}
export interface InviteStaff {
  input: {
    name: string
    role: 'owner' | 'manager' | 'staff' | 'viewer'
    email?: string
  }
  output: {
    staff: {
      id: string
      name: string
      role: 'owner' | 'manager' | 'staff' | 'viewer'
      email?: string
      created_at: string
      invited_at?: string
    }
    url: string
    mailed: boolean
  }
}
export interface LinkStaff {
  input: {
    staff_id: string
  }
  output: {
    staff: {
      id: string
      name: string
      role: 'owner' | 'manager' | 'staff' | 'viewer'
      email?: string
      created_at: string
      invited_at?: string
    }
    url: string
    mailed: boolean
  }
}
export interface ChangeStaff {
  input: {
    staff_id: string
    name?: string
    role?: 'owner' | 'manager' | 'staff' | 'viewer'
    email?: string | null
  }
  output: {
    staff: {
      id: string
      name: string
      role: 'owner' | 'manager' | 'staff' | 'viewer'
      email?: string
      created_at: string
      invited_at?: string
    }
  }
}
export interface RemoveStaff {
  input: {
    staff_id: string
  }
  output: {
    staff: {
      id: string
      name: string
      role: 'owner' | 'manager' | 'staff' | 'viewer'
      email?: string
      created_at: string
      invited_at?: string
    }
  }
}
export interface GetBusinessDefinition {
  input: {
    format?: 'yaml' | 'json'
  }
  output: {
    version: number
    definition: string
  }
}
export interface ApplyBusinessDefinition {
  input: {
    definition: string
    version?: number
    dry_run?: boolean
  }
  output: {
    version: number
    changes: {
      kind: 'added' | 'changed' | 'removed'
      what: string
      details: string[]
    }[]
    warnings: string[]
    noted: {
      code:
        | 'currency'
        | 'percent'
        | 'outside_range'
        | 'deposit_percent'
        | 'deposit_above_price'
        | 'needless_range'
        | 'two_fees'
        | 'waitlist_min'
        | 'no_person'
        | 'fixed_price'
        | 'stripe_amount'
        | 'never_had'
        | 'rental_days'
        | 'no_sessions'
        | 'never_held'
        | 'never_on'
        | 'nobody_works'
        | 'no_effect'
        | 'unknown_collector'
        | 'no_stripe_key'
      path: string
      values: {
        [k: string]: string
      }
    }[]
    stranded: {
      total: number
      bookings: {
        id: string
        reference: string
        service_id: string
        service_name: string
        start: string
        end: string
        resource_ids: string[]
        reasons: ('no_service' | 'no_class' | 'no_place' | 'no_resource' | 'closed' | 'away')[]
      }[]
    }
  }
}
export interface AddPicture {
  input: {
    data: string
    use: 'service' | 'person' | 'logo'
  }
  output: {
    url: string
    width: number
    height: number
  }
}
export interface GetMailServer {
  input: {}
  output: {
    source: 'operator' | 'desk' | 'none'
    mail_server?: {
      host: string
      port: number
      security: 'tls' | 'starttls'
      username?: string
      has_password: boolean
      sender: string
    }
    last_test?: {
      status: 'waiting' | 'sent' | 'given_up' | 'dropped'
      problem?: string
    }
  }
}
export interface SetMailServer {
  input: {
    host: string
    port: number
    security: 'tls' | 'starttls'
    username?: string
    password?: string
    sender: string
  }
  output: {
    source: 'operator' | 'desk' | 'none'
    mail_server?: {
      host: string
      port: number
      security: 'tls' | 'starttls'
      username?: string
      has_password: boolean
      sender: string
    }
    last_test?: {
      status: 'waiting' | 'sent' | 'given_up' | 'dropped'
      problem?: string
    }
  }
}
export interface RemoveMailServer {
  input: {}
  output: {
    source: 'operator' | 'desk' | 'none'
    mail_server?: {
      host: string
      port: number
      security: 'tls' | 'starttls'
      username?: string
      has_password: boolean
      sender: string
    }
    last_test?: {
      status: 'waiting' | 'sent' | 'given_up' | 'dropped'
      problem?: string
    }
  }
}
export interface TestMailServer {
  input: {
    to: string
  }
  output: {
    source: 'operator' | 'desk' | 'none'
    mail_server?: {
      host: string
      port: number
      security: 'tls' | 'starttls'
      username?: string
      has_password: boolean
      sender: string
    }
    last_test?: {
      status: 'waiting' | 'sent' | 'given_up' | 'dropped'
      problem?: string
    }
  }
}
export interface GetTextProvider {
  input: {}
  output: {
    text_provider?: {
      adapter: 'twilio' | 'bird' | 'http'
      account: string
      sender: string
      /**
       * @minItems 1
       * @maxItems 250
       */
      countries: string[]
      /**
       * @minItems 1
       */
      topics: ('confirmed' | 'moved' | 'canceled' | 'reminder' | 'waitlist_offer')[]
      quiet_from?: string
      quiet_until?: string
      daily_limit: number
      price?: string
      url: string
    }
    last_30_days: {
      messages: number
      segments: number
      cost?: number
    }
    last_test?: {
      status: 'waiting' | 'sent' | 'given_up' | 'dropped'
      problem?: string
    }
  }
}
export interface SetTextProvider {
  input: {
    adapter: 'twilio' | 'bird' | 'http'
    account?: string
    sender: string
    /**
     * @minItems 1
     * @maxItems 250
     */
    countries: string[]
    /**
     * @minItems 1
     */
    topics: ('confirmed' | 'moved' | 'canceled' | 'reminder' | 'waitlist_offer')[]
    quiet_from?: string
    quiet_until?: string
    daily_limit: number
    price?: string
    url?: string
    secret?: string
  }
  output: {
    text_provider?: {
      adapter: 'twilio' | 'bird' | 'http'
      account: string
      sender: string
      /**
       * @minItems 1
       * @maxItems 250
       */
      countries: string[]
      /**
       * @minItems 1
       */
      topics: ('confirmed' | 'moved' | 'canceled' | 'reminder' | 'waitlist_offer')[]
      quiet_from?: string
      quiet_until?: string
      daily_limit: number
      price?: string
      url: string
    }
    last_30_days: {
      messages: number
      segments: number
      cost?: number
    }
    last_test?: {
      status: 'waiting' | 'sent' | 'given_up' | 'dropped'
      problem?: string
    }
  }
}
export interface RemoveTextProvider {
  input: {}
  output: {
    text_provider?: {
      adapter: 'twilio' | 'bird' | 'http'
      account: string
      sender: string
      /**
       * @minItems 1
       * @maxItems 250
       */
      countries: string[]
      /**
       * @minItems 1
       */
      topics: ('confirmed' | 'moved' | 'canceled' | 'reminder' | 'waitlist_offer')[]
      quiet_from?: string
      quiet_until?: string
      daily_limit: number
      price?: string
      url: string
    }
    last_30_days: {
      messages: number
      segments: number
      cost?: number
    }
    last_test?: {
      status: 'waiting' | 'sent' | 'given_up' | 'dropped'
      problem?: string
    }
  }
}
export interface TestTextProvider {
  input: {
    to: string
  }
  output: {
    text_provider?: {
      adapter: 'twilio' | 'bird' | 'http'
      account: string
      sender: string
      /**
       * @minItems 1
       * @maxItems 250
       */
      countries: string[]
      /**
       * @minItems 1
       */
      topics: ('confirmed' | 'moved' | 'canceled' | 'reminder' | 'waitlist_offer')[]
      quiet_from?: string
      quiet_until?: string
      daily_limit: number
      price?: string
      url: string
    }
    last_30_days: {
      messages: number
      segments: number
      cost?: number
    }
    last_test?: {
      status: 'waiting' | 'sent' | 'given_up' | 'dropped'
      problem?: string
    }
  }
}
export interface GetCompanySignIn {
  input: {}
  output: {
    redirect_uri: string
    company_sign_in?: {
      name: string
      issuer: string
      client_id: string
      /**
       * @maxItems 20
       */
      domains: string[]
      /**
       * @maxItems 20
       */
      rules: {
        claim: string
        value: string
        role: 'manager' | 'staff' | 'viewer'
      }[]
      default_role?: 'manager' | 'staff' | 'viewer'
      tested_at?: string
    }
  }
}
export interface SetCompanySignIn {
  input: {
    name: string
    issuer: string
    client_id: string
    /**
     * @maxItems 20
     */
    domains: string[]
    /**
     * @maxItems 20
     */
    rules: {
      claim: string
      value: string
      role: 'manager' | 'staff' | 'viewer'
    }[]
    default_role?: 'manager' | 'staff' | 'viewer'
    client_secret?: string
  }
  output: {
    redirect_uri: string
    company_sign_in?: {
      name: string
      issuer: string
      client_id: string
      /**
       * @maxItems 20
       */
      domains: string[]
      /**
       * @maxItems 20
       */
      rules: {
        claim: string
        value: string
        role: 'manager' | 'staff' | 'viewer'
      }[]
      default_role?: 'manager' | 'staff' | 'viewer'
      tested_at?: string
    }
  }
}
export interface RemoveCompanySignIn {
  input: {}
  output: {
    redirect_uri: string
    company_sign_in?: {
      name: string
      issuer: string
      client_id: string
      /**
       * @maxItems 20
       */
      domains: string[]
      /**
       * @maxItems 20
       */
      rules: {
        claim: string
        value: string
        role: 'manager' | 'staff' | 'viewer'
      }[]
      default_role?: 'manager' | 'staff' | 'viewer'
      tested_at?: string
    }
  }
}
export interface SetCalendarApp {
  input: {
    provider: 'google' | 'microsoft'
    client_id?: string
    client_secret?: string
  }
  output: {
    apps: {
      provider: 'google' | 'microsoft'
      client_id: string
    }[]
    redirect_uri: string
  }
}
export interface ConnectCalendar {
  input: {
    resource_id: string
    address?: string
    caldav?: {
      user: string
      password: string
      /**
       * @minItems 1
       * @maxItems 50
       */
      calendars?: string[]
      write_to?: string
      write_names?: boolean
    }
    account?: {
      provider: 'google' | 'microsoft'
      refresh_token: string
      /**
       * @minItems 1
       * @maxItems 50
       */
      calendars?: string[]
    }
    name?: string
  }
  output: {
    source: {
      id: string
      resource_id: string
      kind: 'ics' | 'caldav' | 'google' | 'microsoft'
      name: string
      host: string
      created_at: string
      state: 'new' | 'read' | 'failing'
      read_at?: string
      next_read_at: string
      busy_soon: number
      unread_events?: number
      failing_since?: string
      problem?:
        | 'unreachable'
        | 'refused'
        | 'address_forbidden'
        | 'not_calendar'
        | 'truncated'
        | 'too_large'
        | 'address_lost'
        | 'password_refused'
        | 'other_host'
        | 'no_calendar'
        | 'access_revoked'
        | 'app_refused'
        | 'not_writable'
      writes?: {
        calendar: string
        names: boolean
        waiting: number
        written_at?: string
        failing_since?: string
        problem?:
          | 'unreachable'
          | 'refused'
          | 'address_forbidden'
          | 'not_calendar'
          | 'truncated'
          | 'too_large'
          | 'address_lost'
          | 'password_refused'
          | 'other_host'
          | 'no_calendar'
          | 'access_revoked'
          | 'app_refused'
          | 'not_writable'
      }
    }
  }
}
export interface ListConnectedCalendars {
  input: {
    resource_id?: string
  }
  output: {
    sources: {
      id: string
      resource_id: string
      kind: 'ics' | 'caldav' | 'google' | 'microsoft'
      name: string
      host: string
      created_at: string
      state: 'new' | 'read' | 'failing'
      read_at?: string
      next_read_at: string
      busy_soon: number
      unread_events?: number
      failing_since?: string
      problem?:
        | 'unreachable'
        | 'refused'
        | 'address_forbidden'
        | 'not_calendar'
        | 'truncated'
        | 'too_large'
        | 'address_lost'
        | 'password_refused'
        | 'other_host'
        | 'no_calendar'
        | 'access_revoked'
        | 'app_refused'
        | 'not_writable'
      writes?: {
        calendar: string
        names: boolean
        waiting: number
        written_at?: string
        failing_since?: string
        problem?:
          | 'unreachable'
          | 'refused'
          | 'address_forbidden'
          | 'not_calendar'
          | 'truncated'
          | 'too_large'
          | 'address_lost'
          | 'password_refused'
          | 'other_host'
          | 'no_calendar'
          | 'access_revoked'
          | 'app_refused'
          | 'not_writable'
      }
    }[]
  }
}
export interface RefreshConnectedCalendar {
  input: {
    source_id: string
  }
  output: {
    source: {
      id: string
      resource_id: string
      kind: 'ics' | 'caldav' | 'google' | 'microsoft'
      name: string
      host: string
      created_at: string
      state: 'new' | 'read' | 'failing'
      read_at?: string
      next_read_at: string
      busy_soon: number
      unread_events?: number
      failing_since?: string
      problem?:
        | 'unreachable'
        | 'refused'
        | 'address_forbidden'
        | 'not_calendar'
        | 'truncated'
        | 'too_large'
        | 'address_lost'
        | 'password_refused'
        | 'other_host'
        | 'no_calendar'
        | 'access_revoked'
        | 'app_refused'
        | 'not_writable'
      writes?: {
        calendar: string
        names: boolean
        waiting: number
        written_at?: string
        failing_since?: string
        problem?:
          | 'unreachable'
          | 'refused'
          | 'address_forbidden'
          | 'not_calendar'
          | 'truncated'
          | 'too_large'
          | 'address_lost'
          | 'password_refused'
          | 'other_host'
          | 'no_calendar'
          | 'access_revoked'
          | 'app_refused'
          | 'not_writable'
      }
    }
  }
}
export interface DisconnectCalendar {
  input: {
    source_id: string
  }
  output: {
    source: {
      id: string
      resource_id: string
      kind: 'ics' | 'caldav' | 'google' | 'microsoft'
      name: string
      host: string
      created_at: string
      state: 'new' | 'read' | 'failing'
      read_at?: string
      next_read_at: string
      busy_soon: number
      unread_events?: number
      failing_since?: string
      problem?:
        | 'unreachable'
        | 'refused'
        | 'address_forbidden'
        | 'not_calendar'
        | 'truncated'
        | 'too_large'
        | 'address_lost'
        | 'password_refused'
        | 'other_host'
        | 'no_calendar'
        | 'access_revoked'
        | 'app_refused'
        | 'not_writable'
      writes?: {
        calendar: string
        names: boolean
        waiting: number
        written_at?: string
        failing_since?: string
        problem?:
          | 'unreachable'
          | 'refused'
          | 'address_forbidden'
          | 'not_calendar'
          | 'truncated'
          | 'too_large'
          | 'address_lost'
          | 'password_refused'
          | 'other_host'
          | 'no_calendar'
          | 'access_revoked'
          | 'app_refused'
          | 'not_writable'
      }
    }
  }
}
export interface ListDeliveries {
  input: {
    status?: 'waiting' | 'delivered' | 'given_up' | 'unwanted'
    receiver?: string
    subject?: string
    cursor?: string | null
    limit?: number
  }
  output: {
    deliveries: {
      id: string
      event: string
      event_id: string
      subject: string
      receiver: string
      status: 'waiting' | 'delivered' | 'given_up' | 'unwanted'
      attempts: number
      timestamp: string
      next_attempt_at?: string
      ended_at?: string
    }[]
    pagination: Pagination
  }
}
export interface GetDelivery {
  input: {
    delivery_id: string
  }
  output: {
    delivery: {
      id: string
      event: string
      event_id: string
      subject: string
      receiver: string
      status: 'waiting' | 'delivered' | 'given_up' | 'unwanted'
      attempts: number
      timestamp: string
      next_attempt_at?: string
      ended_at?: string
    }
    attempts: {
      at: string
      status?: number
      problem?: string
      milliseconds: number
    }[]
  }
}
export interface ReplayDeliveries {
  input: {
    delivery_id?: string
    since?: string
    receiver?: string
  }
  output: {
    replayed: number
  }
}
export interface CreateCheckout {
  input: {
    /**
     * @minItems 1
     * @maxItems 100
     */
    line_items: UcpLineItemInput[]
    buyer?: UcpBuyer
    booking: UcpBookingInput
    payment?: UcpPaymentInput
    signals?: UcpSignals
    context?: {
      [k: string]: unknown
    }
    attribution?: {
      [k: string]: unknown
    }
  }
  output: {
    ucp: UcpMeta
    id: string
    status:
      'incomplete' | 'requires_escalation' | 'ready_for_complete' | 'complete_in_progress' | 'completed' | 'canceled'
    currency: string
    line_items: UcpLineItem[]
    buyer?: UcpBuyer
    totals: UcpTotal[]
    links: UcpLink[]
    policies?: UcpPolicy[]
    expires_at?: string
    continue_url?: string
    payment?: {
      terms: UcpTerm[]
      selected_term_id: string
    }
    settlement?: UcpSettlement
    booking: UcpBookingContext
    booking_scoped_credential?: BookingScopedCredential
    order?: {
      id: string
      permalink_url: string
    }
  }
}
export interface GetCheckout {
  input: {
    id: string
  }
  output: {
    ucp: UcpMeta
    id: string
    status:
      'incomplete' | 'requires_escalation' | 'ready_for_complete' | 'complete_in_progress' | 'completed' | 'canceled'
    currency: string
    line_items: UcpLineItem[]
    buyer?: UcpBuyer
    totals: UcpTotal[]
    links: UcpLink[]
    policies?: UcpPolicy[]
    expires_at?: string
    continue_url?: string
    payment?: {
      terms: UcpTerm[]
      selected_term_id: string
    }
    settlement?: UcpSettlement
    booking: UcpBookingContext
    booking_scoped_credential?: BookingScopedCredential
    order?: {
      id: string
      permalink_url: string
    }
  }
}
export interface UpdateCheckout {
  input: {
    id: string
    /**
     * @minItems 1
     * @maxItems 100
     */
    line_items: UcpLineItemInput[]
    buyer?: UcpBuyer
    booking: UcpBookingInput
    payment?: UcpPaymentInput
    signals?: UcpSignals
    context?: {
      [k: string]: unknown
    }
    attribution?: {
      [k: string]: unknown
    }
  }
  output: {
    ucp: UcpMeta
    id: string
    status:
      'incomplete' | 'requires_escalation' | 'ready_for_complete' | 'complete_in_progress' | 'completed' | 'canceled'
    currency: string
    line_items: UcpLineItem[]
    buyer?: UcpBuyer
    totals: UcpTotal[]
    links: UcpLink[]
    policies?: UcpPolicy[]
    expires_at?: string
    continue_url?: string
    payment?: {
      terms: UcpTerm[]
      selected_term_id: string
    }
    settlement?: UcpSettlement
    booking: UcpBookingContext
    booking_scoped_credential?: BookingScopedCredential
    order?: {
      id: string
      permalink_url: string
    }
  }
}
export interface CompleteCheckout {
  input: {
    id: string
    payment?: UcpPaymentInput
    signals?: UcpSignals
  }
  output: {
    ucp: UcpMeta
    id: string
    status:
      'incomplete' | 'requires_escalation' | 'ready_for_complete' | 'complete_in_progress' | 'completed' | 'canceled'
    currency: string
    line_items: UcpLineItem[]
    buyer?: UcpBuyer
    totals: UcpTotal[]
    links: UcpLink[]
    policies?: UcpPolicy[]
    expires_at?: string
    continue_url?: string
    payment?: {
      terms: UcpTerm[]
      selected_term_id: string
    }
    settlement?: UcpSettlement
    booking: UcpBookingContext
    booking_scoped_credential?: BookingScopedCredential
    order?: {
      id: string
      permalink_url: string
    }
  }
}
export interface CancelCheckout {
  input: {
    id: string
  }
  output: {
    ucp: UcpMeta
    id: string
    status:
      'incomplete' | 'requires_escalation' | 'ready_for_complete' | 'complete_in_progress' | 'completed' | 'canceled'
    currency: string
    line_items: UcpLineItem[]
    buyer?: UcpBuyer
    totals: UcpTotal[]
    links: UcpLink[]
    policies?: UcpPolicy[]
    expires_at?: string
    continue_url?: string
    payment?: {
      terms: UcpTerm[]
      selected_term_id: string
    }
    settlement?: UcpSettlement
    booking: UcpBookingContext
    booking_scoped_credential?: BookingScopedCredential
    order?: {
      id: string
      permalink_url: string
    }
  }
}
export interface GetOrder {
  input: {
    id: string
  }
  output: {
    ucp: UcpMeta
    id: string
    checkout_id: string
    permalink_url: string
    currency: string
    line_items: UcpOrderLineItem[]
    fulfillment: {
      [k: string]: unknown
    }
    adjustments?: UcpAdjustment[]
    totals: UcpTotal[]
    policies?: UcpPolicy[]
    payment?: {
      accepted_term?: UcpTerm
    }
    settlement?: UcpSettlement
    booking_id?: string
  }
}
