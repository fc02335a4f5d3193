-- Pictures and documents are kept once under the hash of their content. What a row shows is the content it points at, so that
-- another file of the same name changes nothing of it. The names stay: people see them, and addresses are made of them.
create table file_contents (
  -- of the content
  sha256 bytea primary key,
  media_type text not null,
  content bytea not null,
  -- false: a picture from before metadata (place, camera, person) were removed at the import; a job does it
  is_clean boolean not null default true
);

-- what was made of which file at an import, so that the next one need not make it again
create table file_sources (
  -- of the file as it was given
  source_sha256 bytea not null,
  recipe text not null,
  sha256 bytea not null references file_contents on delete cascade,
  primary key (source_sha256, recipe)
);
create index on file_sources (sha256);

alter table inbox_items add column document_sha256 bytea references file_contents;
alter table photos add column photo_sha256 bytea references file_contents;
alter table photos add column thumbnail_sha256 bytea references file_contents;
alter table albums add column thumbnail_sha256 bytea references file_contents;
alter table content_items add column picture_sha256 bytea references file_contents;
alter table content_items add column file_sha256 bytea references file_contents;
alter table instructors add column picture_sha256 bytea references file_contents;
alter table categories add column icon_sha256 bytea references file_contents;

insert into file_contents (sha256, media_type, content, is_clean)
select distinct on (sha256(content)) sha256(content), media_type, content,
  not (kind in ('content', 'photo') and media_type in ('image/jpeg', 'image/png', 'image/webp', 'image/avif'))
from files order by sha256(content), kind = 'thumbnail';

update inbox_items i set document_sha256 = sha256(f.content) from files f where f.kind = 'document' and f.name = i.document_name;
update photos p set photo_sha256 = sha256(f.content) from files f where f.kind = 'photo' and f.name = p.file_name;
update photos p set thumbnail_sha256 = sha256(f.content) from files f where f.kind = 'thumbnail' and f.name = p.file_name;
update albums a set thumbnail_sha256 = sha256(f.content) from files f where f.kind = 'thumbnail' and f.name = a.thumbnail_file_name;
update content_items c set picture_sha256 = sha256(f.content) from files f where f.kind = 'content' and f.name = c.picture_file_name;
update content_items c set file_sha256 = sha256(f.content) from files f where f.kind = 'content' and f.name = c.file_name;
update instructors i set picture_sha256 = sha256(f.content) from files f where f.kind = 'content' and f.name = i.picture_file_name;
update categories k set icon_sha256 = sha256(f.content) from files f where f.kind = 'content' and f.name = k.icon;

insert into file_sources (source_sha256, recipe, sha256)
select distinct sha256(content), 'picture', sha256(content) from files
where kind in ('content', 'photo') and media_type in ('image/jpeg', 'image/png', 'image/webp', 'image/avif');
-- The hash of a thumbnail was made from its photo and the recipe.
insert into file_sources (source_sha256, recipe, sha256)
select distinct on (sha256(p.content)) sha256(p.content), 'webp 480 q72', sha256(t.content)
from files p join files t on t.kind = 'thumbnail' and t.name = p.name
where p.kind = 'photo' and t.sha256 = sha256(p.content || convert_to('webp 480 q72', 'UTF8'));

alter table picture_variants rename to old_variants;
create table picture_variants (
  sha256 bytea not null references file_contents on delete cascade,
  width integer not null,
  -- null: the picture itself is as small
  content bytea,
  primary key (sha256, width)
);
insert into picture_variants (sha256, width, content)
select distinct on (1, 2) v.source_sha256, v.width, v.content from old_variants v join file_contents c on c.sha256 = v.source_sha256;
drop table old_variants;
drop table files;

create index on inbox_items (document_sha256) where document_sha256 is not null;
create index on photos (photo_sha256);
create index on photos (thumbnail_sha256);
create index on photos (file_name);
create index on file_contents (sha256) where not is_clean;
-- private photos are asked for with the beginning of a session's hash
create index on sessions (substring(token_hash for 12));

create function is_content_needed(hash bytea) returns boolean language sql stable as $$
  select exists (select from inbox_items where document_sha256 = hash)
    or exists (select from photos where photo_sha256 = hash)
    or exists (select from photos where thumbnail_sha256 = hash)
    or exists (select from albums where thumbnail_sha256 = hash)
    or exists (select from content_items where picture_sha256 = hash)
    or exists (select from content_items where file_sha256 = hash)
    or exists (select from instructors where picture_sha256 = hash)
    or exists (select from categories where icon_sha256 = hash)
$$;

delete from file_contents where not is_content_needed(sha256);

-- A content goes with the last row that points at it, whoever deletes that row: a person's documents go with the messages. At the
-- end of the transaction, so that a content may change hands in it.
create function drop_unneeded_content() returns trigger language plpgsql as $$
declare
  hash bytea := (to_jsonb(old) ->> tg_argv[0])::bytea;
begin
  if not is_content_needed(hash) then
    delete from file_contents where sha256 = hash;
  end if;
  return null;
exception when foreign_key_violation then
  -- somebody points at it meanwhile
  return null;
end $$;

create constraint trigger document_sha256_deleted after delete on inbox_items deferrable initially deferred
  for each row when (old.document_sha256 is not null) execute function drop_unneeded_content('document_sha256');
create constraint trigger document_sha256_changed after update on inbox_items deferrable initially deferred
  for each row when (old.document_sha256 is not null and old.document_sha256 is distinct from new.document_sha256)
  execute function drop_unneeded_content('document_sha256');
create constraint trigger photo_sha256_deleted after delete on photos deferrable initially deferred
  for each row when (old.photo_sha256 is not null) execute function drop_unneeded_content('photo_sha256');
create constraint trigger photo_sha256_changed after update on photos deferrable initially deferred
  for each row when (old.photo_sha256 is not null and old.photo_sha256 is distinct from new.photo_sha256)
  execute function drop_unneeded_content('photo_sha256');
create constraint trigger thumbnail_sha256_deleted after delete on photos deferrable initially deferred
  for each row when (old.thumbnail_sha256 is not null) execute function drop_unneeded_content('thumbnail_sha256');
create constraint trigger thumbnail_sha256_changed after update on photos deferrable initially deferred
  for each row when (old.thumbnail_sha256 is not null and old.thumbnail_sha256 is distinct from new.thumbnail_sha256)
  execute function drop_unneeded_content('thumbnail_sha256');
create constraint trigger thumbnail_sha256_deleted after delete on albums deferrable initially deferred
  for each row when (old.thumbnail_sha256 is not null) execute function drop_unneeded_content('thumbnail_sha256');
create constraint trigger thumbnail_sha256_changed after update on albums deferrable initially deferred
  for each row when (old.thumbnail_sha256 is not null and old.thumbnail_sha256 is distinct from new.thumbnail_sha256)
  execute function drop_unneeded_content('thumbnail_sha256');
create constraint trigger picture_sha256_deleted after delete on content_items deferrable initially deferred
  for each row when (old.picture_sha256 is not null) execute function drop_unneeded_content('picture_sha256');
create constraint trigger picture_sha256_changed after update on content_items deferrable initially deferred
  for each row when (old.picture_sha256 is not null and old.picture_sha256 is distinct from new.picture_sha256)
  execute function drop_unneeded_content('picture_sha256');
create constraint trigger file_sha256_deleted after delete on content_items deferrable initially deferred
  for each row when (old.file_sha256 is not null) execute function drop_unneeded_content('file_sha256');
create constraint trigger file_sha256_changed after update on content_items deferrable initially deferred
  for each row when (old.file_sha256 is not null and old.file_sha256 is distinct from new.file_sha256)
  execute function drop_unneeded_content('file_sha256');
create constraint trigger picture_sha256_deleted after delete on instructors deferrable initially deferred
  for each row when (old.picture_sha256 is not null) execute function drop_unneeded_content('picture_sha256');
create constraint trigger picture_sha256_changed after update on instructors deferrable initially deferred
  for each row when (old.picture_sha256 is not null and old.picture_sha256 is distinct from new.picture_sha256)
  execute function drop_unneeded_content('picture_sha256');
create constraint trigger icon_sha256_deleted after delete on categories deferrable initially deferred
  for each row when (old.icon_sha256 is not null) execute function drop_unneeded_content('icon_sha256');
create constraint trigger icon_sha256_changed after update on categories deferrable initially deferred
  for each row when (old.icon_sha256 is not null and old.icon_sha256 is distinct from new.icon_sha256)
  execute function drop_unneeded_content('icon_sha256');
