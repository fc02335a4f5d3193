-- the day on which a folder with a file dates-move-from was first imported: to the week of that day its dates move at every
-- further import too, or a later one would change all of them
alter table programme add column dates_moved_on date;
