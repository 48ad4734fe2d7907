import { english, type Speech, speechOf } from './speech.ts'

export interface Wishes {
  /** Requested now, for example in the address. */
  asked?: string | undefined
  chosen?: string | undefined
  acceptLanguage?: string | undefined
  /** The language of the business. */
  usual?: string | undefined
}

/** Characters. Browsers send far less; a longer header is ignored. */
const LONGEST_HEADER = 500

export function chooseSpeech({ asked = '', chosen = '', acceptLanguage = '', usual = '' }: Wishes): Speech {
  const accepted = acceptLanguage.length > LONGEST_HEADER ? [] : byPreference(acceptLanguage)
  for (const tag of [asked, chosen, ...accepted, usual]) {
    const speech = speechOf(tag.trim())
    if (speech) return inRegion(speech, accepted)
  }
  return english()
}

/** After a choice by hand, times still use the browser's region, where the browser has that language. */
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
