import { INVENTED_DOMAIN } from '../../infra/util/email-address.ts'

export interface InventedPerson {
  first_name: string
  last_name: string
  email: string
  /** A phone number from 555-0100 to 555-0199. This range is reserved for fiction. */
  phone_number: string
  /** The language of the person's browser. */
  locale: string
  /** Whether the person is a regular customer, who comes several times. */
  isRegular: boolean
  note?: string
  tags?: string[]
}

/** One invented person: first name, last name, language, and for some people a note and tags. */
type Row = readonly [first: string, last: string, locale?: string, note?: string | undefined, ...tags: string[]]

const REGULARS: readonly Row[] = [
  ['Amara', 'Okafor', 'en-US', 'Allergic to ammonia: use the ammonia-free color only.', 'allergy', 'regular'],
  ['Rosa', 'Díaz', 'es-US', 'Brings her daughter. Likes the seat at the window.', 'regular'],
  ['Lena', 'Fischer', 'de-DE', 'Formula: 7.1 with 20 vol., 35 minutes.', 'color'],
  ['Yuki', 'Tanaka', 'ja-JP', 'Prefers a quiet appointment.', 'quiet'],
  ['Chloé', 'Laurent', 'fr-FR', 'Books the same day every month.', 'regular', 'color'],
  ['Hannah', 'Goldberg', 'en-US', 'Lower back pain: gentle pressure there.', 'massage'],
  ['Marta', 'Kowalska', 'pl-PL', 'Tree nut allergy: no almond oil in the massage.', 'allergy', 'massage'],
  ['Olivia', 'Bennett'],
  ['Giulia', 'Romano', 'it-IT'],
  ['Mei-Ling', 'Wu'],
  ['Fatima', 'Haddad', 'ar-EG', 'Asks for Nina or Jane.', 'regular'],
  ['Grace', 'Kim'],
  ['Sofia', 'Almeida', 'pt-BR'],
  ['Daniel', 'Cohen', 'en-US', undefined, 'massage'],
  ['Anouk', 'de Vries', 'nl-NL'],
  ['Isabella', 'Moreno', 'es-US'],
  ['Zanele', 'Dlamini'],
  ['Emma', 'Sullivan', 'en-US', 'Wedding on a Saturday in spring: plan a trial.', 'wedding'],
]

const OTHERS: readonly Row[] = [
  ['Noah', 'Klein'],
  ['Tom', 'Becker', 'de-DE'],
  ['Priscilla', 'Adeyemi'],
  ['Mira', 'Novak'],
  ['Paul', 'Martin', 'fr-FR'],
  ['Jonas', 'Weber', 'de-DE'],
  ['Camille', 'Dubois', 'fr-FR'],
  ['Lucía', 'Herrera', 'es-US'],
  ['Hye-jin', 'Park'],
  ['Aisha', 'Rahman'],
  ['Oksana', 'Shevchenko'],
  ['Björn', 'Lindqvist'],
  ['Siobhán', 'Murphy'],
  ['Ravi', 'Iyer'],
  ['Leila', 'Farahani'],
  ['Kofi', 'Mensah'],
  ['Valentina', 'Rojas', 'es-US'],
  ['Thu', 'Nguyen'],
  ['Katarzyna', 'Wójcik', 'pl-PL'],
  ['Marco', 'Bianchi', 'it-IT'],
  ['Ingrid', 'Hansen'],
  ['Samuel', 'Osei'],
  ['Beatriz', 'Costa', 'pt-BR'],
  ['Haruka', 'Sato', 'ja-JP'],
  ['Elif', 'Yılmaz'],
  ['Jasmine', 'Carter'],
  ['Andrei', 'Popescu'],
  ['Nadia', 'El-Sayed', 'ar-EG'],
  ['Ethan', 'Brooks'],
  ['Maeve', 'O’Connor'],
  ['Tala', 'Santos'],
  ['Niamh', 'Byrne'],
  ['Wei', 'Zhang'],
  ['Anna', 'Petrova'],
  ['Gabriel', 'Silva', 'pt-BR'],
  ['Ines', 'Bakker', 'nl-NL'],
  ['Malik', 'Johnson'],
  ['Ruth', 'Abramson'],
  ['Clara', 'Jensen'],
  ['Diego', 'Vargas', 'es-US'],
  ['Freya', 'Campbell'],
  ['Min-jun', 'Choi'],
  ['Adaeze', 'Nwosu'],
  ['Lukas', 'Huber', 'de-DE'],
  ['Renata', 'Marques', 'pt-BR'],
  ['Simone', 'Greco', 'it-IT'],
  ['Farah', 'Aziz'],
  ['Victor', 'Lambert', 'fr-FR'],
]

const FIRST_NUMBER = 110

export const inventedPeople: readonly InventedPerson[] = [...REGULARS, ...OTHERS].map(
  ([first_name, last_name, locale = 'en-US', note, ...tags], nth) => ({
    first_name,
    last_name,
    email: `${asciiName(first_name)}.${asciiName(last_name)}@${INVENTED_DOMAIN}`,
    phone_number: `+12125550${FIRST_NUMBER + nth}`,
    locale,
    isRegular: nth < REGULARS.length,
    ...(note !== undefined && { note }),
    ...(tags.length > 0 && { tags }),
  }),
)

function asciiName(name: string): string {
  const withoutAccents = name.normalize('NFD').replace(/\p{M}/gu, '').replaceAll('ı', 'i')
  return withoutAccents.toLowerCase().replace(/[^a-z]/g, '')
}
