import { expect, test } from 'vitest'
import { service } from '../support/definitions.ts'
import {
  expectAccepted,
  expectFault,
  expectServiceFault,
  type FaultCase,
  offering,
  placesRefused,
  surroundings,
  withMember,
} from './reading.ts'

const image = { type: 'image', url: 'https://studio.example/a.jpg' }
const told = service('svc_a', {
  description: { plain: 'A cut', markdown: '**A cut**', html: '<b>A cut</b>' },
  media: [{ ...image, role: 'hero', width: 1200, height: 800 }],
  links: [{ type: 'cancellation_policy', url: 'https://studio.example/cancelling' }],
  rating: { value: 4.8, scale_min: 1, scale_max: 5, count: 120 },
  url: 'https://studio.example/cut',
  localized: {
    name: { es: 'Corte', 'zh-Hant': '剪髮' },
    description: { 'pt-BR': 'Um corte' },
    category_name: { fr: 'Cheveux' },
    channel_instructions: { de: 'Bitte klingeln' },
  },
  price_rules: [{ percent: 110, label: 'Busy hour', localized: { label: { es: 'Hora punta' } } }],
})

test('[DEF-063] a structured description without plain is refused', () => {
  expectAccepted(offering(told))
  const refused = placesRefused(withMember(offering(told), 'services[svc_a].description.plain', undefined))
  expect(refused).toContain('services[svc_a].description.plain')
})
test.each(['A cut', { plain: 'A cut' }])('[DEF-063] the description %j is accepted', (description) =>
  expectAccepted(offering(service('svc_a', { description }))),
)

const faults: FaultCase[] = [
  ['[DEF-064] a media entry without type is refused', 'media[0].type', undefined],
  ['[DEF-064] a media entry without url is refused', 'media[0].url', undefined],
  ['[DEF-065] a media url over http is refused', 'media[0].url', 'http://studio.example/a.jpg'],
  ['[DEF-064] a media url that is no address is refused', 'media[0].url', 'https://studio example/a.jpg'],
  ['[DEF-065] a media url that is the picture itself is refused', 'media[0].url', 'data:image/png;base64,AAAA'],
  ['[DEF-066] an unknown media role is refused', 'media[0].role', 'banner'],
  ['[DEF-066] a media width below 1 is refused', 'media[0].width', 0],
  ['[DEF-066] a media height below 1 is refused', 'media[0].height', 0],
  ['[DEF-068] a link without type is refused', 'links[0].type', undefined],
  ['[DEF-068] a link without url is refused', 'links[0].url', undefined],
  ['[DEF-068] a link to no address is refused', 'links[0].url', 'our terms'],
  ['[DEF-069] a rating without value is refused', 'rating.value', undefined],
  ['[DEF-069] a rating without scale_max is refused', 'rating.scale_max', undefined],
  ['[DEF-069] a negative rating is refused', 'rating.value', -0.1],
  ['[DEF-069] a rating scale that ends below 1 is refused', 'rating.scale_max', 0.9],
  ['[DEF-069] a negative count of ratings is refused', 'rating.count', -1],
  ['[DEF-069] a fractional count of ratings is refused', 'rating.count', 1.5],
  ['[DEF-071] a translated name that is a number is refused', 'localized.name.es', 5],
  [
    '[DEF-071] a translated description that is an object is refused',
    'localized.description.pt-BR',
    { plain: 'Um corte' },
  ],
  ['[DEF-071] a translated category_name that is null is refused', 'localized.category_name.fr', null],
  [
    '[DEF-071] translated channel_instructions that are a list are refused',
    'localized.channel_instructions.de',
    ['Bitte'],
  ],
  ['[DEF-072] a name under a tag that is none is refused', 'localized.name.english_US', 'Cut'],
  ['[DEF-072] a description under a tag that is none is refused', 'localized.description.english_US', 'A cut'],
  ['[DEF-072] a category_name under a tag that is none is refused', 'localized.category_name.e', 'Hair'],
  [
    '[DEF-072] channel_instructions under a tag that is none are refused',
    'localized.channel_instructions.en--US',
    'Ring',
  ],
  [
    '[DEF-072] a note to a price under a tag that is none is refused',
    'price_rules[0].localized.label.english_US',
    'Busy hour',
  ],
  ['[DEF-073] a service url that is no address is refused', 'url', 'our page'],
  ['[DEF-073] a service url without scheme is refused', 'url', 'studio.example/cut'],
]
test.each(faults)('%s', (_, path, wrong, named) => expectServiceFault(told, path, wrong, named))

test('[languages] of the texts are language tags', () => {
  const definition = offering(told)
  const business = { ...definition.business, languages: ['de', 'zh-Hant'] }
  expectAccepted({ ...definition, business })
  expectFault({ ...definition, business }, 'business.languages[1]', 'english_US')
  expect(placesRefused(withMember({ ...definition, business }, 'business.languages[1]', 'de'))).toEqual([
    'business.languages',
  ])
})

test.each(['hero', 'gallery', 'thumbnail'] as const)('[DEF-066] the media role %s is accepted', (role) =>
  expectAccepted(offering(service('svc_a', { media: [{ ...image, role, width: 1, height: 1 }] }))),
)

test('[DEF-068] a link of an unknown type is accepted', () =>
  expectAccepted(offering(service('svc_a', { links: [{ type: 'house_song', url: 'https://studio.example/song' }] }))))

test('[DEF-069] a rating of 0 from nobody is accepted', () =>
  expectAccepted(offering(service('svc_a', { rating: { value: 0, scale_max: 1, count: 0 } }))))

test('[DEF-073] the image_url of a resource that is no address is refused', () =>
  expectFault(offering(told), 'resources[res_ana].image_url', 'ana.jpg'))

test('[DEF-071] a translation of a resource that is not a string is refused', () => {
  const [ana] = surroundings.resources ?? []
  if (!ana) throw new Error('There is nobody')
  const definition = { ...offering(told), resources: [{ ...ana, localized: { name: { es: 'Ana' } } }] }
  expectFault(definition, 'resources[res_ana].localized.name.es', 5)
  expectFault(definition, 'resources[res_ana].localized.name.english_US', 'Ana')
})
