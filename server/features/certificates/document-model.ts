import type { Branding } from '#contract/endpoints/branding.ts'
import type { CertificateClaims } from '#contract/endpoints/certificates.ts'
import { formatDate, formatMoney } from '#contract/words.ts'
import { toDateTimeValue } from '#server/platform/db/date-time.ts'
import { PAGE_COUNT_PLACEHOLDER, PAGE_NUMBER_PLACEHOLDER, type PdfDocument } from '#server/platform/pdf/printer.ts'
import { translate } from '#server/platform/texts/translate.ts'

const say = (key: string, values: Record<string, string | number> = {}) =>
  translate('de', `certificates.document.${key}`, values)
const day = (date: string) => formatDate(toDateTimeValue(date))

/** Text in which `part` is a link to `url`. */
function linked(text: string, part: string, url: string): object[] {
  const [before = '', after = ''] = text.split(part)
  return [{ text: before }, { text: part, link: url, decoration: 'underline' }, { text: after }]
}

/**
 * Lays out a certificate of attendance as an A4 PDF.
 * @param url URL of the page that verifies it, encoded in the QR code
 */
export function layOutCertificate(
  claims: CertificateClaims,
  { url, branding }: { url: string; branding: Branding },
): PdfDocument {
  const { attended, held, minutes, lessonMinutes } = claims
  const address = url.replace(/#.*/, '')
  const lessons = say('lessons', { attended, held })
  const facts = [
    [say('name'), claims.name],
    [say('course'), `${claims.course} (${claims.courseNumber})`],
    [say('institute'), claims.institute],
    [say('period'), `${day(claims.firstDay)} – ${day(claims.lastDay)}`],
    [say('attendance'), lessonMinutes > 0 ? `${lessons} ${say('each', { minutes: lessonMinutes })}` : lessons],
    [say('duration'), say('minutes', { minutes })],
    [say('instructor'), claims.instructor],
    [say('amount'), formatMoney(claims.amount)],
  ].filter(([, value]) => value !== '')
  return {
    pageSize: 'A4',
    pageMargins: [71, 60, 57, 70],
    defaultStyle: { font: 'Roboto', fontSize: 11, lineHeight: 1.2 },
    styles: { muted: { color: '#555555' }, small: { fontSize: 8, color: '#555555' } },
    language: 'de',
    info: { title: `${say('title')}: ${claims.course}, ${claims.name}` },
    footer: {
      margin: [71, 20, 57, 0],
      style: 'small',
      columns: [
        { text: `${branding.name} · ${branding.department.de} · ${branding.phone} · ${branding.email}` },
        {
          text: say('page', { page: PAGE_NUMBER_PLACEHOLDER, pages: PAGE_COUNT_PLACEHOLDER }),
          alignment: 'right',
          width: 80,
        },
      ],
    },
    content: [
      { text: branding.portalName, color: branding.colors.brand.light, bold: true, fontSize: 15 },
      {
        text: `${branding.name} · ${branding.department.de} · ${branding.street} · ${branding.zip} ${branding.city}`,
        style: 'small',
        margin: [0, 2, 0, 40],
      },
      { text: say('title'), role: 'H1', fontSize: 22, bold: true, margin: [0, 0, 0, 4] },
      { text: say('law'), style: 'muted', margin: [0, 0, 0, 24] },
      {
        layout: 'noBorders',
        margin: [0, 0, 0, 24],
        table: {
          widths: [150, '*'],
          body: facts.map(([label = '', value = '']) => [
            { text: label, style: 'muted', margin: [0, 0, 0, 5] },
            { text: value, margin: [0, 0, 0, 5] },
          ]),
        },
      },
      { text: `${branding.city}, ${day(claims.issued)}`, margin: [0, 0, 0, 4] },
      { text: say('version', { version: claims.version, code: claims.jti }), style: 'small', margin: [0, 0, 0, 28] },
      {
        columnGap: 18,
        columns: [
          { qr: url, eccLevel: 'L', fit: 200, width: 172, alt: say('qr') },
          { text: linked(say('verify', { address }), address, url), margin: [0, 4, 0, 0] },
        ],
      },
    ],
  }
}
