import { secondsOf } from '../../infra/time/time-units.ts'
import { isZone } from '../../infra/time/time-zone.ts'
import { VERSION } from '../../protocol/capabilities.ts'
import { isUnder } from '../../protocol/check-capability-origin.ts'
import type { Fault } from '../../protocol/errors.ts'
import { unstorableText } from '../../protocol/parse-json-safely.ts'
import type { BusinessDefinition } from '../../protocol/types.generated.ts'
import { reminderItems } from '../bookings/reminder-times.ts'

export type Rule = (definition: BusinessDefinition) => Iterable<Fault>

/**
 * The rules for a business definition that a JSON schema cannot express. For example, each id must be unique, and each
 * reference must name an existing id.
 */
const rules: Rule[] = [
  textCanBeStored,
  zoneIsKnown,
  currencyIsKnown,
  languagesAreWellFormed,
  idsAreUnique,
  locationsAreKnown,
  capabilitiesAreOwn,
  olderVersionsAreOlder,
  olderVersionsFitDeployment,
  checkoutFitsDeployment,
  retentionHasLength,
  durationsEnd,
  linkingHasTokens,
  websiteIsPossible,
]

export const definitionFaults = (definition: BusinessDefinition): Fault[] =>
  rules.flatMap((rule) => [...rule(definition)])

function* textCanBeStored(definition: BusinessDefinition) {
  for (const path of unstorableText(definition, Number.POSITIVE_INFINITY))
    yield fault(path.join('.'), 'holds a NUL character or half of a surrogate pair')
}

function* zoneIsKnown({ business: { timezone } }: BusinessDefinition) {
  if (!isZone(timezone))
    yield fault('business.timezone', `${timezone} is not an IANA time zone, such as America/New_York`)
}

function* currencyIsKnown({ business, services }: BusinessDefinition) {
  if (!isCurrency(business.currency))
    yield fault('business.currency', `${business.currency} is not an ISO 4217 currency`)
  for (const [index, { pricing }] of services.entries())
    if (!isCurrency(pricing.currency))
      yield fault(`services.${index}.pricing.currency`, `${pricing.currency} is not an ISO 4217 currency`)
}

/**
 * The currency codes of the standard ISO 4217. The list of the JavaScript runtime (`Intl`) lacks some codes, which are
 * added here.
 */
const currencies = new Set([
  ...Intl.supportedValuesOf('currency'),
  ...[
    'BOV',
    'CHE',
    'CHW',
    'CLF',
    'COU',
    'MXV',
    'USN',
    'UYI',
    'UYW',
    'VED',
    'XAG',
    'XAU',
    'XDR',
    'XPD',
    'XPT',
    'XSU',
    'XUA',
  ],
])
const isCurrency = (code: string) => currencies.has(code)

function* languagesAreWellFormed({ business: { language, languages = [] }, resources = [] }: BusinessDefinition) {
  if (language !== undefined && !isLanguageTag(language))
    yield fault('business.language', `${language} is not a BCP 47 tag`)
  for (const [index, tag] of languages.entries())
    if (!isLanguageTag(tag)) yield fault(`business.languages.${index}`, `${tag} is not a BCP 47 tag`)
  for (const [index, { localized = {} }] of resources.entries())
    for (const [member, translations] of Object.entries(localized))
      yield* tagsAreWellFormed(translations, `resources.${index}.localized.${member}`)
}

export function* tagsAreWellFormed(translations: Record<string, string>, field: string) {
  for (const tag of Object.keys(translations))
    if (!isLanguageTag(tag))
      yield fault(`${field}.${tag}`, `is listed under ${tag}, which is not a BCP 47 tag such as es or pt-BR`)
}

function isLanguageTag(tag: string) {
  try {
    return Intl.getCanonicalLocales(tag).length === 1
  } catch {
    return false
  }
}

function* idsAreUnique({ locations = [], resources = [], services, clients = [] }: BusinessDefinition) {
  for (const [section, items] of Object.entries({ locations, resources, services, clients })) {
    const seen = new Set<string>()
    for (const [index, { id }] of items.entries()) {
      if (seen.has(id)) yield fault(`${section}.${index}.id`, `repeats the id ${id}`)
      seen.add(id)
    }
  }
}

function* locationsAreKnown(definition: BusinessDefinition) {
  const { locations = [], resources = [], closures = [], special_hours = [] } = definition
  const known = new Set(locations.map(({ id }) => id))
  for (const [section, items] of Object.entries({ resources, closures, special_hours }))
    for (const [index, item] of items.entries())
      for (const id of item.locations ?? [])
        if (!known.has(id))
          yield fault(`${section}.${index}.locations`, `names the location ${id}, which the business does not have`)
}

function* websiteIsPossible({ website: { services: shown = [], origins = [] } = {}, services }: BusinessDefinition) {
  const known = new Set(services.map(({ id }) => id))
  for (const [index, id] of shown.entries())
    if (!known.has(id))
      yield fault(`website.services.${index}`, `names the service ${id}, which the business does not have`)
  for (const [index, origin] of origins.entries())
    if (URL.parse(origin)?.origin !== origin)
      yield fault(`website.origins.${index}`, `must be an origin without a path, such as https://salon.example`)
}

/**
 * Checks the capabilities (protocol functions) that a business defines itself. The name of a capability must not belong
 * to the protocols USP or UCP. The documents of a capability must be at the domain that its name contains in reverse
 * order.
 */
function* capabilitiesAreOwn({ capabilities = {} }: BusinessDefinition) {
  for (const [name, versions] of Object.entries(capabilities)) {
    const vendor = name.split('.').slice(0, 2).reverse().join('.')
    if (!/^[a-z][a-z0-9_-]*(\.[a-z0-9_-]+){2,}$/.test(name) || /^dev\.(usp-protocol|ucp)\./.test(name))
      yield fault(
        `capabilities.${name}`,
        'must have a reverse-domain name of your own, such as com.example.services.loyalty',
      )
    for (const [index, version] of versions.entries())
      for (const member of ['spec', 'schema'] as const)
        if (!isUnder(new URL(version[member]).hostname, vendor))
          yield fault(
            `capabilities.${name}.${index}.${member}`,
            `must be at ${vendor}, the domain in the name of the capability`,
          )
  }
}

function* olderVersionsAreOlder({ supported_versions = {} }: BusinessDefinition) {
  for (const [version, profile] of Object.entries(supported_versions)) {
    if (version >= VERSION) yield fault(`supported_versions.${version}`, `is not older than ${VERSION}`)
    if (profile.usp.version !== version)
      yield fault(
        `supported_versions.${version}.usp.version`,
        `says ${profile.usp.version}, but is listed under ${version}`,
      )
  }
}

function* checkoutFitsDeployment({ deployment_mode, ucp_checkout }: BusinessDefinition) {
  if (ucp_checkout?.enabled && deployment_mode !== 'ucp_native')
    yield fault(
      'ucp_checkout.enabled',
      'is true, but only a business whose deployment_mode is ucp_native has a UCP checkout',
    )
}

/**
 * Refuses a list of older USP versions in the deployment mode `ucp_native`. In this mode, the business publishes a
 * profile of the Universal Commerce Protocol (UCP), which can list only versions of UCP.
 */
function* olderVersionsFitDeployment({ deployment_mode, supported_versions = {} }: BusinessDefinition) {
  if (deployment_mode === 'ucp_native' && Object.keys(supported_versions).length > 0)
    yield fault(
      'supported_versions',
      'can be listed only in a standalone profile, not when deployment_mode is ucp_native',
    )
}

/**
 * Account linking (`identity_linking`) lets a platform book with the account of a buyer. Only access tokens of this
 * server contain the permission of the buyer. Therefore the server refuses this setting if platforms do not use such
 * tokens.
 */
function* linkingHasTokens({ authorization = {} }: BusinessDefinition) {
  const { identity_linking, oauth_issuer, accepted_mechanisms: accepted } = authorization
  if (!identity_linking) return
  if (oauth_issuer !== undefined)
    yield fault('authorization.identity_linking', 'accepts only tokens of this server, not those of an oauth_issuer')
  if (accepted && !accepted.includes('oauth2_bearer'))
    yield fault('authorization.identity_linking', 'requires oauth2_bearer among the accepted_mechanisms')
}

function* retentionHasLength({ privacy: { retention } = {} }: BusinessDefinition) {
  if (retention === undefined) return
  const seconds = secondsOf(retention)
  if (seconds <= 0 || seconds === Number.POSITIVE_INFINITY)
    yield fault('privacy.retention', 'must be longer than zero, and not longer than the calendar')
}

function* durationsEnd({ reminder = [], events: { retries = [] } = {}, payments = {} }: BusinessDefinition) {
  const { window = [], window_after_approval = [] } = payments
  const windows = {
    'payments.window': [window].flat(),
    'payments.window_after_approval': [window_after_approval].flat(),
  }
  const reminders = reminderItems(reminder).map(({ before }) => before)
  const durationSettings = Object.entries({ reminder: reminders, 'events.retries': retries, ...windows })
  for (const [field, durations] of durationSettings)
    if (durations.some((duration) => secondsOf(duration) === Number.POSITIVE_INFINITY))
      yield fault(field, 'is longer than the calendar')
}

export const fault = (field: string, message: string): Fault => ({ field, message })
