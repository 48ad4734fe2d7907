-- The appointments of an Easy!Appointments database (1.5), and the customers who have none, as docs/import.md has them:
--   mysql --skip-column-names --raw easyappointments < examples/import/easyappointments.sql > bookings.csv
-- Tables are called ea_… unless that was changed when it was installed. Times are those of the provider's clocks. What a provider
-- is not there for is no appointment of anybody and is left out.
select 'id,start,end,service,with,status,first_name,last_name,email,phone,notes'
union all
select concat_ws(',',
  a.id,
  coalesce(a.start_datetime, ''),
  coalesce(a.end_datetime, ''),
  concat('"', replace(coalesce(s.name, ''), '"', '""'), '"'),
  concat('"', replace(trim(concat(coalesce(p.first_name, ''), ' ', coalesce(p.last_name, ''))), '"', '""'), '"'),
  concat('"', case a.status when 'Rescheduled' then 'confirmed' when 'Draft' then 'pending' else replace(coalesce(a.status, ''), '"', '""') end, '"'),
  concat('"', replace(coalesce(c.first_name, ''), '"', '""'), '"'),
  concat('"', replace(coalesce(c.last_name, ''), '"', '""'), '"'),
  concat('"', replace(coalesce(c.email, ''), '"', '""'), '"'),
  concat('"', replace(coalesce(c.phone_number, ''), '"', '""'), '"'),
  concat('"', replace(coalesce(a.notes, ''), '"', '""'), '"')
)
from ea_appointments a
left join ea_services s on s.id = a.id_services
left join ea_users p on p.id = a.id_users_provider
left join ea_users c on c.id = a.id_users_customer
where a.is_unavailability = 0
union all
select concat_ws(',',
  '', '', '', '', '', '',
  concat('"', replace(coalesce(c.first_name, ''), '"', '""'), '"'),
  concat('"', replace(coalesce(c.last_name, ''), '"', '""'), '"'),
  concat('"', replace(coalesce(c.email, ''), '"', '""'), '"'),
  concat('"', replace(coalesce(c.phone_number, ''), '"', '""'), '"'),
  ''
)
from ea_users c
join ea_roles r on r.id = c.id_roles and r.slug = 'customer'
where not exists (select 1 from ea_appointments a where a.id_users_customer = c.id and a.is_unavailability = 0);
