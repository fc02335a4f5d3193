import type { Language } from '#contract/values.ts'

/** Serialized message, for JSON and structured cloning between threads. */
export type SerializedMessage = { strings: readonly string[]; values: readonly (string | number | SerializedMessage)[] }

/** Translatable message. The code contains the English text, `germanMessages` its German translation. */
export class TranslatableMessage {
  readonly #strings: readonly string[]
  readonly #values: readonly (string | number | TranslatableMessage)[]

  constructor(strings: readonly string[], values: readonly (string | number | TranslatableMessage)[]) {
    this.#strings = strings
    this.#values = values
  }

  static fromData({ strings, values }: SerializedMessage): TranslatableMessage {
    return new TranslatableMessage(
      strings,
      values.map(value => (typeof value === 'object' ? TranslatableMessage.fromData(value) : value)),
    )
  }

  toJSON(): SerializedMessage {
    return {
      strings: this.#strings,
      values: this.#values.map(value => (value instanceof TranslatableMessage ? value.toJSON() : value)),
    }
  }

  in(language: Language): string {
    const english = this.#strings.map((part, index) => (index === 0 ? part : `{${index - 1}}${part}`)).join('')
    const sentence = language === 'de' ? germanMessages[english] : english
    if (sentence === undefined) throw new Error(`no German for ${english}`)
    return sentence.replace(/\{(\d+)\}/g, (_, index) => {
      const value = this.#values[Number(index)] ?? ''
      return value instanceof TranslatableMessage ? value.in(language) : String(value)
    })
  }
}

/** Tag function that creates a message, as in message`${name} is required`. */
export const message = (
  strings: TemplateStringsArray,
  ...values: (string | number | TranslatableMessage)[]
): TranslatableMessage => new TranslatableMessage(strings.raw, values)

/**
 * German translations of the import's messages, keyed by the English text with the placeholders {0}, {1}, … for values.
 */
export const germanMessages: Readonly<Record<string, string>> = {
  '': '',
  '{0}': '{0}',
  ' (row {0} in a spreadsheet)': ' (Zeile {0} in einer Tabellenkalkulation)',
  '… and {0} more': '… und {0} weitere',
  '"{0}" {1}': '„{0}“ {1}',
  '{0} is before startTime {1}': '{0} liegt vor startTime {1}',
  '{0} is before start {1}': '{0} liegt vor start {1}',
  '{0} is before startsAt {1}': '{0} liegt vor startsAt {1}',
  '{0} is more than three years after start {1}': '{0} liegt mehr als drei Jahre nach start {1}',
  '{0} is not after startTime {1}': '{0} liegt nicht nach startTime {1}',
  '{0} stands twice for course {1}': '{0} steht zweimal beim Kurs {1}',
  'stands twice': 'steht zweimal',
  '{0} does not exist: summer time begins and skips it':
    '{0} gibt es nicht: Die Sommerzeit beginnt und überspringt diese Zeit',
  '{0} without a lesson: give dates in course-dates.csv, or a start and end with its weekday between them':
    '{0} ohne Termin: Geben Sie Daten in course-dates.csv an oder einen start und ein end, zwischen denen der Wochentag liegt',
  '{0} already stands in line {1}': '{0} steht schon in Zeile {1}',
  '{0} is neither in {1} nor in the portal': '{0} steht weder in {1} noch im Portal',
  '{0} is another document than {1} has under that name':
    '{0} ist ein anderes Dokument als das, das {1} unter diesem Namen hat',
  '{0}, and line {1} gives it to {2}: give each its own name':
    '{0}, und Zeile {1} gibt es {2}: Geben Sie jedem einen eigenen Namen',
  '{0} already means another file in the portal, that of {1}':
    '{0} bezeichnet im Portal schon eine andere Datei, die von {1}',
  '{0}: give one of them another name': '{0}: Geben Sie einer davon einen anderen Namen',
  '{0} has more than two decimals': '{0} hat mehr als zwei Nachkommastellen',
  '{0} is less than {1}': '{0} ist kleiner als {1}',
  '{0} is less than 0': '{0} ist kleiner als 0',
  '{0} is more than {1}': '{0} ist größer als {1}',
  '{0} is not less than {1}': '{0} ist nicht kleiner als {1}',
  '{0} is not less than 100000': '{0} ist nicht kleiner als 100000',
  '{0}, sheet {1}': '{0}, Blatt {1}',
  'sheet {0}: {1}': 'Blatt {0}: {1}',
  'sheet {0}: {1} {2}': 'Blatt {0}: {1} {2}',
  'stands twice: {0}': 'steht zweimal: {0}',
  'holds a formula without its result: open and save the file in the spreadsheet program':
    'enthält eine Formel ohne ihr Ergebnis: Öffnen und speichern Sie die Datei in der Tabellenkalkulation',
  'belongs to the merged cells {0}: split them and fill each row':
    'gehört zu den verbundenen Zellen {0}: Heben Sie die Verbindung auf und füllen Sie jede Zeile aus',
  'holds an error of the spreadsheet: {0}': 'enthält einen Fehler der Tabelle: {0}',
  'holds nothing that can be read': 'enthält nichts Lesbares',
  'has more than {0} rows': 'hat mehr als {0} Zeilen',
  'has more than {0} columns': 'hat mehr als {0} Spalten',
  'has more than {0} cells': 'hat mehr als {0} Zellen',
  'holds more than {0} MB of text': 'enthält mehr als {0} MB Text',
  'holds a number format of {0} characters, at most {1} are possible':
    'enthält ein Zahlenformat mit {0} Zeichen, höchstens {1} sind möglich',
  'takes more than {0} seconds or {1} MB of memory to read':
    'braucht zum Lesen mehr als {0} Sekunden oder {1} MB Speicher',
  'has the cell {0}{1} twice': 'hat die Zelle {0}{1} zweimal',
  'has the row {0} twice': 'hat die Zeile {0} zweimal',
  'is no Excel file (.xlsx) that can be read ({0})': 'ist keine lesbare Excel-Datei (.xlsx) ({0})',
  '{0} is no link: a number, category:ID, mailto:, https:// or a route':
    '{0} ist kein Link: eine Nummer, category:ID, mailto:, https:// oder eine Seite des Portals',
  '{0} is not a date such as 2026-11-21 or 21.11.2026': '{0} ist kein Datum wie 2026-11-21 oder 21.11.2026',
  '{0} is not a number such as 12.50 or 12,50': '{0} ist keine Zahl wie 12.50 oder 12,50',
  '{0} is not a phone number of 2 to 50 characters (digits, blanks, + ( ) /)':
    '{0} ist keine Telefonnummer aus 2 bis 50 Zeichen (Ziffern, Leerzeichen, + ( ) /)',
  '{0} is not a time such as 18:00': '{0} ist keine Uhrzeit wie 18:00',
  '{0} is not a web address beginning with https://': '{0} ist keine Internetadresse, die mit https:// beginnt',
  '{0} is not a whole number': '{0} ist keine ganze Zahl',
  '{0} cannot be printed on certificates and invoices; write the name in Latin letters, as in the passport':
    '{0} lässt sich auf Bescheinigungen und Rechnungen nicht drucken; schreiben Sie den Namen in lateinischen Buchstaben, wie im Pass',
  '{0} is not an e-mail address of at most {1} characters': '{0} ist keine E-Mail-Adresse aus höchstens {1} Zeichen',
  '{0} is not one of {1}': '{0} ist keines von {1}',
  '{0} is not one of true, false, 1, 0, ja, nein': '{0} ist keines von true, false, 1, 0, ja, nein',
  '{0} is not the plain name of a file in files/': '{0} ist kein einfacher Name einer Datei in files/',
  '{0} is less than the {1} places already booked': '{0} ist weniger als die {1} Plätze, die schon gebucht sind',
  '{0} is later than {1}': '{0} ist später als {1}',
  'line {0}: {1}': 'Zeile {0}: {1}',
  'a cell that begins with a quote does not end with one':
    'eine Zelle, die mit einem Anführungszeichen beginnt, endet nicht mit einem',
  'a cell with a quote in it must stand in quotes, with the inner quote doubled ("")':
    'eine Zelle mit einem Anführungszeichen muss in Anführungszeichen stehen, das innere doppelt ("")',
  'a closing quote must be followed by the next cell; a quote inside a cell is doubled ("")':
    'nach dem schließenden Anführungszeichen muss die nächste Zelle kommen; eines in der Zelle steht doppelt ("")',
  'a password has {0} to {1} characters': 'ein Passwort hat {0} bis {1} Zeichen',
  'cannot be read ({0})': 'kann nicht gelesen werden ({0})',
  'cannot be read as a picture': 'kann nicht als Bild gelesen werden',
  'holds an embedded picture, which SVG files must not have: save it as PNG':
    'enthält ein eingebettetes Bild, das SVG-Dateien nicht haben dürfen: Speichern Sie es als PNG',
  'is an Office document: save it as CSV': 'ist ein Office-Dokument: Speichern Sie es als CSV',
  'cannot be unpacked ({0})': 'kann nicht entpackt werden ({0})',
  'has {0} MB, at most {1} MB fit': 'hat {0} MB, höchstens {1} MB sind möglich',
  'has {0} characters, at most {1} fit': 'hat {0} Zeichen, höchstens {1} sind möglich',
  'has a password': 'hat ein Passwort',
  'has a password or is an old .xls file: save it as .xlsx without a password':
    'hat ein Passwort oder ist eine alte .xls-Datei: Speichern Sie sie als .xlsx ohne Passwort',
  'save it as .xlsx': 'Speichern Sie die Datei als .xlsx',
  'is missing in the file': 'fehlt in der Datei',
  'holds a cell reference that cannot be read: {0}': 'enthält eine unlesbare Zellangabe: {0}',
  'holds {0}, which is no file of a programme': 'enthält {0}, das keine Datei eines Programms ist',
  'holds {0} twice': 'enthält {0} zweimal',
  'holds {0} files, at most {1} fit': 'enthält {0} Dateien, höchstens {1} sind möglich',
  'has {0} megapixels, at most {1} fit': 'hat {0} Megapixel, höchstens {1} sind möglich',
  'is empty: the first row must hold the column names': 'ist leer: Die erste Zeile muss die Spaltennamen enthalten',
  'is neither in files/ nor in the portal': 'liegt weder in files/ noch im Portal',
  'is no file': 'ist keine Datei',
  'is not UTF-8; save the file as "CSV UTF-8"': 'ist nicht UTF-8; speichern Sie die Datei als „CSV UTF-8“',
  'is not a column of this file: {0}': 'ist keine Spalte dieser Datei: {0}',
  'is not a file': 'ist keine Datei',
  'is not a zip that can be read ({0})': 'ist keine lesbare ZIP-Datei ({0})',
  'is not one of {0}': 'ist keine von {0}',
  'is not what its ending says': 'ist nicht, was die Endung sagt',
  'is required': 'muss ausgefüllt sein',
  'is too large once it is unpacked: at most {0} MB fit': 'ist entpackt zu groß: höchstens {0} MB sind möglich',
  'holds {0}, which is too large once it is unpacked: at most {1} MB fit':
    'enthält {0}, das entpackt zu groß ist: höchstens {1} MB sind möglich',
  'people do not come with a programme': 'Personen kommen nicht mit einem Programm',
  'Course {0}': 'Kurs {0}',
  'Courses {0}': 'Kurse {0}',
  '{0} and {1} more': '{0} und {1} weitere',
  '{0}: the school holidays of {1} are known up to {2}; later dates may lie in them. Give such dates in course-dates.csv':
    '{0}: Die Schulferien von {1} sind bis {2} bekannt; spätere Termine können darin liegen. Nennen Sie solche Termine in course-dates.csv',
  'Course {0}: {1} is no longer a date but stays, since {2}':
    'Kurs {0}: {1} ist kein Termin mehr und bleibt doch, denn {2}',
  'attendance was recorded': 'dafür ist Anwesenheit erfasst',
  'the desk changed it': 'er wurde am Arbeitsplatz geändert',
  'Course {0} is not in courses.csv but stays: it has bookings, attendance or an album':
    'Kurs {0} steht nicht in courses.csv und bleibt doch: Er hat Buchungen, erfasste Anwesenheit oder ein Album',
  'Courses {0} and {1} need {2} at once: {3}{4}': 'Die Kurse {0} und {1} brauchen zugleich {2}: {3}{4}',
  'instructor {0}': 'die Kursleitung {0}',
  'room {0}': 'den Raum {0}',
  ' and {0} more times': ' und {0} weitere Male',
  '… and {0} more pairs of courses': '… und {0} weitere Paare von Kursen',
  '… and more than {0} more pairs of courses': '… und mehr als {0} weitere Paare von Kursen',
  'The folder holds none of {0}': 'Der Ordner enthält keine der Dateien {0}',
  '{0} is left out: it needs the right to edit the content':
    '{0} bleibt weg: Dafür braucht es das Recht, die Inhalte zu bearbeiten',
  'Not read, because it is no table: {0}': 'Nicht gelesen, weil es keine Tabelle ist: {0}',
  'Left out of files/, because no row names it: {0}': 'Aus files/ weggelassen, weil keine Zeile es nennt: {0}',
  'Left out, because the account was merged or got another address: {0}':
    'Weggelassen, weil das Konto zusammengeführt wurde oder eine andere Adresse bekam: {0}',
  '{0} {1}': '{0} {1}',
  'Album {0}, so far for participants only, becomes public':
    'Das Album {0}, bisher nur für Teilnehmende, wird öffentlich',
  'the row has {0} cells, the header {1}': 'die Zeile hat {0} Zellen, der Kopf {1}',
  'the course is over': 'der Kurs ist vorbei',
  'the season has bookings and stays published': 'die Saison hat Buchungen und bleibt veröffentlicht',
  'the course has bookings, and this season is a draft': 'der Kurs hat Buchungen, und diese Saison ist ein Entwurf',
  'this column is required': 'diese Spalte fehlt',
  'is no bank statement (camt, MT940 or CSV) that can be read ({0})':
    'ist kein lesbarer Kontoauszug (camt, MT940 oder CSV): {0}',
  '{0}: {1}': '{0}: {1}',
  'it has a document type': 'er hat einen Dokumenttyp',
  'it has no statement': 'er enthält keinen Auszug',
  'its encoding is {0}': 'die Zeichenkodierung ist {0}',
  'no row has a day, an amount and a text': 'keine Zeile hat einen Tag, einen Betrag und einen Text',
}
