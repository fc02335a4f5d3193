import { entriesOf } from '#contract/records.ts'
import { COURSE_FIELDS } from '#contract/tables/course.ts'
import type { DataKindName } from '#contract/tables/data-map.ts'
import {
  CATEGORY_FIELDS,
  DIVISION_FIELDS,
  INSTRUCTOR_FIELDS,
  ROOM_FIELDS,
  SEASON_FIELDS,
} from '#contract/tables/programme.ts'
import { fieldColumnsOfCategory } from './field-columns.ts'
import { profileColumnsOfCategory } from './person-columns.ts'

/** What happens to a table's rows about a person when the account is deleted. */
type Deletion =
  /** deleted */
  | 'gone'
  /** retained under an anonymized row of web_users */
  | 'pseudonym'
  /**
   * retained separately from the account and invisible to all users, because the rows' purpose requires that they
   * outlive the account
   */
  | 'kept'
  /** unaffected, because the rows are not about the person or belong to the department */
  | 'stays'

export type TableDataMap = {
  deletion: Deletion
  /**
   * columns by data category; `contract/tables/data-map.ts` defines their data subject, viewers, retention and legal basis
   */
  holds: Partial<Record<DataKindName, string>>
  /**
   * personal data columns that are excluded from the person's export, each with the reason; `system` columns are always
   * excluded
   */
  notExported?: Record<string, string>
}

const SECRET = 'worth a login'
const OWN_COSTS = 'read at GET /api/money'
const SENDING = 'says of the sending, not of the person'

const eachOf = (columns: string, reason: string): Record<string, string> =>
  Object.fromEntries(columns.split(' ').map(column => [column, reason]))

/**
 * Every table and column of the database. Export, deletion and retention are derived from this map. Tests fail if an
 * entry is missing. See docs/decisions/0009.
 */
export const DATA_MAP_TABLES: Record<string, TableDataMap> = {
  web_users: {
    deletion: 'gone',
    holds: {
      system: 'id version',
      login: `${profileColumnsOfCategory('login')} password_hash imported_password_hash is_password_to_change language created_at confirmed_at known_at locked_at state last_booked_at deleted_at is_address_unproved`,
      listed: profileColumnsOfCategory('listed'),
      profile: `${profileColumnsOfCategory('profile')} search_text`,
      insurance: profileColumnsOfCategory('insurance'),
      link: 'reset_password_hash reset_expires_at',
    },
    notExported: {
      password_hash: SECRET,
      imported_password_hash: SECRET,
      reset_password_hash: SECRET,
      search_text: 'repeats name, personnel number and address',
      locked_at: 'a locked account has no download',
      deleted_at: 'a deleted account has no download',
    },
  },
  // The closed account is deleted after seven days, and this row with it.
  merges: {
    deletion: 'gone',
    holds: { system: 'id from_id into_id moved is_agreed_from is_agreed_into', link: 'from_email merged_at' },
    notExported: {
      from_email: 'shown in the e-mail about the merge',
      merged_at: 'shown in the e-mail about the merge',
    },
  },
  account_changes: {
    deletion: 'gone',
    holds: { system: 'id web_user_id', login: 'changed_at actor kinds' },
  },
  consents: {
    deletion: 'gone',
    holds: { system: 'id web_user_id', consent: 'kind version given_at withdrawn_at' },
  },
  account_tokens: {
    deletion: 'gone',
    holds: { system: 'web_user_id merge_id', link: 'token_hash purpose new_email created_at expires_at' },
    notExported: { token_hash: SECRET },
  },
  sessions: {
    deletion: 'gone',
    holds: {
      system: 'id web_user_id confirmed_at passkey_at is_by_company company_sid',
      session: 'token_hash is_kept device created_at last_used_at expires_at',
    },
    notExported: { token_hash: SECRET },
  },
  known_devices: {
    deletion: 'gone',
    holds: { system: 'web_user_id', knownDevice: 'token_hash has_returned created_at last_used_at' },
    notExported: { token_hash: SECRET, has_returned: 'said by the times of first and last use' },
  },
  throttle_events: {
    deletion: 'gone',
    holds: { system: 'id', securityEvent: 'kind subject address happened_at' },
    notExported: { subject: 'the person’s own address or number' },
  },
  bookings: {
    deletion: 'pseudonym',
    holds: {
      system: 'id course_id web_user_id seq changed_in',
      booking:
        'state price_cents price_rule energy_cents price_cents_once_verified booked_at promoted_at cancelled_at division_id personnel_number owner_personnel_number is_person_known charge charge_cents processing_cents is_waiver_offered promised_lessons listed_until first_lesson_on is_passed_over passed_over_at is_onsite_permitted announced_absences absence_days',
      listed: 'employee_status billing_type',
    },
    notExported: {
      ...eachOf('processing_cents is_waiver_offered promised_lessons', OWN_COSTS),
      absence_days: 'the days of the lessons in announced_absences',
      first_lesson_on: 'a day of the programme',
      listed_until: 'says how long the list shows a cancelled course',
      ...eachOf('is_passed_over passed_over_at', 'follows from the account and its division'),
      is_onsite_permitted: 'a decision of the department about the course',
    },
  },
  attendances: {
    deletion: 'pseudonym',
    holds: { system: 'course_date_id web_user_id is_day_only', attendance: 'is_present', tapTime: 'changed_at' },
  },
  attendance_changes: {
    deletion: 'pseudonym',
    holds: {
      system: 'change_id course_date_id web_user_id recorded_by is_day_only is_conditional',
      attendance: 'is_present',
      tapTime: 'changed_at received_at',
    },
  },
  // Walk-in guests are not linked to an account.
  door_guests: {
    deletion: 'stays',
    holds: { system: 'id course_date_id', doorGuest: 'name noted_at withdrawn_at' },
  },
  // The place of a single lesson: by the booking of the person who freed it, and the guest who took it.
  freed_places: {
    deletion: 'pseudonym',
    holds: {
      system: 'id course_id course_date_id booking_id guest_id followers_from ended_at',
      booking: 'held_at offered_at taken_at',
    },
  },
  calendar_feeds: {
    deletion: 'gone',
    holds: { system: 'web_user_id nonce', wishes: 'token_hash created_at' },
    notExported: { token_hash: SECRET },
  },
  follows: {
    deletion: 'gone',
    holds: { system: 'id web_user_id', wishes: 'course_id category_id season_id created_at' },
  },
  reminders: {
    deletion: 'gone',
    holds: {
      system: 'web_user_id report_week report_month',
      wishes:
        'changes_by_mail changes_by_push lesson_eve_by_mail lesson_eve_by_push opening_by_mail opening_by_push waiting_by_mail waiting_by_push lesson_places_by_mail lesson_places_by_push report_weekly report_monthly changed_at',
    },
  },
  push_subscriptions: {
    deletion: 'gone',
    holds: { system: 'id web_user_id', wishes: 'endpoint p256dh auth created_at' },
    notExported: { p256dh: SECRET, auth: SECRET },
  },
  alerts: {
    deletion: 'gone',
    holds: { system: 'id web_user_id', mail: 'kind about payload ends_at is_mailed created_at' },
    notExported: { about: SENDING, payload: 'said by title and text', ends_at: SENDING, is_mailed: SENDING },
  },
  inbox_items: {
    deletion: 'gone',
    holds: {
      system: 'id web_user_id document_sha256 certificate_code invoice_number',
      message: 'created_at title text document_name seen_at',
    },
  },
  // `deletion` applies to e-mails. Push messages are deleted by cascade with the person's alert or browser
  // subscription. Webhook calls may still contain the ids of deleted people, which no longer refer to anything; these
  // rows are deleted after a month.
  outbox: {
    deletion: 'gone',
    holds: {
      system: 'id web_user_id channel alert_id subscription_id webhook_id event_id about last_status record_number',
      mail: 'recipient language kind created_at attempts unanswered due_at is_urgent again_at sent_at last_error payload',
    },
    notExported: {
      attempts: SENDING,
      unanswered: SENDING,
      due_at: SENDING,
      is_urgent: SENDING,
      again_at: SENDING,
      last_error: SENDING,
    },
  },
  // Messages that the department has not sent yet, and templates. Those to one person are exported, end after the period
  // of messages, and are deleted with the account.
  desk_messages: {
    deletion: 'gone',
    holds: { system: 'id state fields person_id send_at written_by problem changed_at' },
  },
  letters: {
    deletion: 'gone',
    holds: { system: 'id web_user_id', mail: 'language kind payload created_at printed_at' },
    notExported: { payload: 'on paper, with the person' },
  },
  office_rights: { deletion: 'gone', holds: { system: 'web_user_id is_by_claim', login: 'right granted_at' } },
  invited_rights: {
    deletion: 'gone',
    holds: { system: 'web_user_id', login: 'right invited_at' },
  },
  company_accounts: {
    deletion: 'gone',
    holds: { system: 'web_user_id', login: 'issuer subject joined_at last_login_at left_at' },
  },
  company_logins: {
    deletion: 'gone',
    holds: { system: 'browser_hash state_hash nonce verifier next is_kept outcome web_user_id expires_at company_sid' },
  },
  company_number_conflicts: {
    deletion: 'gone',
    holds: { system: 'web_user_id email personnel_number refused_at' },
  },
  company_logouts: { deletion: 'stays', holds: { system: 'jti_hash expires_at' } },
  passkeys: {
    deletion: 'gone',
    holds: { system: 'id web_user_id public_key counter transports is_vouched', login: 'name created_at last_used_at' },
  },
  passkey_challenges: { deletion: 'gone', holds: { system: 'challenge purpose web_user_id expires_at' } },
  office_reads: { deletion: 'gone', holds: { system: 'id reader_id web_user_id', read: 'read_at reader call' } },
  // Ids of deleted people no longer refer to anything; texts about people are deleted with the account.
  office_acts: {
    deletion: 'stays',
    holds: { system: 'act_id actor_id token_id fingerprint answer acted_at', programme: 'replaced' },
  },
  office_record: { deletion: 'stays', holds: { system: 'number acted_at kind actor_id line hash' } },
  office_record_people: { deletion: 'gone', holds: { system: 'web_user_id record_number' } },
  office_record_courses: { deletion: 'stays', holds: { system: 'course_id record_number' } },
  office_record_texts: { deletion: 'stays', holds: { system: 'record_number', profile: 'text' } },
  office_files: {
    deletion: 'gone',
    holds: { system: 'id web_user_id right media_type created_at', programme: 'name content' },
    notExported: {
      name: 'a file for the programme, deleted after a day',
      content: 'a file for the programme, deleted after a day',
    },
  },
  feed_items: { deletion: 'stays', holds: { system: 'course_id modified fingerprint' } },
  service_tokens: {
    deletion: 'stays',
    holds: { system: 'id name token_hash scopes created_at expires_at last_used_at revoked_at' },
  },
  webhooks: {
    deletion: 'stays',
    holds: { system: 'id name url secret kinds is_active created_at failing_since' },
  },
  scim_users: {
    deletion: 'stays',
    holds: {
      system: 'id created_at changed_at',
      listed: 'user_name external_id personnel_number employee_status division_id is_active',
    },
  },
  eligible_people: { deletion: 'stays', holds: { listed: 'personnel_number division_id employee_status' } },
  rooms: {
    deletion: 'stays',
    holds: { system: 'version', programme: `id ${fieldColumnsOfCategory(ROOM_FIELDS, 'programme')}` },
  },
  course_templates: { deletion: 'stays', holds: { system: 'version', programme: 'id name fields' } },
  pages: { deletion: 'stays', holds: { system: 'version', programme: 'name text text2' } },
  // Open amounts are retained after the account has been deleted, together with the person's name and postal address,
  // until they are paid and the retention period for billing data has ended.
  ledger_accounts: {
    deletion: 'kept',
    holds: {
      system: 'id web_user_id',
      billing: 'name street zip city personnel_number billing_type division_id is_verified has_consent ends_on',
    },
    notExported: eachOf(
      'name street zip city personnel_number billing_type division_id is_verified has_consent ends_on',
      'made when the account is deleted, which says what it holds',
    ),
  },
  ledger_entries: {
    deletion: 'kept',
    holds: {
      system: 'id account_id course_id booking_id settlement_id made_by',
      billing: 'kind cents made_at',
    },
    notExported: eachOf('kind cents made_at', OWN_COSTS),
  },
  ledger_reasons: {
    deletion: 'kept',
    holds: { system: 'entry_id', billing: 'text free_until' },
    notExported: eachOf('text free_until', OWN_COSTS),
  },
  settlements: { deletion: 'stays', holds: { system: 'id course_id number made_at made_by facts_hash' } },
  settlement_lines: {
    deletion: 'kept',
    holds: { system: 'settlement_id booking_id account_id', billing: 'facts' },
    notExported: { facts: OWN_COSTS },
  },
  batches: {
    deletion: 'stays',
    holds: { system: 'id kind division_id period created_at created_by closed_at closed_by answered_at sha256' },
  },
  batch_lines: {
    deletion: 'kept',
    holds: { system: 'id batch_id account_id reference', billing: 'cents route state why' },
    notExported: eachOf('cents route state why', OWN_COSTS),
  },
  batch_entries: { deletion: 'stays', holds: { system: 'line_id entry_id is_released' } },
  postings: { deletion: 'stays', holds: { system: 'document batch_id cents' } },
  batch_files: {
    deletion: 'kept',
    holds: { system: 'batch_id format', billing: 'content' },
    notExported: { content: 'a file of many people' },
  },
  invoices: {
    deletion: 'kept',
    holds: {
      system: 'number year sequence line_id account_id cancels reminded_at reminders',
      billing: 'name street zip city issued_on due_on cents pdf',
    },
    notExported: eachOf('name street zip city issued_on due_on cents pdf', 'sent as invoice'),
  },
  bank_lines: {
    deletion: 'kept',
    holds: { system: 'id hash made_at source is_dropped repeats_payment_id batch_line_id', billing: 'booked_on cents' },
    notExported: eachOf('booked_on cents', OWN_COSTS),
  },
  bank_csv_layouts: { deletion: 'stays', holds: { system: 'header columns made_at made_by' } },
  payments: {
    deletion: 'kept',
    holds: { system: 'id invoice_number made_at made_by bank_line_id set_off_line_id', billing: 'paid_on cents' },
    notExported: eachOf('paid_on cents', OWN_COSTS),
  },
  // Decision on whether the participant attended regularly; deleted when the booking is pseudonymized.
  attendance_decisions: {
    deletion: 'stays',
    holds: { system: 'booking_id decided_by', attendance: 'is_regular decided_at' },
    notExported: eachOf('is_regular decided_at', OWN_COSTS),
  },
  proofs: {
    deletion: 'gone',
    holds: {
      system: 'id web_user_id decided_by',
      proof:
        'kind starts_on ends_on file_name media_type content state reason created_at decided_at consented_at consent_version consent_withdrawn_at',
    },
    notExported: eachOf(
      'kind starts_on ends_on file_name media_type content state reason created_at decided_at consented_at consent_version consent_withdrawn_at',
      'read at GET /api/proofs',
    ),
  },
  // The status of a certificate outlives the account, but does not refer to a person.
  certificates: {
    deletion: 'stays',
    holds: { system: 'code booking_id version issued_at revoked_at is_withdrawn' },
  },
  certificate_documents: {
    deletion: 'gone',
    holds: { system: 'code web_user_id', certificate: 'jws' },
    notExported: { jws: 'the document of a message' },
  },
  payer_consents: {
    deletion: 'gone',
    holds: { system: 'web_user_id accepted_by', proof: 'personnel_number media_type content accepted_at' },
    notExported: eachOf('personnel_number media_type content accepted_at', 'consent of another person'),
  },
  payout_accounts: {
    deletion: 'gone',
    holds: { system: 'web_user_id', payout: 'iban entered_at changed_at' },
    notExported: eachOf('iban entered_at changed_at', OWN_COSTS),
  },
  billing_records: {
    deletion: 'kept',
    holds: { system: 'id', billing: 'name street zip city course_number amount_cents booked_on ends_on' },
    notExported: eachOf(
      'name street zip city course_number amount_cents booked_on ends_on',
      'made when the account is deleted, which says what it holds',
    ),
  },
  instructors: {
    deletion: 'gone',
    holds: {
      system: 'picture_sha256 version licence_reminded_for',
      instructorProfile: `email ${fieldColumnsOfCategory(INSTRUCTOR_FIELDS, 'instructorProfile')}`,
      instructorContract: fieldColumnsOfCategory(INSTRUCTOR_FIELDS, 'instructorContract'),
    },
  },
  accepted_clashes: {
    deletion: 'stays',
    holds: {
      instructorProfile: 'instructor_email',
      programme: 'course_date_id other_id need held_at other_held_at overlaps_until room_id',
    },
    notExported: { instructor_email: 'the same address as in the profile' },
  },
  absences: {
    deletion: 'gone',
    holds: { system: 'id', instructorProfile: 'instructor_email', absence: 'starts_on ends_on' },
    notExported: { instructor_email: 'the same address as in the profile' },
  },
  substitute_invitations: {
    deletion: 'gone',
    holds: { system: 'id asked_by asked_with asked_at', instructorProfile: 'instructor_email', absence: 'ends_at' },
    notExported: { instructor_email: 'the same address as in the profile' },
  },
  substitute_links: { deletion: 'gone', holds: { system: 'token_hash invitation_id' } },
  substitute_offers: {
    deletion: 'gone',
    holds: {
      system: 'invitation_id replaced_email',
      programme: 'course_date_id',
      absence: 'held_at answer answered_at',
    },
  },
  closures: { deletion: 'stays', holds: { programme: 'id room_ids site starts_on ends_on' } },
  course_instructors: { deletion: 'gone', holds: { system: 'course_id', instructorProfile: 'email' } },
  photos: {
    deletion: 'stays',
    holds: { system: 'id version album_id photo_sha256 thumbnail_sha256', photo: 'file_name shot_at sort_order' },
  },
  // File content has the data category of the row that references it and is deleted with the last reference.
  file_contents: { deletion: 'stays', holds: { system: 'sha256 media_type is_clean', programme: 'content' } },
  file_sources: { deletion: 'stays', holds: { system: 'source_sha256 recipe sha256' } },
  picture_variants: { deletion: 'stays', holds: { system: 'sha256 width', programme: 'content' } },
  divisions: {
    deletion: 'stays',
    holds: { system: 'version', programme: `id ${fieldColumnsOfCategory(DIVISION_FIELDS, 'programme')}` },
  },
  season_reports: { deletion: 'stays', holds: { system: 'season_id closed_at closed_by figures' } },
  seasons: {
    deletion: 'stays',
    holds: {
      system: 'version',
      programme: `id ${fieldColumnsOfCategory(SEASON_FIELDS, 'programme')} is_draft`,
    },
  },
  categories: {
    deletion: 'stays',
    holds: { system: 'version icon_sha256', programme: `id ${fieldColumnsOfCategory(CATEGORY_FIELDS, 'programme')}` },
  },
  courses: {
    deletion: 'stays',
    holds: {
      system:
        'taken booking_seq revision version calendar_sequence calendar_changed_at calendar_sequence2 calendar_changed_at2',
      instructorProfile: fieldColumnsOfCategory(COURSE_FIELDS, 'instructorProfile'),
      programme: `id ${fieldColumnsOfCategory(COURSE_FIELDS, 'programme')} day weekdays starts_on ends_on has_own_dates is_participating_complete opens_at closes_at cancelled_at note note2 copied_lessons copied_from_id`,
    },
  },
  refused_requests: {
    deletion: 'stays',
    holds: { programme: 'course_id second requests' },
  },
  booking_orders: {
    deletion: 'stays',
    holds: { programme: 'course_id season_id published_at places root' },
  },
  booking_order_leaves: {
    deletion: 'stays',
    holds: { system: 'course_id number booking_id asked_at token hash' },
  },
  course_dates: {
    deletion: 'stays',
    holds: {
      system: 'is_extra is_excluded calendar_sequence calendar_changed_at reminded_at',
      instructorProfile: 'instructor_email',
      programme: 'id course_id held_at state moved_from ends_at room_id venue note note2',
    },
  },
  former_instructors: {
    deletion: 'gone',
    holds: { system: 'id course_id course_date_id until', instructorProfile: 'email' },
    notExported: { email: 'the same address as in the profile' },
  },
  removed_lessons: {
    deletion: 'stays',
    holds: { system: 'calendar_sequence', programme: 'course_date_id course_id held_at removed_at' },
  },
  content_items: {
    deletion: 'stays',
    holds: {
      system: 'picture_sha256 file_sha256 version',
      programme:
        'id content_type sort_order picture_file_name file_name link_text link_text2 text1 text2 text3 text4 text5 link',
    },
  },
  albums: {
    deletion: 'stays',
    holds: {
      system: 'thumbnail_sha256 version',
      programme: 'id name name2 description description2 thumbnail_file_name is_individual_course course_id',
    },
  },
  programme: {
    deletion: 'stays',
    holds: {
      system:
        'is_only_row revision imported_at passwords_fingerprint dates_moved_on is_closing_automatic closing_reported_on',
    },
  },
  deleted_accounts: { deletion: 'stays', holds: { system: 'web_user_id deleted_at created_at' } },
  outgoing_hold: { deletion: 'stays', holds: { system: 'is_held since' } },
  secrets: { deletion: 'stays', holds: { system: 'name value' } },
  write_checks: { deletion: 'stays', holds: { system: 'server checked_at' } },
  migrations: { deletion: 'stays', holds: { system: 'number name checksum applied_at' } },
}

/** Columns of a table with their data categories. */
export const dataCategoriesByColumn = (table: string): Map<string, DataKindName> =>
  new Map(
    entriesOf<Partial<Record<DataKindName, string>>>(DATA_MAP_TABLES[table]?.holds ?? {}).flatMap(([kind, columns]) =>
      (columns ?? '').split(' ').map(column => [column, kind] as const),
    ),
  )
