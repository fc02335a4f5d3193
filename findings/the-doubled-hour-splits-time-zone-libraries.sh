#!/usr/bin/env bash
# luxon 3.7.2, date-fns-tz 3.2.0, @date-fns/tz 1.5.0, moment-timezone 0.6.6, @js-temporal/polyfill 0.5.1, Node's Date.
# Expected: libraries agree on the instant of a wall-clock time in a named zone, or refuse an ambiguous one.
# Seen: 25 October 2026, 02:30 in Berlin happens twice. Temporal, moment-timezone and Date silently take the first one
#   (summer time, 00:30 UTC), luxon and date-fns-tz the second (01:30 UTC). @date-fns/tz takes the first on a host in Berlin
#   and the second on a host in UTC, although the zone is named in the call. At 28 March 2027, 02:30, which does not exist,
#   all go forward to 03:30 but date-fns-tz, which goes back to 01:30. No error anywhere.
# Matters: a deadline, an opening or a calendar entry computed by two parts of a system differs by an hour that night. The
#   order "within the doubled hour" can only be stored as an instant.
# Source: Temporal proposal, "disambiguation: compatible"; luxon manual, "Ambiguous times" (no guarantee which).
set -euo pipefail
folder=$(mktemp -d); trap 'rm -rf "$folder"' EXIT; cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund luxon@3.7.2 date-fns@4.4.0 date-fns-tz@3.2.0 @date-fns/tz@1.5.0 moment-timezone@0.6.6 @js-temporal/polyfill@0.5.1
cat > run.mjs <<'JS'
import { DateTime } from 'luxon'
import { Temporal } from '@js-temporal/polyfill'
import { fromZonedTime } from 'date-fns-tz'
import { TZDate } from '@date-fns/tz'
import moment from 'moment-timezone'
const zone = 'Europe/Berlin'
const readers = {
  Temporal: wall => Temporal.PlainDateTime.from(wall).toZonedDateTime(zone).epochMilliseconds,
  Date: wall => +new Date(wall),
  'moment-timezone': wall => +moment.tz(wall, zone),
  luxon: wall => DateTime.fromISO(wall, { zone }).toMillis(),
  '@date-fns/tz': wall => { const [y, m, d, h, min] = wall.match(/\d+/g).map(Number); return +new TZDate(y, m - 1, d, h, min, zone) },
  'date-fns-tz': wall => +fromZonedTime(wall, zone),
}
const seen = wall => Object.entries(readers).map(([name, read]) => `${name} ${new Date(read(wall)).toISOString().slice(11, 16)}`).join(', ')
const twice = seen('2026-10-25T02:30:00'), never = seen('2027-03-28T02:30:00')
console.log(`host in ${process.env.TZ}\n2026-10-25 02:30 Berlin (twice), in UTC: ${twice}`)
console.log(`2027-03-28 02:30 Berlin (never), in UTC: ${never}`)
const [date, tz] = process.env.TZ === 'UTC' ? ['02:30', '01:30'] : ['00:30', '00:30']
const expected = [`Temporal 00:30, Date ${date}, moment-timezone 00:30, luxon 01:30, @date-fns/tz ${tz}, date-fns-tz 01:30`,
  `Temporal 01:30, Date ${process.env.TZ === 'UTC' ? '02:30' : '01:30'}, moment-timezone 01:30, luxon 01:30, @date-fns/tz 01:30, date-fns-tz 00:30`]
process.exit(twice === expected[0] && never === expected[1] ? 0 : 1)
JS
TZ=Europe/Berlin node run.mjs
TZ=UTC node run.mjs
