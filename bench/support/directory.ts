import type pg from 'pg'

export interface Listed {
  name: string
  category: string
  price: number
  lat: number
  lng: number
}

const CITIES = 100
const TRADES = [
  'massage',
  'haircut',
  'yoga',
  'physiotherapy',
  'tattoo',
  'plumbing',
  'photography',
  'dentistry',
  'tutoring',
  'coaching',
  'piano',
  'painting',
  'cleaning',
  'gardening',
  'accounting',
  'grooming',
  'facial',
  'manicure',
  'barber',
  'pilates',
]
const MANNERS = ['deep', 'gentle', 'classic', 'express', 'family', 'sports', 'private', 'evening', 'Swedish', 'modern']
const SYLLABLES = [
  'ba',
  'ce',
  'din',
  'fo',
  'gur',
  'ha',
  'jes',
  'ki',
  'lo',
  'mun',
  'ra',
  'pel',
  'ri',
  'sto',
  'tu',
  'van',
  'xe',
  'zil',
]

/**
 * Fills a registry with businesses and services, in cities of very different size and in twenty trades. Each service
 * has a price, a duration and an availability hint. Each description has forty words from a list of five thousand.
 */
export async function fillDirectory(db: pg.Client, businesses: number, each: number): Promise<void> {
  await db.query('select setseed(0.5)')
  await db.query(
    `insert into registrations (id, principal, profile, profile_url, deployment_mode, name, verticals, categories, location,
        timezone, search_words, status, created_at, modified_at, checked_at, next_check_at, next_index_at)
      select 'reg_' || number, 'key:bench', '', 'https://business-' || number || '.example/.well-known/usp', 'standalone',
        name, array['appointment'], array[trade],
        json_build_object('address', number || ' High Street', 'coordinates', json_build_object(
          'lat', -60 + city % 12 * 10 + (random() - 0.5) * 0.2, 'lng', -170 + city % 34 * 10 + (random() - 0.5) * 0.2)),
        'America/New_York', setweight(to_tsvector('simple', name), 'A') || setweight(to_tsvector('simple', trade), 'B'),
        'active', now(), now(), now(), now() + interval '1 year', now() + interval '1 year'
      from (
        select number, floor(${CITIES} * random() ^ 2)::integer as city, trade, 'House ' || number || ' of ' || trade as name
        from (select number, ($2::text[])[1 + floor(random() * $3)::integer] as trade from generate_series(1, $1::integer) number) made
      ) drawn`,
    [businesses, TRADES, TRADES.length],
  )
  await db.query(
    `insert into indexed_services (registration_id, service_id, body, type, category_ids, places, currency, price_from,
        price_to, minutes_from, minutes_to, next_available_date, search_words, indexed_at)
      select id, 'svc_' || ordinal, json_build_object('service_id', 'svc_' || ordinal, 'service_name', name,
          'category', trade, 'duration_minutes', minutes,
          'pricing', json_build_object('model', 'fixed', 'amount', price, 'currency', 'USD'),
          'availability_hint', json_build_object('summary', 'Free on most days of next week.',
            'generated_at', now(), 'next_available_date', free)),
        'appointment', array[trade], json_build_array(location), 'USD', price, price, minutes, minutes, free,
        setweight(to_tsvector('simple', name), 'A') || setweight(to_tsvector('simple', trade), 'B')
          || setweight(to_tsvector('simple', description), 'D'), now()
      from (
        select id, ordinal, location, categories[1] as trade,
          ($2::text[])[1 + floor(random() * $3)::integer] || ' ' || categories[1] || ' ' || ordinal as name,
          (select string_agg(word, ' ') from generate_series(1, 40) as drawn
            cross join lateral (select floor(5832 * random() ^ 2)::integer as pick where drawn is not null) picked
            cross join lateral (select ($4::text[])[1 + pick % 18] || ($4::text[])[1 + pick / 18 % 18] || ($4::text[])[1 + pick / 324]) as made (word)
            where id is not null) as description,
          (1 + floor(random() * 40)::integer) * 500 as price, 15 * (1 + floor(random() * 8)::integer) as minutes,
          current_date + floor(random() * 30)::integer as free
        from registrations cross join generate_series(1, $1::integer) ordinal
        order by id, ordinal
      ) drawn`,
    [each, MANNERS, MANNERS.length, SYLLABLES],
  )
  await db.query('update registry_state set last_number = (select max(number) from indexed_services)')
  await db.query('vacuum analyze')
}

/** Returns a random sample of services. A large city has more services in the sample than a small city. */
export async function sampleServices(db: pg.Client, count: number): Promise<Listed[]> {
  const { rows } = await db.query(
    `select regexp_replace(body ->> 'service_name', ' [0-9]+$', '') as name, category_ids[1] as category,
      price_from::integer as price, (points[1])[1] as lat, (points[1])[0] as lng
    from indexed_services order by random() limit $1`,
    [count],
  )
  return rows
}
