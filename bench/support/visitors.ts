import { setTimeout as pass } from 'node:timers/promises'
import { fieldIn, form, fromElsewhere, linkIn, open, page, type TimeButton } from './browser.ts'
import type { Answer, FireResult, PreparedRequest } from './load.ts'

/** In milliseconds. The server refuses a form that a person cannot have filled in so quickly. */
const WRITING_MS = 1_600

export const personOf = (name: string) => ({
  first_name: 'Rosa',
  last_name: 'Díaz',
  email: `${name}@bench.example`,
  phone: '+12125550143',
})

/** Books a time as one visitor. Returns the address of the booking. */
export async function bookOnce(origin: string, { button }: TimeButton, name: string): Promise<string> {
  const { location } = await open(origin, button)
  const details = await open(origin, page(location))
  await pass(WRITING_MS)
  const values = { ...personOf(name), form: fieldIn(details, 'form') }
  return (await open(origin, form(location, values))).location
}

/** Signs in with a mailed link. Returns the cookie. */
export async function signIn(origin: string, name: string): Promise<string> {
  const { email } = personOf(name)
  const signInPage = await open(origin, page('/my'))
  await open(origin, form('/my', { do: 'ask', email, form: fieldIn(signInPage, 'form') }))
  const mail = await open(origin, page(linkIn(await open(origin, page('/mails')), '/mails/')))
  const [, link = ''] = /(\/my\/enter\/[\w-]+)/.exec(mail.body) ?? []
  return (await open(origin, form(link, {}))).cookie
}

/**
 * Lets one visitor for each button go through all steps. Each visitor has a separate network address and name. Returns
 * the times of each step.
 */
export async function walk(
  origin: string,
  { buttons, moveTo, queue, fireThem }: Walk,
): Promise<Record<string, FireResult>> {
  const first = walked
  walked += buttons.length
  const taken: Record<string, FireResult> = {}
  const step = async (name: string, status: number, shotOf: (index: number) => PreparedRequest): Promise<Answer[]> => {
    const shots = buttons.map((_, index) => fromElsewhere(shotOf(index), first + index))
    const { answers, ...fired } = await fireThem(origin, shots, status)
    taken[name] = fired
    return answers
  }
  const itemAt = <T>(all: T[], index: number): T => {
    const one = all[index]
    if (one === undefined) throw new Error(`Visitor ${index} got no answer`)
    return one
  }
  const filledIn = (formPages: Answer[], index: number) => ({
    ...personOf(`rosa-${first + index}`),
    form: fieldIn(itemAt(formPages, index), 'form'),
  })

  const held = await step('a time is kept', 303, (index) => itemAt(buttons, index).button)
  const details = (index: number) => itemAt(held, index).location
  const detailsPages = await step('who comes', 200, (index) => page(details(index)))
  const lined = await step('joining the waitlist', 200, () => page(queue))
  await pass(WRITING_MS)
  const joined = await step('the waitlist is joined', 303, (index) => form(queue, filledIn(lined, index)))
  const entry = (index: number) => itemAt(joined, index).location
  await step('the place in line', 200, (index) => page(entry(index)))
  await step('leaving, asked once more', 200, (index) => page(`${entry(index)}/leave`))
  // A waitlist entry gets released times first. Therefore the visitors leave the waitlist before the next steps.
  await step('the line is left', 303, (index) => form(`${entry(index)}/leave`, {}))

  const booked = await step('it is booked', 303, (index) => form(details(index), filledIn(detailsPages, index)))
  const seen = await step('the booking', 200, (index) => page(itemAt(booked, index).location))
  const move = (index: number) => linkIn(itemAt(seen, index), '/move/')
  await step('times to move to', 200, (index) => page(move(index)))
  const confirm = await step('moving, asked once more', 200, (index) => {
    const { day, time } = itemAt(moveTo, index)
    return page(`${move(index)}?${new URLSearchParams({ day, time })}`)
  })
  const hidden = (answer: Answer, names: string[]) =>
    Object.fromEntries(names.map((name) => [name, fieldIn(answer, name)]))
  await step('it is moved', 303, (index) => form(move(index), hidden(itemAt(confirm, index), ['slot', 'terms'])))

  const cancel = (index: number) => linkIn(itemAt(seen, index), '/cancel/')
  const leaving = await step('canceling, asked once more', 200, (index) => page(cancel(index)))
  await step('it is canceled', 303, (index) => form(cancel(index), hidden(itemAt(leaving, index), ['terms'])))
  return taken
}

export type FireThem = (
  origin: string,
  shots: PreparedRequest[],
  status: number,
) => Promise<FireResult & { answers: Answer[] }>

interface Walk {
  buttons: TimeButton[]
  moveTo: TimeButton[]
  /** Finds the address of the waitlist form of a full class. */
  queue: string
  fireThem: FireThem
}

let walked = 0
