import type { BillingConfig } from '#contract/endpoints/billing.ts'
import { translate } from '#server/platform/texts/translate.ts'

export type AccountingConfig = NonNullable<BillingConfig['accounting']>

/** `setOff`: a credit paid an invoice. `paidBack`: a payment went back. `returned`: a refund came back. */
export type PostingType = 'invoice' | 'cancellation' | 'payment' | 'paidBack' | 'setOff' | 'refund' | 'returned'

/** An invoice, payment or refund to be posted by accounting. Days: 'YYYY-MM-DD' */
export type Posting = {
  document: string
  type: PostingType
  day: string
  /** never negative */
  cents: number
  /** number of the invoice whose open amount changes, or reference of a refund */
  reference: string
  /** number of a cancellation invoice, or reference of the credit that was offset; '' if there is none */
  otherReference: string
  dueOn: string | null
}

type Account = keyof AccountingConfig['accounts']
/** Account and contra account, and whether the account is debited ('S', Soll) or credited ('H', Haben). */
const ACCOUNTS: Record<PostingType, readonly [Account, Account, 'S' | 'H']> = {
  invoice: ['debtor', 'revenue', 'S'],
  cancellation: ['debtor', 'revenue', 'H'],
  payment: ['bank', 'debtor', 'S'],
  paidBack: ['bank', 'debtor', 'H'],
  setOff: ['debtor', 'revenue', 'H'],
  refund: ['bank', 'revenue', 'H'],
  returned: ['bank', 'revenue', 'S'],
}

/** First day of the fiscal year that a day belongs to. */
export const fiscalYearStart = (day: string, { fiscalYearMonth }: AccountingConfig): string => {
  const year = Number(day.slice(0, 4)) - (Number(day.slice(5, 7)) < fiscalYearMonth ? 1 : 0)
  return `${year}-${String(fiscalYearMonth).padStart(2, '0')}-01`
}

const MAX_POSTINGS = 99_999
/** Postings that fit into one file: those of the earliest fiscal year, at most 99,999. Others are left for the next one. */
export const filterPostingsForFile = <P extends Posting>(postings: readonly P[], config: AccountingConfig): P[] => {
  const years = postings.map(({ day }) => fiscalYearStart(day, config))
  return postings.filter((_, index) => years[index] === years[0]).slice(0, MAX_POSTINGS)
}

const numbered = (count: number, nameOf: (number: number) => string) =>
  Array.from({ length: count }, (_, index) => nameOf(index + 1)).join(';')

/** Columns of format version 13, https://developer.datev.de (DATEV-Format, Buchungsstapel). */
const COLUMNS = [
  'Umsatz (ohne Soll/Haben-Kz);Soll/Haben-Kennzeichen;WKZ Umsatz;Kurs;Basis-Umsatz;WKZ Basis-Umsatz;Konto',
  'Gegenkonto (ohne BU-Schlüssel);BU-Schlüssel;Belegdatum;Belegfeld 1;Belegfeld 2;Skonto;Buchungstext;Postensperre',
  'Diverse Adressnummer;Geschäftspartnerbank;Sachverhalt;Zinssperre;Beleglink',
  numbered(8, number => `Beleginfo - Art ${number};Beleginfo - Inhalt ${number}`),
  'KOST1 - Kostenstelle;KOST2 - Kostenstelle;Kost-Menge;EU-Land u. UStID (Bestimmung);EU-Steuersatz (Bestimmung)',
  'Abw. Versteuerungsart;Sachverhalt L+L;Funktionsergänzung L+L;BU 49 Hauptfunktionstyp;BU 49 Hauptfunktionsnummer',
  'BU 49 Funktionsergänzung',
  numbered(20, number => `Zusatzinformation - Art ${number};Zusatzinformation- Inhalt ${number}`),
  'Stück;Gewicht;Zahlweise;Forderungsart;Veranlagungsjahr;Zugeordnete Fälligkeit;Skontotyp;Auftragsnummer;Buchungstyp',
  'USt-Schlüssel (Anzahlungen);EU-Land (Anzahlungen);Sachverhalt L+L (Anzahlungen);EU-Steuersatz (Anzahlungen)',
  'Erlöskonto (Anzahlungen);Herkunft-Kz;Buchungs GUID;KOST-Datum;SEPA-Mandatsreferenz;Skontosperre;Gesellschaftername',
  'Beteiligtennummer;Identifikationsnummer;Zeichnernummer;Postensperre bis;Bezeichnung SoBil-Sachverhalt',
  'Kennzeichen SoBil-Buchung;Festschreibung;Leistungsdatum;Datum Zuord. Steuerperiode;Fälligkeit;Generalumkehr (GU)',
  'Steuersatz;Land;Abrechnungsreferenz;BVV-Position;EU-Land u. UStID (Ursprung);EU-Steuersatz (Ursprung)',
  'Abw. Skontokonto',
]
  .join(';')
  .split(';')

const quoted = (text: string) => `"${text}"`
const digitsOf = (day: string) => day.replaceAll('-', '')
/** 'YYYY-MM-DD' as DDMMYYYY */
const reversed = (day: string) => day.split('-').toReversed().join('')

/**
 * Writes postings as DATEV-Format "Buchungsstapel" (EXTF, header version 700, category 21, format version 13): text in
 * quotes, Windows-1252, CRLF. The file names no people. Accounting may still change what it imports (Festschreibung 0).
 * @param postings of one fiscal year, at least one
 * @param createdAt 'YYYY-MM-DDTHH:MM'
 */
export function writeAccountingFile(
  config: AccountingConfig,
  { name, createdAt, postings }: { name: string; createdAt: string; postings: readonly Posting[] },
): Buffer {
  const { consultantNumber, clientNumber, accountLength, accounts } = config
  const days = postings.map(({ day }) => day).sort()
  const [first = '', last = ''] = [days[0], days.at(-1)]
  const exported = `"EXTF";700;21;"Buchungsstapel";13;${createdAt.replaceAll(/\D/g, '')}00000;;"";"";""`
  const company = [consultantNumber, clientNumber, digitsOf(fiscalYearStart(first, config)), accountLength].join(';')
  const content = `${digitsOf(first)};${digitsOf(last)};${quoted(name)};"";1;0;0;"EUR";;"";;;"";;;"";""`
  const rows = postings.map(({ type, day, cents, reference, otherReference, dueOn }) => {
    const [account, contra, side] = ACCOUNTS[type]
    const cells: Record<string, string> = {
      'Umsatz (ohne Soll/Haben-Kz)': (cents / 100).toFixed(2).replace('.', ','),
      'Soll/Haben-Kennzeichen': quoted(side),
      'WKZ Umsatz': quoted('EUR'),
      Konto: accounts[account],
      'Gegenkonto (ohne BU-Schlüssel)': accounts[contra],
      Belegdatum: reversed(day).slice(0, 4),
      'Belegfeld 1': quoted(reference),
      'Belegfeld 2': quoted(otherReference),
      Buchungstext: quoted(`${translate('de', `office.posting.${type}`)} ${otherReference || reference}`),
      Festschreibung: '0',
      Fälligkeit: dueOn === null ? '' : reversed(dueOn),
    }
    return COLUMNS.map(column => cells[column] ?? '')
  })
  // All letters are in ISO 8859-1, whose bytes are the same in Windows-1252.
  return Buffer.from(
    [[exported, company, content], COLUMNS, ...rows].map(cells => `${cells.join(';')}\r\n`).join(''),
    'latin1',
  )
}
