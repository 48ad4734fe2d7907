import { english, type Speech, speechOf } from './speech.ts'

/** What says how somebody wants to be spoken to, and what is looked at when nothing does. */
export interface Wishes {
  /** Asked for right now. */
  asked?: string | undefined
  /** What was chosen before. */
  chosen?: string | undefined
  /** As a browser sends it. */
  acceptLanguage?: string | undefined
  /** Of the business. */
  usual?: string | undefined
}

/** No browser sends nearly as much. */
const LONGEST_HEADER = 500

/** The first of these that is spoken here. */
export function chooseSpeech({ asked = '', chosen = '', acceptLanguage = '', usual = '' }: Wishes): Speech {
  const accepted = acceptLanguage.length > LONGEST_HEADER ? [] : byPreference(acceptLanguage)
  for (const tag of [asked, chosen, ...accepted, usual]) {
    const speech = speechOf(tag.trim())
    if (speech) return inRegion(speech, accepted)
  }
  return english()
}

/** Who chose a language by hand still writes times as the browser does, where that speaks it too. */
function inRegion(speech: Speech, accepted: string[]): Speech {
  const [regional] =
    speech.locale === speech.language ? accepted.filter((tag) => languageOf(tag) === speech.language) : []
  return (regional !== undefined && speechOf(regional)) || speech
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
