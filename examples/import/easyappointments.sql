-- Exports an Easy!Appointments database (version 1.5) as CSV, in the format of docs/import.md:
--
--   mysql --default-character-set=utf8mb4 --skip-column-names --raw easyappointments < examples/import/easyappointments.sql > bookings.csv
--
-- The query returns four kinds of rows, in this order:
--
-- 1. Appointments, and unavailable times of providers.
-- 2. Closed periods of the whole business, as one unavailable time for each provider.
-- 3. Customers without an appointment. The import only counts them.
-- 4. Counts of data that the import does not read. The import shows them in its report.
--
-- The tables have the prefix ea_. If your installation has another prefix, change it here. The times are in the time zone of the provider.
select 'id,start,end,service,with,status,first_name,last_name,email,phone,notes,customer_notes,left_out'
union all
select concat_ws(',',
  concat('"', replace(coalesce(id, ''), '"', '""'), '"'),
  concat('"', replace(coalesce(start, ''), '"', '""'), '"'),
  concat('"', replace(coalesce(end, ''), '"', '""'), '"'),
  concat('"', replace(coalesce(service, ''), '"', '""'), '"'),
  concat('"', replace(coalesce(provider, ''), '"', '""'), '"'),
  concat('"', replace(coalesce(status, ''), '"', '""'), '"'),
  concat('"', replace(coalesce(first_name, ''), '"', '""'), '"'),
  concat('"', replace(coalesce(last_name, ''), '"', '""'), '"'),
  concat('"', replace(coalesce(email, ''), '"', '""'), '"'),
  concat('"', replace(coalesce(phone, ''), '"', '""'), '"'),
  concat('"', replace(coalesce(notes, ''), '"', '""'), '"'),
  concat('"', replace(coalesce(customer_notes, ''), '"', '""'), '"'),
  concat('"', replace(coalesce(left_out, ''), '"', '""'), '"')
)
from (
  select
    a.id, a.start_datetime as start, a.end_datetime as end, s.name as service,
    trim(concat(coalesce(p.first_name, ''), ' ', coalesce(p.last_name, ''))) as provider,
    case
      when a.is_unavailability = 1 then 'blocked'
      when a.status = 'Rescheduled' then 'confirmed'
      when a.status = 'Draft' then 'pending'
      else a.status
    end as status,
    c.first_name, c.last_name, c.email, c.phone_number as phone,
    concat_ws('\n', nullif(a.notes, ''), concat('Place: ', nullif(a.location, ''))) as notes,
    c.notes as customer_notes, null as left_out
  from ea_appointments a
  left join ea_services s on s.id = a.id_services
  left join ea_users p on p.id = a.id_users_provider
  left join (
    select
      id, first_name, last_name, email, phone_number,
      concat_ws('\n',
        nullif(notes, ''),
        concat('Mobile: ', nullif(mobile_number, '')),
        concat('Address: ', nullif(concat_ws(', ',
          nullif(address, ''), nullif(trim(concat(coalesce(zip_code, ''), ' ', coalesce(city, ''))), ''), nullif(state, '')), '')),
        concat(coalesce((select max(nullif(value, '')) from ea_settings where name = 'label_custom_field_1'), 'Field 1'), ': ', nullif(custom_field_1, '')),
        concat(coalesce((select max(nullif(value, '')) from ea_settings where name = 'label_custom_field_2'), 'Field 2'), ': ', nullif(custom_field_2, '')),
        concat(coalesce((select max(nullif(value, '')) from ea_settings where name = 'label_custom_field_3'), 'Field 3'), ': ', nullif(custom_field_3, '')),
        concat(coalesce((select max(nullif(value, '')) from ea_settings where name = 'label_custom_field_4'), 'Field 4'), ': ', nullif(custom_field_4, '')),
        concat(coalesce((select max(nullif(value, '')) from ea_settings where name = 'label_custom_field_5'), 'Field 5'), ': ', nullif(custom_field_5, ''))
      ) as notes
    from ea_users
  ) c on c.id = a.id_users_customer
  union all
  -- A closed period blocks every provider.
  select
    concat('closed-', b.id, '-', p.id), b.start_datetime, b.end_datetime, null,
    trim(concat(coalesce(p.first_name, ''), ' ', coalesce(p.last_name, ''))), 'blocked', null, null, null, null,
    concat_ws('\n', nullif(b.name, ''), nullif(b.notes, '')), null, null
  from ea_blocked_periods b
  join ea_users p
  join ea_roles r on r.id = p.id_roles and r.slug = 'provider'
  union all
  select null, null, null, null, null, null, c.first_name, c.last_name, c.email, c.phone_number, null, null, null
  from ea_users c
  join ea_roles r on r.id = c.id_roles and r.slug = 'customer'
  where not exists (select 1 from ea_appointments a where a.id_users_customer = c.id and a.is_unavailability = 0)
  union all
  select null, null, null, null, null, null, null, null, null, null, null, null, concat('working plans (add them as hours to the definition): ', count(*))
  from ea_user_settings u
  join ea_users p on p.id = u.id_users
  join ea_roles r on r.id = p.id_roles and r.slug = 'provider'
  where u.working_plan <> ''
  having count(*) > 0
  union all
  select null, null, null, null, null, null, null, null, null, null, null, null,
    concat('providers with days that differ from the working plan (add these days as special hours): ', count(*))
  from ea_user_settings where working_plan_exceptions not in ('', '[]', '{}')
  having count(*) > 0
  union all
  select null, null, null, null, null, null, null, null, null, null, null, null,
    concat('customers with a language or a time zone: ', count(*))
  from ea_users c
  join ea_roles r on r.id = c.id_roles and r.slug = 'customer'
  where c.language <> '' or c.timezone <> ''
  having count(*) > 0
) exported;
