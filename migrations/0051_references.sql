-- What people call a booking by, on the phone or in a bank transfer, is found as their names are. The same as
-- `src/bookings/reference.ts` makes of the id: a letter of the alphabet for each of the first octets of its digest.
create function booking_reference(id text) returns text language sql immutable strict as $$
  select string_agg(substr('bcdfghjkmnpqrstvwxyz', get_byte(sha256(convert_to(id, 'UTF8')), octet) % 20 + 1, 1), '' order by octet)
  from generate_series(0, 7) as octet
$$;
update bookings set search_text = concat_ws(' ', search_text,
  substr(booking_reference(id), 1, 4) || '-' || substr(booking_reference(id), 5), booking_reference(id))
where search_text <> '';
drop function booking_reference(text);

-- The language that who waits was spoken to in.
alter table waitlist_entries add column locale text;
