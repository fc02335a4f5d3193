-- Smaller copies of pictures, each made when it is first asked for. They go with their picture.
create table picture_variants (
  kind text not null,
  name text not null,
  width integer not null,
  -- of what it was made from: another content of the picture makes it anew
  source_sha256 bytea not null,
  -- null: the picture itself is as small
  content bytea,
  primary key (kind, name, width),
  foreign key (kind, name) references files on update cascade on delete cascade
);
