-- What is in a circle is shown by its next free day: in a city of many thousands of services all of them were read, with
-- their texts, to show twenty. This index has them by their day and then by their place, and with them all that is
-- compared: the first days are read, and rows of those alone that are shown.
create index indexed_services_area_soonest on indexed_services using gist (next_available_date, area)
  include (number, registration_id, points);

-- Of a category in a circle nothing else is read, neither the rest of the circle nor of the category. No word of a tsvector
-- is empty; what takes its place is told apart by looking at the row. With short signatures it is written as fast as without.
drop index indexed_services_area;
create index indexed_services_area on indexed_services
  using gist (area, array_to_tsvector(array_replace(category_ids, '', ' ')) tsvector_ops (siglen = 16));
