-- Closing the same rooms or site for the same days twice continues the first closure, as for absences.
update closures set room_ids = array(select distinct unnest(room_ids) order by 1);
delete from closures x using closures earlier
where earlier.id < x.id and (earlier.room_ids, earlier.site, earlier.starts_on, earlier.ends_on) = (x.room_ids, x.site, x.starts_on, x.ends_on);
create unique index closures_once on closures (room_ids, site, starts_on, ends_on);
