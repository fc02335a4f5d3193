type Entry = {
  cents: number
  text: string
  day?: string
  currency?: string
  kind?: 'CRDT' | 'DBIT'
  status?: string
  reversal?: true
  /** the bank's reference */
  reference?: string
  endToEndId?: string
}

const euros = (cents: number) => (cents / 100).toFixed(2)

/** Builds a bank statement in the format camt.053.001.08. */
export const buildCamt = (
  entries: readonly Entry[],
  prefix = '',
): string => `${prefix}<?xml version="1.0" encoding="UTF-8"?>
<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.08"><BkToCstmrStmt><GrpHdr><MsgId>1</MsgId><CreDtTm>2026-11-24T20:00:00Z</CreDtTm></GrpHdr><Stmt><Id>1</Id>
<Acct><Id><IBAN>DE02120300000000202051</IBAN></Id></Acct>
<Bal><Tp><CdOrPrtry><Cd>CLBD</Cd></CdOrPrtry></Tp><Amt Ccy="EUR">9999.99</Amt><CdtDbtInd>CRDT</CdtDbtInd><Dt><Dt>2026-11-24</Dt></Dt></Bal>${entries
  .map(
    ({ cents, text, day = '2026-11-24', currency = 'EUR', kind = 'CRDT', status = '<Cd>BOOK</Cd>', ...more }) => `
<Ntry><Amt Ccy="${currency}">${euros(cents)}</Amt><CdtDbtInd>${kind}</CdtDbtInd>${more.reversal ? '<RvslInd>true</RvslInd>' : ''}<Sts>${status}</Sts>
<BookgDt><Dt>${day}</Dt></BookgDt><ValDt><Dt>2020-01-01</Dt></ValDt>${more.reference === undefined ? '' : `<AcctSvcrRef>${more.reference}</AcctSvcrRef>`}<BkTxCd><Prtry><Cd>NTRF+166</Cd></Prtry></BkTxCd>
<NtryDtls><TxDtls><Refs><EndToEndId>${more.endToEndId ?? 'NOTPROVIDED'}</EndToEndId></Refs>
<RltdPties><Dbtr><Pty><Nm>Kim Muster</Nm></Pty></Dbtr></RltdPties><RmtInf><Ustrd>${text}</Ustrd></RmtInf></TxDtls></NtryDtls></Ntry>`,
  )
  .join('')}</Stmt></BkToCstmrStmt></Document>`

type Credit = { day: string; cents: number; text: string }

/** Builds the CSV export 'CSV-CAMT' of a savings bank for the account of `buildCamt`. */
export const buildSavingsBankCsv = (credits: readonly (Credit & { info?: string; currency?: string })[]): string =>
  [
    [
      'Auftragskonto',
      'Buchungstag',
      'Verwendungszweck',
      'Beguenstigter/Zahlungspflichtiger',
      'Betrag',
      'Waehrung',
      'Info',
    ],
    ...credits.map(({ day, cents, text, info = 'Umsatz gebucht', currency = 'EUR' }) => [
      'DE02120300000000202051',
      `${day.slice(8)}.${day.slice(5, 7)}.${day.slice(2, 4)}`,
      text,
      'Kim Muster',
      euros(cents).replace('.', ','),
      currency,
      info,
    ]),
  ]
    .map(cells => cells.map(cell => `"${cell}"`).join(';'))
    .join('\r\n')
