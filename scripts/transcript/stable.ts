import { daysLater } from '../../src/infra/time/time-zone.ts'

/** Each transcript shows this date and this time, independent of the day on which it is recorded. */
const TUESDAY = '2026-11-24'
const NOW = 'Friday 2026-11-20 07'

const inFull = (date: string) => new Date(date).toLocaleDateString('en-US', { timeZone: 'UTC', dateStyle: 'full' })

/** Replaces the parts of the conversation that differ between runs. */
export function stable(text: string, tuesday: string): string {
  const nameIds = numbered()
  return inThatWeek(text, tuesday)
    .replace(/(?<=It is )\w+ [\d-]+ \d\d:\d\d/g, `${NOW}:00`)
    .replace(/(?<=reserved until )\w+ [\d-]+ \d\d:\d\d/g, `${NOW}:10`)
    .replace(/-0[45]:00\b/g, '-05:00')
    .replace(/\bE[SD]T\b/g, 'EST')
    .replace(/http:\/\/127\.0\.0\.1:\d+/g, 'http://127.0.0.1:8080')
    .replace(/\b(slot|bkg|hold)_[\w-]{16,}/g, (id, kind) => `${kind}_${nameIds(id, kind)}`)
    .replace(/\b[B-Z]{4}-[B-Z]{4}\b/g, (reference) => `REFERENCE-${nameIds(reference, 'reference')}`)
    .replace(/(?<="code":")\d+/g, '…')
    .replace(/(hold_\d+\.|visit=)[\w-]+/g, '$1…')
}

function inThatWeek(text: string, tuesday: string): string {
  return [-1, 0, 1].reduce((result, later) => {
    const [was, is] = [daysLater(tuesday, later), daysLater(TUESDAY, later)]
    return result.replaceAll(was, is).replaceAll(inFull(was), inFull(is))
  }, text)
}

/** Replaces ids with numbers. Each kind of id has separate numbers, in the order of first use. */
function numbered() {
  const met: Record<string, string[]> = {}
  return (id: string, kind: string): number => {
    met[kind] ??= []
    const ids = met[kind]
    if (!ids.includes(id)) ids.push(id)
    return ids.indexOf(id) + 1
  }
}
