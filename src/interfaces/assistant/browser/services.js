import { button, facts, make, title, use } from './screen.js'
import { say, translated } from './words.js'

export const servicesScreen = (result) => () => {
  const { services } = result.structuredContent
  return [title(say('setup.services')), make('ul', { className: 'cards' }, ...services.map((one) => card(one, result)))]
}

function card({ service_id, their_words: { name, description }, price, length, place, party_size }, result) {
  const people = party_size && partyField(service_id, party_size)
  const press = () => {
    const input = { service_ids: [service_id], limit: 25, ...(people && { party_size: Number(people.control.value) }) }
    void use('find_times', input)
  }
  return make(
    'li',
    {},
    make('h2', { dir: 'auto' }, name),
    facts(...[price, length, place].map((fact) => fact && translated(result, fact))),
    description && make('p', { dir: 'auto' }, description),
    people?.field,
    button(say('book.show_times'), press, { about: name }),
  )
}

const MOST = 20

function partyField(service, { least, most }) {
  const sizes = Array.from({ length: Math.min(most, least + MOST - 1) - least + 1 }, (_, index) => least + index)
  const control = make('select', { id: `party-${service}` }, ...sizes.map((size) => make('option', {}, String(size))))
  return { control, field: make('p', {}, make('label', { htmlFor: control.id }, say('book.party')), control) }
}
