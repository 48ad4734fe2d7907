import { englishLocalizer, type Localizer, localizerFor } from './localizer.ts'

export interface LanguagePreferences {
  /** The language that the request names, for example in the URL of the page. */
  asked?: string | undefined
  chosen?: string | undefined
  acceptLanguage?: string | undefined
  /** The language of the business, for requests that name no language. */
  usual?: string | undefined
}

/**
 * The maximum number of characters in the header `Accept-Language`. The server ignores longer headers, which no browser
 * sends.
 */
const MAX_HEADER_CHARACTERS = 500

export function chooseLocalizer({
  asked = '',
  chosen = '',
  acceptLanguage = '',
  usual = '',
}: LanguagePreferences): Localizer {
  const accepted = acceptLanguage.length > MAX_HEADER_CHARACTERS ? [] : byPreference(acceptLanguage)
  for (const tag of [asked, chosen, ...accepted, usual]) {
    const localizer = localizerFor(tag.trim())
    if (localizer) return inRegion(localizer, accepted)
  }
  return englishLocalizer()
}

/**
 * Finds a region for a chosen language without a region, such as `en`, because the format of times depends on the
 * region. The region comes from the languages that the browser lists.
 */
function inRegion(localizer: Localizer, accepted: string[]): Localizer {
  const [regional] =
    localizer.locale === localizer.language ? accepted.filter((tag) => languageOf(tag) === localizer.language) : []
  return (regional !== undefined && localizerFor(regional)) || localizer
}

const languageOf = (tag: string) => tag.split('-', 1)[0]?.toLowerCase()

function byPreference(header: string): string[] {
  const wishes = header.split(',').map((part) => {
    const [tag = '', weight = ''] = part.split(';', 2)
    return { tag: tag.trim(), weight: Number(weight.trim().replace(/^q=/, '') || 1) }
  })
  return wishes
    .filter(({ weight }) => weight > 0)
    .toSorted((one, other) => other.weight - one.weight)
    .map(({ tag }) => tag)
}
