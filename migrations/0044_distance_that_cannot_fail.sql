-- Angles far below what a double can multiply raised an underflow, in every search that met one. Taken as differences
-- from a whole turn they are either nothing or large enough: a ten-thousandth of a millimetre. Still of nothing but strict
-- functions, so that a query takes it in.
create or replace function metres_between(lat1 double precision, lng1 double precision, lat2 double precision, lng2 double precision)
returns integer language sql immutable strict
as $$
  select (12742000 * atan2(
    sqrt(sin(radians((lat2 + 360) - (lat1 + 360)) / 2) ^ 2
      + cos(radians(lat1 + 360)) * cos(radians(lat2 + 360)) * sin(radians((lng2 + 360) - (lng1 + 360)) / 2) ^ 2),
    sqrt(abs(1 - sin(radians((lat2 + 360) - (lat1 + 360)) / 2) ^ 2
      - cos(radians(lat1 + 360)) * cos(radians(lat2 + 360)) * sin(radians((lng2 + 360) - (lng1 + 360)) / 2) ^ 2))
  ))::integer
$$;
