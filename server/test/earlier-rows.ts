import { createHash } from 'node:crypto'

/** Two lines of the audit log in the format before migration 34. */
function auditLines(): string {
  const at = '2026-11-21T10:00:00.123Z'
  const sha256 = (content: string | Buffer) => createHash('sha256').update(content).digest()
  let hash = Buffer.alloc(32)
  const rows = [
    { kind: 'rename-course', objects: { courseId: 1 }, text: null },
    { kind: 'lock-person', objects: { webUserId: 4 }, text: sha256('auf Wunsch').toString('hex') },
  ].map(({ kind, objects, text }, index) => {
    const line = JSON.stringify({ number: index + 1, at, kind, actorId: 5, objects, before: {}, after: {}, text })
    hash = sha256(Buffer.concat([hash, Buffer.from(line)]))
    return `(${index + 1}, '${at}', '${kind}', 5, '${line}', '\\x${hash.toString('hex')}')`
  })
  return `insert into office_record values ${rows.join(', ')}`
}

/**
 * Rows that earlier versions wrote, keyed by migration number: each entry adds rows that a portal with this newest
 * migration may have had to those of the previous entries. They are written in SQL, because the current code does not
 * match those tables.
 */
export const EARLIER_ROWS: Record<number, string> = {
  // Version 1.2.0.
  1: `
insert into divisions values (1, 'Werk Nord');
insert into seasons (id, name, bookable_from, viewable_from, starts_at, ends_at)
  values (1, 'Herbst', now() - interval '60 days', now() - interval '70 days', now() - interval '50 days', now() + interval '90 days');
insert into categories (id, name, name2, icon) values (1, 'Rücken', 'Back', 'icon.png');
insert into instructors (email, family_name, given_name, picture_file_name) values ('trainer@demo.example', 'Berg', 'Ute', 'flyer.jpg');
insert into courses (number, season_id, category_id, name, day, start_time, end_time, starts_on, ends_on, fee_cents, energy_fee_cents,
    capacity, opens_at, closes_at, taken, booking_seq)
  select 'K-' || n, 1, 1, 'Kurs ' || n, 2, '18:00', '19:00', current_date - 40, current_date + 60, 4500, 500, 2, now() - interval '50 days',
    now() + interval '60 days', 0, 0 from generate_series(1, 3) n;
insert into course_instructors select id, 'trainer@demo.example' from courses;
insert into course_dates (course_id, held_at) select id, current_date + 7 * n + time '18:00' from courses, generate_series(-3, 3) n
  where id < 3 or n < 0 order by id, n;
insert into web_users (email, password_hash, given_name, family_name, employee_status, personnel_number, division_id, street, zip, city,
    language, imported_password_hash, created_at, confirmed_at)
  select name || '@demo.example', 'argon', initcap(name), 'Mann', 1, '100' || n, 1, 'Weg ' || n, '12345', 'Ort', 'de',
    case when n = 1 then 'argon' end, now() - interval '40 days', now() - interval '40 days'
  from unnest(array['anna', 'bert', 'cora', 'dirk', 'trainer']) with ordinality people (name, n);
insert into web_users (email, created_at) values ('claimed@demo.example', now() - interval '1 hour');
insert into web_users (email, given_name, family_name, employee_status, street, zip, city, created_at, deleted_at)
  values ('deleted-1', 'Gisela', 'Weg', 2, 'Allee 1', '54321', 'Stadt', now() - interval '40 days', now() - interval '1 hour');
insert into account_tokens values ('\\x01', 6, 'activation', null, now(), now() + interval '1 day');
insert into sessions values (sha256('token of anna'), 1, true, now(), now(), now() + interval '30 days');
insert into throttle_events (kind, subject, address) values ('login', 'anna@demo.example', '127.0.0.1');
insert into bookings (course_id, web_user_id, seq, state, price_cents, booked_at, promoted_at, cancelled_at) values
  (1, 1, 1, 1, 4500, now() - interval '20 days', null, null),
  (1, 2, 2, 1, 4500, now() - interval '20 days', null, now() - interval '10 days'),
  (1, 3, 3, 1, 4500, now() - interval '20 days', now() - interval '10 days', null),
  (1, 4, 4, 2, 4500, now() - interval '20 days', null, null),
  (3, 7, 1, 1, 6500, now() - interval '20 days', null, null);
update courses set taken = 3, booking_seq = 4 where id = 1;
update courses set taken = 1, booking_seq = 1, closes_at = now() - interval '2 days', ends_on = current_date - 2 where id = 3;
insert into attendances values (1, 1, true, now() - interval '2 days');
insert into attendance_changes (change_id, course_date_id, web_user_id, is_present, changed_at, recorded_by) values
  (gen_random_uuid(), 1, 1, false, now() - interval '3 days', 5), (gen_random_uuid(), 1, 1, true, now() - interval '2 days', 5);
insert into files values
  ('content', 'flyer.jpg', 'image/jpeg', sha256('flyer'), 'flyer'), ('content', 'icon.png', 'image/png', sha256('icon'), 'icon'),
  ('photo', 'a.jpg', 'image/jpeg', sha256('photo'), 'photo'), ('thumbnail', 'a.jpg', 'image/webp', sha256('photowebp 480 q72'), 'small'),
  ('document', 'paper.pdf', 'application/pdf', sha256('paper'), 'paper');
insert into content_items (content_type, sort_order, picture_file_name, text1) values ('HomeButtom', 1, 'flyer.jpg', 'Willkommen');
insert into albums (id, name, thumbnail_file_name) values (1, 'Fest', 'a.jpg');
insert into photos (album_id, file_name) values (1, 'a.jpg');
insert into inbox_items (web_user_id, title, document_name, created_at) values
  (1, 'Bescheinigung', 'paper.pdf', now() - interval '5 days'), (3, 'Nachgerückt', '', now() - interval '10 days');
insert into mails (web_user_id, recipient, language, kind, payload, created_at, sent_at)
  select p, 'somebody@demo.example', 'de', kind, jsonb_build_object('courseId', 1), now() - days * interval '1 day', now() - days * interval '1 day'
  from (values (1, 'booking', 20), (2, 'booking', 20), (3, 'waiting-list', 20), (4, 'waiting-list', 20), (2, 'cancellation', 10),
    (3, 'promotion', 10)) told (p, kind, days);
insert into mails (web_user_id, recipient, language, kind, payload)
  values (6, 'claimed@demo.example', 'de', 'activation', '{"token": "secret", "givenName": "Rita"}');
update programme set revision = 3, imported_at = now();`,
  2: `update programme set dates_moved_on = current_date`,
  3: `insert into picture_variants values ('content', 'flyer.jpg', 640, sha256('flyer'), 'flyer at 640')`,
  4: `
insert into bookings (course_id, web_user_id, seq, state, price_cents, employee_status, personnel_number, division_id, price_rule)
  values (2, 1, 1, 1, 4500, 1, '1001', 1, 'fee');
update courses set taken = 1, booking_seq = 1 where id = 2;
insert into mails (web_user_id, recipient, language, kind, payload) values (1, 'anna@demo.example', 'de', 'booking', '{"courseId": 2}')`,
  5: `insert into billing_records (name, street, zip, city, course_number, amount_cents, booked_on, ends_on)
  values ('Otto Alt', 'Gasse 2', '11111', 'Dorf', 'K-0', 5000, current_date - 100, current_date + 3000)`,
  6: `update courses set is_free_with_attendance = true where id = 2`,
  7: `
insert into attendance_changes (change_id, course_date_id, web_user_id, is_present, changed_at, is_day_only)
  values (gen_random_uuid(), 2, 1, true, current_date - 8, true);
insert into attendances values (2, 1, true, current_date - 8, true)`,
  8: `
insert into file_contents values (sha256('second paper'), 'application/pdf', 'second paper', true);
insert into inbox_items (web_user_id, title, document_name, document_sha256) values (2, 'Zeugnis', 'zeugnis.pdf', sha256('second paper'))`,
  9: `
insert into known_devices (token_hash, web_user_id, has_returned) values ('\\x09', 1, true);
insert into sessions (token_hash, web_user_id, is_kept, expires_at, device) values ('\\x0909', 2, false, now() + interval '1 day', 'Firefox, Windows')`,
  10: `insert into mails (web_user_id, recipient, language, kind, payload) values (1, 'anna@demo.example', 'en', 'password-reset', '{}')`,
  11: `
update web_users set division_id = null where id = 2;
update web_users set locked_at = now() where id = 4;
update bookings set is_person_known = true where web_user_id = 1;
insert into account_tokens (token_hash, web_user_id, purpose, new_email, expires_at) values ('\\x0b', 1, 'undo', 'old@demo.example', now() + interval '1 day')`,
  12: `insert into mails (web_user_id, recipient, language, kind, attempts, last_error, again_at)
  values (2, 'bert@demo.example', 'de', 'notice', 12, '550', now())`,
  13: `insert into mails (web_user_id, recipient, language, kind) values (1, 'anna@demo.example', 'de', 'email-changed')`,
  14: `
insert into attendance_changes (change_id, course_date_id, web_user_id, is_present, changed_at) values (gen_random_uuid(), 3, 1, null, now());
insert into attendances (course_date_id, web_user_id, is_present, changed_at) select 3, 1, null, changed_at from attendance_changes where is_present is null`,
  15: `update bookings set energy_cents = 300 where course_id = 2`,
  16: `
insert into calendar_feeds values (1, '\\x10', '\\x1010');
insert into follows (web_user_id, course_id) values (1, 2);
insert into follows (web_user_id, category_id) values (2, 1);
insert into reminders values (1, true, false, true, false, true, true, false, true);
update course_dates set held_at = held_at + interval '1 hour' where id = 7;
delete from course_dates where id = 6`,
  17: `
insert into push_subscriptions (web_user_id, endpoint, p256dh, auth) values (1, 'https://push.example/1', 'key', 'auth');
insert into alerts (web_user_id, kind, about, payload, ends_at, is_mailed) values (1, 'lesson-eve', 'lesson 1', '{}', now(), false);
insert into pushes (alert_id, subscription_id) values (1, 1)`,
  18: `
insert into office_rights (web_user_id, "right") values (5, 'owner'), (5, 'bookings');
insert into passkeys (id, web_user_id, public_key, name) values ('key-1', 5, '\\x12', 'Schlüssel');
insert into passkey_challenges values ('challenge', 'confirm', 5, now() + interval '5 minutes');
update sessions set confirmed_at = now() where web_user_id = 2;
insert into office_acts values (gen_random_uuid(), 5, '\\x1212', '{"status": "Ok"}');
${auditLines()};
insert into office_record_people values (4, 2);
insert into office_record_courses values (1, 1);
insert into office_record_texts values (2, 'auf Wunsch');
insert into office_reads (reader, reader_id, web_user_id, call) values ('bookings', 5, 1, 'GET /api/office/people/1');
insert into rooms (name, site, capacity) values ('Halle 1', 'Nord', 20);
update course_dates set state = 'cancelled', room_id = 1, note = 'Trainerin krank' where id = 8;
update courses set version = 2, note = 'Matte mitbringen' where id = 1;
insert into eligible_people values ('1001', 1, 1);
insert into mails (web_user_id, recipient, language, kind, payload) values (4, 'person 4', 'de', 'notice', '{"title": "Brief"}');
insert into pages (name, text) values ('imprint', 'Impressum');
insert into office_files ("right", name, media_type, content) values ('content', 'a.zip', 'application/zip', 'zip')`,
  19: `insert into deleted_accounts values (7, now() - interval '1 hour')`,
  21: `insert into door_guests values (gen_random_uuid(), 1, 'Gast', now(), null), (gen_random_uuid(), 1, '', now(), now())`,
  22: `update passkeys set is_vouched = true`,
  23: `
insert into company_logins (browser_hash, state_hash, nonce, verifier, expires_at) values ('\\x17', '\\x18', 'nonce', 'verifier', now() + interval '5 minutes');
insert into company_accounts (issuer, subject, web_user_id) values ('https://login.example', 'anna', 1);
update office_rights set is_by_claim = true where "right" = 'bookings'`,
  24: `
insert into service_tokens (name, token_hash, scopes, expires_at) values
  ('Lohn', '\\x24', '{lists}', now() + interval '90 days'), ('Räume', '\\x2402', '{programme,lists}', now() + interval '90 days');
insert into webhooks (name, url, secret, kinds) values ('Zugang', 'https://door.example', 'secret', '{booking,course-changed}');
update courses set version = 3 where id = 2`,
  25: `insert into feed_items values (1, 1, '\\x25'), (99, 2, null)`,
  28: `insert into company_logouts values ('\\x28', now() + interval '5 minutes')`,
  44: `
insert into eligible_people values ('1099', 1, 1);
insert into ledger_accounts (name, personnel_number, is_verified, ends_on) values
  ('Otto Alt', '1099', true, current_date + 3000), ('Eva Gast', '1097', true, current_date + 3000);
insert into ledger_accounts (name, personnel_number, billing_type) values ('Ada Weber', '1098', null)`,
}
