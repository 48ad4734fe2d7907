import pg from 'pg'

const NOW = `'2026-11-20T12:00:00Z'::timestamptz`
const LATER = `'2027-11-20T12:00:00Z'::timestamptz`

/** One row for each table that the studio leaves empty. A row comes after the rows that it refers to. */
const rows = [
  `insert into locations (id, latitude, longitude) values ('loc_row', 40.7484, -73.9967)`,
  `insert into principals values ('key:row', 'https://platform.example', ${NOW}, ${NOW})`,
  `insert into certificate_holders values ('CN=row', 'cert:row')`,
  `insert into seen_proofs values ('\\x00ff', ${LATER})`,
  `insert into replies (principal, key, fingerprint, reply, created_at) values ('key:row', 'key', '\\x08', '\\x09', ${NOW})`,
  `insert into scoped_credentials values ('\\x01ff', 'booking', 'bkg_row', 'key:row', '', null, array['read'], ${LATER})`,
  `insert into buyer_addresses values ('row@example.com', 'salt')`,
  `insert into buyer_accounts values ('acc_row', 'row@example.com', 'a hash', ${NOW}, null)`,
  `insert into sign_in_links values ('digest', 'row@example.com', null, ${LATER})`,
  `insert into oauth_keys values ('kid', '{"kty":"OKP"}', '\\x02', ${NOW})`,
  `insert into oauth_state values ('Session', 'state', '{"a":[1,null]}', ${LATER}, 'acc_row', null)`,
  `insert into revoked_tokens values ('jti', ${LATER})`,
  `insert into assistants values ('asst_row', 'An assistant', array['https://a.example/back'], null, null, ${LATER})`,
  `insert into guest_codes (id, hold_id, about, expires_at) select 'code', id, 'about', ${LATER} from holds order by id limit 1`,
  `insert into stranded_bookings select id, starts_at, ends_at, array['staff_ann'], null, array['hours']
    from bookings order by id limit 1`,
  `insert into imported_bookings select 'elsewhere', 'key', 'digest', id, ${NOW} from bookings order by id limit 1`,
  `insert into freed (resource_id, during) values ('staff_row', tstzrange(${NOW}, ${LATER}))`,
  `insert into strangers values ('hold', 'hold_row', '203.0.113.7', false, ${NOW})`,
  `insert into mail_causes values ('203.0.113.7', 'digest', ${NOW})`,
  `insert into events (id, type, subject, body, at) values ('evt_row', 'booking.canceled', 'booking bkg_row', '{}', ${NOW})`,
  `insert into deliveries (event_id, receiver, subject, status, next_at, ended_at)
    values ('evt_row', 'https://platform.example', 'booking bkg_row', 'given_up', ${NOW}, ${NOW})`,
  `insert into delivery_attempts select id, ${NOW}, 503, 'It answered 503.', 12 from deliveries where event_id = 'evt_row'`,
  `insert into receivers values ('https://platform.example', 3, ${LATER}, null, ${NOW})`,
  `insert into feed_subscriptions values ('sub_row', 'key:row', '', 'https://a.example/hook', array['hair'], null, 'active',
    ${NOW}, '', ${NOW}, null, null)`,
  `insert into mails (id, channel, kind, subject, audience, recipient, locale, snapshot, status, next_at, created_at, ended_at)
    values ('mail_row', 'mail', 'confirmed', 'booking bkg_row', 'buyer', 'row@example.com', 'en', '{"a": 1}', 'sent', ${NOW},
    ${NOW}, ${NOW})`,
  `insert into checkouts (id, booking_id, provider, amount, currency, status, created_at, expires_at, next_at)
    select 'co_row', id, 'stripe', 100, 'USD', 'closed', ${NOW}, ${NOW}, ${NOW} from bookings order by id limit 1`,
  `insert into ucp_checkouts (id, booking_id, order_id, principal, profile, told_apart, status, service_id, owns_hold, request, people,
    agreed, faults, created_at, updated_at, expires_at, locale)
    values ('chk_row', 'bkg_row', 'ord_row', 'key:row', '', false, 'open', 'svc_row', true, '{"a":1}', '{"b":"two"}', '{}', '[]',
    ${NOW}, ${NOW}, ${LATER}, 'en')`,
  `insert into ucp_charges (id, checkout_id, order_id, booking_id, provider, amount, currency, status, actor, request_digest,
    created_at, updated_at, next_at)
    values ('chg_row', 'chk_row', 'ord_row', 'bkg_row', 'stripe', 100, 'USD', 'failed', 'key:row', '\\x07', ${NOW}, ${NOW}, ${NOW})`,
  `insert into mail_server (host, port, security, username, password, sender)
    values ('smtp.example.com', 587, 'starttls', 'row', '\\x08', 'row@example.com')`,
  `insert into pictures (digest, type, width, height, content, small, created_at, unused_since)
    select sha256('\\x00ff0a'), 'image/jpeg', 1600, 900, '\\x00ff0a', '\\x0a', ${NOW}, ${NOW}`,
  `insert into text_provider (adapter, url, account, sender, secret, countries, topics, quiet_from, quiet_until, daily_limit, price)
    values ('http', 'https://texts.example/', 'row', 'Salon', '\\x09', array['US'], array['reminder'], '21:00', '08:00', 100, 0.075)`,
  `insert into company_sign_in (name, issuer, client_id, client_secret, domains, rules, default_role, tested_at)
    values ('Row', 'https://id.example', 'row', '\\x0f', array['example.com'], '[{"claim":"groups"}]', 'staff', ${NOW})`,
  `insert into calendar_apps (provider, client_id, client_secret) values ('google', 'row', '\\x11')`,
  `insert into company_accounts select 'https://id.example', 'row', id from staff order by id limit 1`,
  `insert into removed_staff values ('\\x10')`,
  `insert into stopped_numbers values ('digest', ${NOW})`,
  `insert into staff_links select '\\x03', id, ${LATER} from staff order by id limit 1`,
  `insert into staff_sessions select '\\x04', 'ses_row', id, 'A device', ${NOW}, ${LATER} from staff order by id limit 1`,
  `insert into push_key (public_key, private_jwk, created_at) values ('key', '\\x0a', ${NOW})`,
  `insert into push_subscriptions (id, session_id, endpoint_digest, sealed, locale, created_at)
    values ('psh_row', 'ses_row', '\\x0b', '\\x0c', 'en', ${NOW})`,
  `insert into staff_news values ('news_row', 'booking.confirmed', 'booking bkg_row', ${NOW}, ${NOW})`,
  `insert into push_messages (subscription_id, news_id, next_at) values ('psh_row', 'news_row', ${NOW})`,
  `insert into staff_passkeys select 'credential', 'pk_row', id, '\\x05', 7, 'A device', ${NOW}, null
    from staff order by id limit 1`,
  `insert into calendar_feeds select 'cal_row', null, '\\x06', id, ${NOW} from staff order by id limit 1`,
  `insert into calendar_sources (id, resource_id, kind, name, host, address, created_by, created_at, next_at)
    select 'ccal_row', json_array_elements(definition -> 'resources') ->> 'id', 'ics', 'Private', 'calendar.example', '\\x0d',
    'staff:row', ${NOW}, ${NOW} from business limit 1`,
  `insert into calendar_writers (id, resource_id, calendar, names, seen_before, seen_until, next_at)
    select id, resource_id, 'Work', true, 1, 2, ${NOW} from calendar_sources`,
  `insert into calendar_writes (writer_id, subject) select id, 'bkg_row' from calendar_writers`,
  `insert into written_events (writer_id, subject, address, etag, digest, starts_at, ends_at)
    select id, 'bkg_row', 'https://calendar.example/row.ics', '"1"', '\\x11', ${NOW}, ${LATER} from calendar_writers`,
  `insert into busy_times select id, '\\x0e', resource_id, tstzrange(${NOW}, ${LATER}) from calendar_sources`,
  `insert into calendar_conflicts select b.source_id, b.event, coalesce(c.id, 0), coalesce(c.during, b.during), null
    from busy_times b left join claims c on c.resource_id = b.resource_id and c.during && b.during`,
  `insert into ended_calendars (id, provider, address, channels, next_at) values ('row', 'google', '\\x12', '{}', ${LATER})`,
  `insert into customers values ('cus_row', 'Allergic to nuts.', array['regular'], ${NOW})`,
  `insert into customer_contacts values ('row@example.com', 'cus_row')`,
  `insert into waitlist_entries (id, revision, principal, profile, service_id, buyer, status, created_at, updated_at)
    values ('wle_row', 1, 'key:row', '', 'svc_row', '{"first_name":"Row"}', 'removed', ${NOW}, ${NOW})`,
  `insert into registrations (id, principal, profile, profile_url, deployment_mode, name, verticals, categories, location,
    timezone, search_words, status, created_at, modified_at, checked_at, next_check_at, next_index_at)
    values ('reg_row', 'key:row', '', 'https://b.example/.well-known/usp', 'standalone', 'A business', array['appointment'],
    array['wellness'], '{"address":"1 Main St","coordinates":{"lat":40.75,"lng":-73.99}}', 'America/New_York',
    to_tsvector('simple', 'business'), 'active', ${NOW}, ${NOW}, ${NOW}, ${LATER}, ${LATER})`,
  `insert into indexed_services (registration_id, service_id, body, type, category_ids, places, currency, search_words, indexed_at)
    values ('reg_row', 'svc_row', '{}', 'appointment', array['wellness'], '[]', 'USD', to_tsvector('simple', 'piano'), ${NOW})`,
  `select keep_former_services(array(select number from indexed_services where service_id = 'svc_row'))`,
  `insert into registry_words values ('violin')`,
  `insert into unwanted_subscriptions (endpoint, subscription_id) values ('https://b.example/usp', 'sub_row')`,
  `insert into housekeeping (job, next_at) values ('row', ${LATER})`,
  `insert into last_backup (taken_at, bytes) values (${NOW}, 1)`,
]

/** Inserts them. */
export async function fillEveryTable(url: string): Promise<void> {
  const client = new pg.Client(url)
  await client.connect()
  try {
    for (const row of rows) await client.query(row)
  } finally {
    await client.end()
  }
}
