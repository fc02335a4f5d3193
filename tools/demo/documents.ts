// Prints every PDF of the demo programme into demo/files: `node tools/demo/documents.ts`.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'csv-parse/sync'
import { conditions, faq, privacy } from './english-papers.ts'
import { flyers } from './flyers.ts'
import { bullets, type Content, hall, heading, muted, note, type Paper, paragraph, print, rule, steps, table } from './paper.ts'

type Row = Record<string, string>
type Language = Paper['language']

const read = (file: string) => parse(readFileSync(join(import.meta.dirname, '../../demo', file), 'utf8'), { columns: true }) as Row[]
const courses = read('courses.csv')
const instructors = read('instructors.csv')

const say = (language: Language, de: string, en: string) => (language === 'de' ? de : en)
const text = (row: Row, name: string, language: Language) => (language === 'en' ? row[`${name}2`] : row[name]) ?? ''
const days = { de: ['Sonntag', 'Montag', 'Dienstag', 'Mittwoch', 'Donnerstag', 'Freitag', 'Samstag'], en: ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'] }
/** Both weekdays of a course held twice a week, in brackets after its name. */
const twice = (course: Row, language: Language) => {
  const english: Record<string, string> = { Mo: 'Mon', Di: 'Tue', Mi: 'Wed', Do: 'Thu', Fr: 'Fri' }
  const both = course.bookingSelection ?? ''
  return both && ` (${language === 'de' ? both : both.replace(/[A-Z][a-z]/g, day => english[day] ?? day)})`
}
const money = (amount: string, language: Language) => {
  if (Number(amount) === 0) return say(language, 'kostenlos', 'free')
  return `${Number(amount).toFixed(2).replace('.', ',')} €`
}
const time = (course: Row) => `${course.startTime} – ${course.endTime}`
const winter = courses.filter(course => course.seasonId === '3')
const bySchedule = (a: Row, b: Row) => (a.startTime ?? '').localeCompare(b.startTime ?? '')

function programme(language: Language): Paper {
  const weekdays = [1, 2, 3, 4, 5, 6, 0].flatMap((day): Content[] => {
    const list = winter.filter(course => Number(course.day) === day).sort(bySchedule)
    if (list.length === 0) return []
    return [
      { text: days[language][day] ?? '', bold: true, fontSize: 16, color: hall, margin: [0, 5, 0, 1], headlineLevel: 1 },
      {
        table: {
          widths: [11, 66, 42, '*', 142, 50], dontBreakRows: true,
          body: list.map((course): Content[] => [
            { canvas: [{ type: 'rect', x: 0, y: 2, w: 8, h: 8, lineWidth: 0.8, lineColor: hall }] },
            time(course), { text: course.number ?? '', color: muted }, { text: text(course, 'name', language) + twice(course, language), bold: true }, { text: course.city === 'Online' ? 'Online' : `${course.venue}`, color: muted }, { text: money(course.fee ?? '', language), alignment: 'right' },
          ]),
        },
        layout: { hLineWidth: (i: number) => (i === 0 ? 0 : 0.4), vLineWidth: () => 0, hLineColor: () => rule, paddingTop: () => 1.9, paddingBottom: () => 1.5, paddingLeft: () => 2, paddingRight: () => 2 },
        fontSize: 11.4, lineHeight: 1.05,
      },
    ]
  })
  return {
    language, kicker: say(language, 'Werksport · Kursprogramm', 'Werksport · Course programme'), title: say(language, 'Winter', 'Winter'),
    lead: say(language, 'Alle Kurse nach Wochentagen. Ankreuzen, aufhängen, buchen; Termine und freie Plätze zeigt das Portal.', 'All courses by weekday. Tick, pin up, book; the portal shows dates and free places.'),
    content: [...weekdays, note(say(language, 'Gut zu wissen', 'Good to know'), say(language, 'Energiezuschläge für Bäder und Hallen kommen hinzu. Externe zahlen die Kursgebühr plus 15,00 € Bearbeitungsgebühr, sofern der Kurs nichts anderes nennt. Keine Termine in den Oster- und Herbstferien.', 'Energy fees for pools and halls are added. External guests pay the course fee plus a processing fee of €15.00 unless the course states otherwise. No lessons during the Easter and autumn holidays.'))],
  }
}

const details = (list: Row[], language: Language, colour: string): Content =>
  table([46, '*', 62, 128, 50], [say(language, 'Kurs', 'Course'), say(language, 'Name', 'Name'), say(language, 'Tag', 'Day'), say(language, 'Ort', 'Place'), say(language, 'Gebühr', 'Fee')],
    list.map(course => [{ text: course.number ?? '', color: muted }, { text: text(course, 'name', language) + twice(course, language), bold: true }, `${(days[language][Number(course.day)] ?? '').slice(0, language === 'de' ? 2 : 3)} ${course.startTime}`, course.city === 'Online' ? 'Online' : `${course.venue}`, money(course.fee ?? '', language)]), colour)

function waterProgramme(language: Language): Paper {
  const colour = '#1f6fae'
  const list = winter.filter(course => course.courseCategoryId === '5' || course.courseCategoryId === '11')
  return {
    language, kicker: say(language, 'Werksport · Kursprogramm', 'Werksport · Course programme'), title: say(language, 'Wasser & Wärme', 'Water and warmth'), lead: say(language, 'Welches Becken, welche Tiefe, welche Temperatur.', 'Which pool, how deep, how warm.'), ground: colour, size: 11,
    content: [
      heading(say(language, 'Die Becken', 'The pools'), colour),
      table(['*', 70, 80, '*'], [say(language, 'Becken', 'Pool'), say(language, 'Tiefe', 'Depth'), say(language, 'Temperatur', 'Temperature'), say(language, 'Gut für', 'Good for')], [
        [say(language, 'Stadtbad, Lehrschwimmbecken', 'Municipal pool, teaching pool'), say(language, '1,35 m', '1.35 m'), '29 °C', say(language, 'Aqua-Fitness, Aqua-Aerobic, Aqua-Cycling', 'Aqua fitness, aerobics, cycling')],
        [say(language, 'Stadtbad, 25-Meter-Becken', 'Municipal pool, 25 metres'), say(language, '1,80 bis 3,80 m', '1.80 to 3.80 m'), '27 °C', say(language, 'Aqua-Jogging, Kraulen', 'Aqua jogging, front crawl')],
        [say(language, 'Hafenbad, Warmbecken', 'Harbour pool, warm pool'), say(language, '1,20 m', '1.20 m'), '31 °C', say(language, 'Wassergymnastik, Rückkehr nach Verletzung', 'Gentle gymnastics, coming back from injury')],
        [say(language, 'Hafenbecken Lindhafen', 'Lindhafen dock'), say(language, '4 m', '4 m'), say(language, 'mutig', 'brave'), say(language, 'Rudern und Paddeln ab dem Frühjahr', 'Rowing and paddling from spring')],
      ], colour),
      heading(say(language, 'Kurse im Winter', 'Courses in winter'), colour), details(list, language, colour),
      heading(say(language, 'In die Tasche gehören', 'Pack your bag'), colour),
      bullets([say(language, 'Badekleidung, Badeschuhe, zwei Handtücher', 'Swimwear, pool shoes, two towels'), say(language, 'ein Euro für den Schrank', 'a one-euro coin for the locker'), say(language, 'Mütze für den Heimweg, Haare trocknen langsamer als gedacht', 'a hat for the way home; hair dries more slowly than you think')]),
      note(say(language, 'Energiezuschlag', 'Energy fee'), say(language, 'Warmes Wasser kostet Wärme. Der Zuschlag von 12,00 bis 15,00 € je Kurs geht vollständig an die Bäder und steht in jedem Kurs.', 'Warm water takes heat. The fee of €12.00 to €15.00 per course goes to the pools in full and is shown with each course.')),
    ],
  }
}

function onlineProgramme(language: Language): Paper {
  const colour = '#5a4b9a'
  return {
    language, kicker: say(language, 'Werksport · Kursprogramm', 'Werksport · Course programme'), title: say(language, 'Online dabei', 'Joining online'), lead: say(language, 'Für alle Standorte, auch für Übersee. Schultern ziehen in jeder Zeitzone hoch.', 'For all sites, overseas included. Shoulders creep up in every time zone.'), ground: colour, size: 11.2,
    content: [
      heading(say(language, 'Kurse im Winter', 'Courses in winter'), colour), details(winter.filter(course => course.city === 'Online').sort((a, b) => Number(a.day) - Number(b.day)), language, colour),
      heading(say(language, 'So sind Sie dabei', 'How to join'), colour),
      ...steps([
        ['1', say(language, 'Buchen', 'Book'), say(language, 'Wie jeden anderen Kurs. Die Bestätigung kommt per E-Mail.', 'Like any other course. A confirmation follows by e-mail.')],
        ['2', say(language, 'Zugang öffnen', 'Open the room'), say(language, 'Link, Meeting-ID und Kenncode stehen nach der Buchung unter „Meine Kurse“.', 'Link, meeting ID and code appear under “my courses” once you have booked.')],
        ['3', say(language, 'Platz schaffen', 'Make room'), say(language, 'Zwei Quadratmeter, Kamera auf Hüfthöhe, Licht von vorn. Kamera an ist schön, Kamera aus ist erlaubt.', 'Two square metres, camera at hip height, light from the front. Camera on is nice, camera off is fine.')],
        ['4', say(language, 'Fünf Minuten früher da sein', 'Come five minutes early'), say(language, 'Der Raum öffnet vor der Stunde. Fragen zu Knien und Nacken gehören in diese fünf Minuten.', 'The room opens before the lesson. Those five minutes are for questions about knees and necks.')],
      ], colour),
      note(say(language, 'Zertifiziert von zu Hause', 'Certified from home'), say(language, 'Progressive Muskelentspannung und Rückenschule online tragen eine Prüfnummer: Versicherte der BKK Fennmark erhalten die Gebühr erstattet.', 'Progressive muscle relaxation and back school online carry a test number: members of BKK Fennmark are refunded.')),
    ],
  }
}

function team(language: Language): Paper {
  const colour = '#8f2b57'
  const card = (row: Row): Content => ({
    columns: [
      { width: 76, svg: readFileSync(join(import.meta.dirname, '../../demo/files', row.pictureFileName ?? ''), 'utf8'), fit: [76, 76] },
      {
        width: '*',
        stack: [
          { text: `${row.givenName} ${row.familyName}`, bold: true, fontSize: 16, color: colour },
          { text: text(row, 'profession', language), color: muted, fontSize: 10.8 },
          { text: text(row, 'courses', language), bold: true, fontSize: 11.2, margin: [0, 2, 0, 2] },
          { text: text(row, 'likeReasonsInstructor', language), italics: true, fontSize: 11.6 },
        ],
      },
    ],
    columnGap: 11, margin: [0, 0, 0, 18], unbreakable: true,
  })
  const pairs = Array.from({ length: Math.ceil(instructors.length / 2) }, (_, i) => instructors.slice(i * 2, i * 2 + 2))
  return {
    language, kicker: say(language, 'Werksport · Team', 'Werksport · Team'), title: say(language, 'Unsere\nKursleitungen', 'Our instructors'), lead: say(language, 'Sechzehn Menschen, die gern früh aufstehen.', 'Sixteen people who like getting up early.'), ground: colour,
    content: pairs.map((pair, i): Content => ({ columns: pair.map(row => ({ width: '*', stack: [card(row)] })), columnGap: 24, margin: [0, i === 0 ? 14 : 0, 0, 0] })),
  }
}

const certificate: Paper = {
  language: 'de', kicker: 'Werksport · Bescheinigung', title: 'Teilnahme-\nbescheinigung', lead: 'Certificate of attendance',
  content: [
    { text: 'Mara Kern', bold: true, fontSize: 38, color: hall, margin: [0, 34, 0, 2] },
    { text: 'Fennmark Pumpen AG, P-03 Prüfstand', color: muted, margin: [0, 0, 0, 22] },
    paragraph('hat am Kurs'), { text: 'Rückenfit am Feierabend', bold: true, fontSize: 25, margin: [0, 0, 0, 6] },
    paragraph('bei Ines Brandt in Halle 2 am Tor 4, Salzstadt, teilgenommen.'),
    { columns: [['12', 'Einheiten zu 60 Minuten'], ['10', 'besuchte Einheiten'], ['83 %', 'Anwesenheit, regelmäßig im Sinne der Teilnahmebedingungen']].map(([mark, what]) => ({ stack: [{ text: mark ?? '', bold: true, fontSize: 42, color: '#c2410c', lineHeight: 0.95 }, { text: what ?? '', color: muted }] })), columnGap: 18, margin: [0, 26, 0, 26] },
    heading('Inhalte'), bullets(['Kräftigung von Rumpf, Schultern und Hüfte', 'Mobilisation der Wirbelsäule', 'rückengerechtes Heben und Tragen am Arbeitsplatz']),
    { svg: '<svg viewBox="0 0 220 60" width="170" height="46"><path d="M6 40C20 8 30 8 30 34S22 56 34 40 52 26 52 40s10 6 16-4 10-10 12 2 8 8 14-2c4-20 22-34 22-14s-14 34-8 24 20-20 22-8 12 6 20-4 14-4 18 2 20 4 34-10" fill="none" stroke="#1f4f8f" stroke-width="2.6" stroke-linecap="round"/></svg>', margin: [0, 28, 0, 0] },
    { canvas: [{ type: 'line', x1: 0, y1: 0, x2: 210, y2: 0, lineWidth: 0.7, lineColor: muted }] },
    { text: 'Ines Brandt, Kursleitung', color: muted, margin: [0, 4, 0, 0] },
  ],
}

const certified = courses.filter(course => course.centralTestInstitute && course.seasonId !== '1')
const refundSteps: Record<Language, [string, string, string][]> = {
  de: [
    ['1', 'Zertifizierten Kurs buchen', 'Sie erkennen ihn an der Prüfnummer der Zentralen Prüfstelle, zum Beispiel KU-ST-7XK2PA.'],
    ['2', 'Mindestens 80 % der Termine besuchen', 'Für die Bescheinigung zählt nur, wer da war: Krankmeldung und Schichtdienst helfen hier nicht.'],
    ['3', 'Bescheinigung laden', 'Nach der Abrechnung des Kurses liegt sie als PDF im Portal unter „Meine Nachrichten“.'],
    ['4', 'Einreichen', 'Mit BKK-Nummer und Bankverbindung an erstattung@demo.example oder in den gelben Briefkasten, Kesselstraße 6.'],
  ],
  en: [
    ['1', 'Book a certified course', 'You recognise it by the number of the central test institute, such as KU-ST-7XK2PA.'],
    ['2', 'Attend at least 80% of the lessons', 'Only attendance counts for the certificate: sick notes and shift work do not help here.'],
    ['3', 'Download the certificate', 'Once the course is settled, it is in the portal under “My messages” as a PDF.'],
    ['4', 'Hand it in', 'With your insurance number and bank details to erstattung@demo.example, or in the yellow letter box, Kesselstraße 6.'],
  ],
}
const refund = (language: Language): Paper => ({
  language, kicker: say(language, 'Werksport & BKK Fennmark · Merkblatt', 'Werksport & BKK Fennmark · Leaflet'), title: say(language, 'Erstattung\nzertifizierter Kurse', 'Refunds of\ncertified courses'), lead: say(language, 'Für Mitglieder der BKK Fennmark.', 'For members of BKK Fennmark.'), ground: '#0d5a4f', size: 11.6,
  content: [
    ...steps(refundSteps[language]),
    heading(say(language, 'Zertifizierte Kurse', 'Certified courses')),
    table([64, '*', 110, 56], language === 'de' ? ['Kurs', 'Name', 'Prüfnummer', 'Gebühr'] : ['Course', 'Name', 'Test number', 'Fee'], certified.map(course => [{ text: course.number ?? '', color: muted }, { text: text(course, 'name', language), bold: true }, course.centralTestInstitute ?? '', { text: money(course.fee ?? '', language), alignment: 'right' }])),
    note(say(language, 'Fristen', 'Deadlines'), say(language, 'Bitte reichen Sie innerhalb von drei Monaten nach Kursende ein. Die Erstattung kommt in der Regel binnen vier Wochen.', 'Please hand it in within three months after the course. The refund usually comes within four weeks.')),
  ],
})

const papers: Record<string, Paper> = {
  'kursprogramm-winter.pdf': programme('de'), 'programme-winter.pdf': programme('en'),
  'wasserprogramm.pdf': waterProgramme('de'), 'programme-water.pdf': waterProgramme('en'),
  'onlineprogramm.pdf': onlineProgramme('de'), 'programme-online.pdf': onlineProgramme('en'),
  'kursleitungen.pdf': team('de'), 'instructors.pdf': team('en'),
  'faq-english.pdf': faq, 'conditions-english.pdf': conditions, 'privacy-policy-english.pdf': privacy,
  'teilnahmebescheinigung-kern.pdf': certificate, 'merkblatt-erstattung.pdf': refund('de'), 'refund-leaflet.pdf': refund('en'),
  ...Object.fromEntries(flyers.flatMap(({ de, en, papers: [german, english] }) => [[de, german], [en, english]])),
}
for (const [fileName, paper] of Object.entries(papers)) await print(fileName, paper)
